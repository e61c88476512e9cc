"""Every hook silent, or answering again: a file that the hooks look for."""

import os
from dataclasses import dataclass

from thruline.disk.atomic import make_folders, remove_quietly, write_bytes
from thruline.layout import HookPaths, UserPaths, build_project_key, find_root


@dataclass(frozen=True, slots=True)
class Switched:
    """How it stands now: `on` for the place asked about, `root` empty for everywhere, `also` what else keeps it off."""

    on: bool
    root: str
    changed: bool
    also: str = ""


def switch(user: UserPaths, *, on: bool, here: str = "", env: dict[str, str] | None = None) -> Switched:
    """Switches hooks off or on, in the project of `here` or everywhere."""
    root = find_root(here).path if here else ""
    path = HookPaths(user.state, build_project_key("", root)).off if here else user.off
    was_off = os.path.lexists(path)
    if on:
        remove_quietly(path)
    elif not was_off:
        make_folders(os.path.dirname(path), 0o700)
        write_bytes(path, b"Written by `thruline off`; `thruline on` removes it.\n", mode=0o600)
    also = ""
    if on and (env or {}).get("THRULINE_OFF", "0") not in ("", "0"):
        also = "THRULINE_OFF is set"
    elif on and here and os.path.lexists(user.off):
        also = "they are off everywhere; thruline on"
    return Switched(on, root, was_off == on, also)
