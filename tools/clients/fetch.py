"""How a client gets into the cache: from npm, whole or not at all, one process at a time."""

import fcntl
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.clients.table import (
    Client,
    Missing,
    build_folder,
    build_note_path,
    build_package,
    build_release,
    find_binary,
    find_binary_below,
    find_version,
)

NPM_TIMEOUT = 600.0


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
    version = run_npm(["view", build_package(client), "version"]).strip()
    if not version:
        raise Missing(f"npm knows no version of {build_package(client)}")
    return version


def fetch(client: Client, version: str, cache: Path) -> bool:
    """Has this version in the cache; False where it was there already. A half-fetched client is never visible."""
    folder = build_folder(client, version, cache)
    if find_binary_below(client, folder):
        return False
    unfinished = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=cache))
    try:
        package = f"{build_package(client)}@{build_release(client, version)}"
        # No install scripts: the package already holds the binary, and nothing else of it needs to run here.
        run_npm(["install", "--prefix", str(unfinished), "--ignore-scripts", "--no-audit", "--no-fund", package])
        binary = find_binary_below(client, unfinished)
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
        _write_note(build_note_path(client, cache), version)
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
