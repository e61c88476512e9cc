"""Text into the clipboard, by the system's own program; we keep none of our own."""

import os
import subprocess
import sys
from collections.abc import Mapping

from thruline.errors import NotFound, ThrulineError
from thruline.harnesses.registry import find_program

_SECONDS = 10.0
# (program, its arguments, the variable without which it has nowhere to put the text)
_PROGRAMS: dict[str, tuple[tuple[str, tuple[str, ...], str], ...]] = {
    "darwin": (("pbcopy", (), ""),),
    "win32": (("clip", (), ""),),
    "linux": (
        ("wl-copy", (), "WAYLAND_DISPLAY"),
        ("xclip", ("-selection", "clipboard"), "DISPLAY"),
        ("xsel", ("--clipboard", "--input"), "DISPLAY"),
        ("clip.exe", (), "WSL_DISTRO_NAME"),
        ("termux-clipboard-set", (), ""),
    ),
}


def copy_text(text: str) -> str:
    """Puts `text` into the clipboard; the program that took it."""
    words = find_clipboard(sys.platform, os.environ)
    try:
        # These programs stay behind to answer for the clipboard: nothing of ours is left open in them.
        done = subprocess.run(
            words,
            input=text.encode("utf-8", "replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            start_new_session=True,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ThrulineError("The clipboard did not take the text.", where=words[0], next="leave --copy out") from error
    if done.returncode:
        raise ThrulineError(f"{os.path.basename(words[0])} failed.", where=words[0], next="leave --copy out")
    return os.path.basename(words[0])


def find_clipboard(platform: str, env: Mapping[str, str]) -> list[str]:
    """The command that fills the clipboard here; NotFound where there is none."""
    known = _PROGRAMS.get(platform, _PROGRAMS["linux"])
    for name, arguments, variable in known:
        program = find_program((name,), env) if not variable or env.get(variable) else ""
        if program:
            return [program, *arguments]
    names = ", ".join(name for name, _, _ in known)
    raise NotFound(
        "This system has no clipboard that we can reach.",
        where=f"looked for {names}",
        next="leave --copy out, and copy from the terminal",
    )
