"""Which clients there are, and where each of them lies on this machine."""

import os
import platform
import sys
from dataclasses import dataclass
from pathlib import Path

from thruline.harnesses.registry import HARNESSES

REPOSITORY = Path(__file__).resolve().parents[2]
EDITIONS = ("pinned", "newest")


@dataclass(frozen=True, slots=True)
class Client:
    """One client. `package` and `release` are what npm calls this platform's binary; `binary` is a glob below it."""

    name: str
    pinned: str
    package: str
    release: str
    binary: str


# `{npm}` is the registry's name for it. One vendor publishes a package per platform, the other a version per platform.
CLIENTS = (
    Client(
        name="claude-code",
        pinned="2.1.197",
        package="{npm}-{platform}",
        release="{version}",
        binary="claude",
    ),
    Client(
        name="codex",
        pinned="0.166.0",
        package="{npm}",
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
        return build_note_path(client, cache).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return ""


def find_binary(client: Client, edition: str, cache: Path) -> Path:
    """The path of a fetched client's binary."""
    version = find_version(client, edition, cache)
    found = version and find_binary_below(client, build_folder(client, version, cache))
    if not found:
        raise Missing(f"{client.name} ({edition}) is not in {cache}; fetch it with: python -m tools.clients")
    return found


def find_editions(client: Client, cache: Path) -> list[str]:
    """The editions worth testing: `newest` only where it is, as far as we know, another version than `pinned`."""
    return [e for e in EDITIONS if e == "pinned" or find_version(client, e, cache) != client.pinned]


def build_note_path(client: Client, cache: Path) -> Path:
    """Where the newest version that was fetched is written down."""
    return cache / f"{client.name}.newest"


def build_package(client: Client) -> str:
    """npm's name of the package for this machine."""
    (npm,) = [each.npm for each in HARNESSES if each.name == client.name]
    return client.package.format(npm=npm, platform=find_platform())


def build_release(client: Client, version: str) -> str:
    """npm's name of a version for this machine."""
    return client.release.format(version=version, platform=find_platform())


def build_folder(client: Client, version: str, cache: Path) -> Path:
    """Where a version of a client lies."""
    return cache / f"{build_package(client).removeprefix('@').replace('/', '-')}@{build_release(client, version)}"


def find_binary_below(client: Client, folder: Path) -> Path | None:
    """The executable of a client that npm put into `folder`; None where there is none."""
    for path in sorted((folder / "node_modules" / build_package(client)).glob(client.binary)):
        if path.is_file() and os.access(path, os.X_OK):
            return path
    return None


def is_required() -> bool:
    """Whether a missing client is a failure: in CI it is."""
    return os.environ.get("CI", "").lower() in ("true", "1")
