"""The real clients that the suite drives, fetched from npm into a cache outside the repository.

    python tools/clients.py                              fetch what is missing, say what there is
    python tools/clients.py --path claude-code@pinned    print the path of one binary

A client is its vendor's native binary, so Node runs only while fetching. Each comes in two editions: `pinned`, the
version our facts were taken from, and `newest`, what a user who updates today has. With CI=true a client that cannot
be had is a failure; elsewhere it is a warning, and the tests that need it say why they were skipped.
"""

import argparse
import fcntl
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
EDITIONS = ("pinned", "newest")
NPM_TIMEOUT = 600.0


@dataclass(frozen=True, slots=True)
class Client:
    """One client. `package` and `release` are what npm calls this platform's binary; `binary` is a glob below it."""

    name: str
    pinned: str
    package: str
    release: str
    binary: str


# One vendor publishes a package per platform, the other a version per platform.
CLIENTS = (
    Client(
        name="claude-code",
        pinned="2.1.197",
        package="@anthropic-ai/claude-code-{platform}",
        release="{version}",
        binary="claude",
    ),
    Client(
        name="codex",
        pinned="0.166.0",
        package="@openai/codex",
        release="{version}-{platform}",
        binary="vendor/*/bin/codex",
    ),
)

PLATFORMS = {
    ("linux", "x86_64"): "linux-x64",
    ("linux", "aarch64"): "linux-arm64",
    ("darwin", "x86_64"): "darwin-x64",
    ("darwin", "arm64"): "darwin-arm64",
}


class Missing(Exception):
    """A client cannot be had; the message is one line that says why."""


# --- where things are ---------------------------------------------------------------------------------------------


def find_cache() -> Path:
    """The folder that holds the clients; never inside the repository, which a clean checkout would throw away."""
    if chosen := os.environ.get("THRULINE_CLIENTS"):
        cache = Path(chosen).resolve()
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
        cache = (Path(base) if base.startswith("/") else Path.home() / ".cache") / "thruline-clients"
    if cache == REPOSITORY or REPOSITORY in cache.parents:
        raise Missing(f"THRULINE_CLIENTS={cache} lies inside the repository; choose a folder outside it")
    return cache


def find_platform() -> str:
    """npm's name of this machine, such as `linux-x64`."""
    machine = (sys.platform, platform.machine())
    if machine not in PLATFORMS:
        known = ", ".join(PLATFORMS.values())
        raise Missing(f"no client binary is known for {machine[0]} on {machine[1]} (known: {known})")
    return PLATFORMS[machine]


def find_client(name: str) -> Client:
    """The row of the table with this name."""
    for client in CLIENTS:
        if client.name == name:
            return client
    raise Missing(f"no client {name!r} in the table (there are: {', '.join(c.name for c in CLIENTS)})")


def find_version(client: Client, edition: str, cache: Path) -> str:
    """The version that an edition stands for here; empty where `newest` was never fetched."""
    if edition == "pinned":
        return client.pinned
    if edition != "newest":
        raise Missing(f"no edition {edition!r} (there are: {', '.join(EDITIONS)})")
    try:
        return _newest_note(client, cache).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return ""


def find_binary(client: Client, edition: str, cache: Path) -> Path:
    """The path of a fetched client's binary."""
    version = find_version(client, edition, cache)
    found = version and _find_binary_below(client, _folder(client, version, cache))
    if not found:
        raise Missing(f"{client.name} ({edition}) is not in {cache}; fetch it with: python tools/clients.py")
    return found


def find_editions(client: Client, cache: Path) -> list[str]:
    """The editions worth testing: `newest` only where it is, as far as we know, another version than `pinned`."""
    return [e for e in EDITIONS if e == "pinned" or find_version(client, e, cache) != client.pinned]


def _newest_note(client: Client, cache: Path) -> Path:
    return cache / f"{client.name}.newest"


def _package(client: Client) -> str:
    return client.package.format(platform=find_platform())


def _release(client: Client, version: str) -> str:
    return client.release.format(version=version, platform=find_platform())


def _folder(client: Client, version: str, cache: Path) -> Path:
    return cache / f"{_package(client).removeprefix('@').replace('/', '-')}@{_release(client, version)}"


def _find_binary_below(client: Client, folder: Path) -> Path | None:
    for path in sorted((folder / "node_modules" / _package(client)).glob(client.binary)):
        if path.is_file() and os.access(path, os.X_OK):
            return path
    return None


# --- fetching -----------------------------------------------------------------------------------------------------


def run_npm(arguments: list[str]) -> str:
    """What npm printed; raises `Missing` with npm's own first complaint."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise Missing("npm is not installed; clients come from npm (Debian: apt-get install nodejs npm)")
    try:
        done = subprocess.run(
            [npm, *arguments, "--loglevel=error", "--fetch-retries=2"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=NPM_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Missing(f"npm {arguments[0]} gave no answer within {NPM_TIMEOUT:.0f} s") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise Missing(f"npm {arguments[0]} failed: {lines[0] if lines else f'exit {done.returncode}'}")
    return done.stdout


def read_newest(client: Client) -> str:
    """The newest version that npm offers."""
    version = run_npm(["view", _package(client), "version"]).strip()
    if not version:
        raise Missing(f"npm knows no version of {_package(client)}")
    return version


def fetch(client: Client, version: str, cache: Path) -> bool:
    """Has this version in the cache; False where it was there already. A half-fetched client is never visible."""
    folder = _folder(client, version, cache)
    if _find_binary_below(client, folder):
        return False
    unfinished = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=cache))
    try:
        package = f"{_package(client)}@{_release(client, version)}"
        # No install scripts: the package already holds the binary, and nothing else of it needs to run here.
        run_npm(["install", "--prefix", str(unfinished), "--ignore-scripts", "--no-audit", "--no-fund", package])
        binary = _find_binary_below(client, unfinished)
        if binary is None:
            raise Missing(f"{package} holds no executable {client.binary}")
        check_version(binary, version)
        shutil.rmtree(folder, ignore_errors=True)
        unfinished.rename(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return True


def check_version(binary: Path, version: str) -> None:
    """Raises `Missing` unless the binary starts on this machine and says that it is `version`."""
    with tempfile.TemporaryDirectory(prefix="thruline-client-") as home:
        try:
            done = subprocess.run(
                [str(binary), "--version"],
                env={"HOME": home, "PATH": os.environ.get("PATH", os.defpath)},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Missing(f"{binary.name} {version} does not start: {error}") from None
    if done.returncode or version not in done.stdout:
        said = (done.stdout or done.stderr).strip().splitlines()
        raise Missing(f"{binary.name} should be {version} but says {said[0] if said else f'exit {done.returncode}'!r}")


def fetch_edition(client: Client, edition: str, cache: Path) -> str:
    """Has one edition in the cache and returns a line about it."""
    remark = ""
    if edition == "pinned":
        version = client.pinned
    else:
        try:
            version = read_newest(client)
        except Missing as error:
            # Without npm the newest one fetched before still says more than none.
            version = find_version(client, edition, cache)
            if not version:
                raise
            remark = f"  (as of an earlier run: {error})"
    started = time.monotonic()
    fetched = fetch(client, version, cache)
    if edition == "newest":
        _write_note(_newest_note(client, cache), version)
    how = f"fetched in {time.monotonic() - started:.1f} s" if fetched else "was there"
    return f"{client.name:12} {edition:7} {version:10} {how}  {find_binary(client, edition, cache)}{remark}"


def _write_note(path: Path, text: str) -> None:
    new = path.with_name(path.name + ".new")
    new.write_text(text + "\n", encoding="utf-8")
    new.replace(path)


@contextmanager
def hold_cache(cache: Path) -> Iterator[None]:
    """Only one process changes the cache at a time; the lock goes with its holder, however that ends."""
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / ".lock").open("w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"Another run is fetching clients into {cache}; waiting for it.", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        for left in cache.glob(".unfinished-*"):
            shutil.rmtree(left, ignore_errors=True)
        yield


# --- the command --------------------------------------------------------------------------------------------------


def is_required() -> bool:
    """Whether a missing client is a failure: in CI it is."""
    return os.environ.get("CI", "").lower() in ("true", "1")


def fetch_all() -> int:
    """Fetches every edition of every client, tells about each, and returns the exit code."""
    missing = []
    cache = find_cache()
    with hold_cache(cache):
        for client in CLIENTS:
            for edition in EDITIONS:
                try:
                    print(fetch_edition(client, edition, cache), flush=True)
                except Missing as error:
                    missing.append(f"{client.name} {edition}: {error}")
    for line in missing:
        print(f"{'MISSING' if is_required() else 'warning:'} {line}", file=sys.stderr)
    if missing and not is_required():
        print("warning: the tests that need these clients will be skipped", file=sys.stderr)
    return 1 if missing and is_required() else 0


def print_path(wanted: str) -> int:
    """Prints the binary of `name@edition`."""
    name, _, edition = wanted.partition("@")
    print(find_binary(find_client(name), edition or "pinned", find_cache()))
    return 0


def main() -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description="Fetch the clients that the suite drives.")
    parser.add_argument("--path", metavar="NAME@EDITION", help="print one binary's path instead")
    arguments = parser.parse_args()
    try:
        return print_path(arguments.path) if arguments.path else fetch_all()
    except Missing as error:
        print(error, file=sys.stderr)
        return 1 if arguments.path or is_required() else 0


if __name__ == "__main__":
    sys.exit(main())
