"""What a brief may call a file, a folder, a branch or a call: by the last parts of a path, shortened, redacted."""

from collections.abc import Iterator

from thruline.brief.attempts.inert import parse_span
from thruline.brief.claims.names import encode_name, render_call
from thruline.brief.pointer import decode_path
from thruline.brief.quotation.quote import CUT
from thruline.pattern import compile_later
from thruline.redact import redact

REDACTED = compile_later(r"\[redacted:[^\]]*\]")
# How much of a name is shown where: the longest of each.
LENGTHS = (80, 90, 100, 120)


def name_call(about: str) -> set[str]:
    """What a brief may call a call: its path told whole, or from any folder on."""
    tool, _, target = about.partition(" ")
    names = [target]
    if target.startswith("/") and " " not in target:
        folders = target.split("/")
        names += ["/".join(folders[at:]) for at in range(1, len(folders))]
        names.append(f"{CUT}/" + "/".join(folders[-3:]))
    rendered = [render_call(f"{tool} {name}", most) for name in names for most in LENGTHS]
    return {parse_span(one) or "" for one in rendered}


def is_path(shown: str, path: str) -> bool:
    """Whether a brief may call this folder or branch so: a long one lost its beginning."""
    word = encode_name(path)
    return shown == word or (shown.startswith(CUT) and word.endswith(shown[len(CUT) :]))


def is_called(shown: str, path: str) -> bool:
    """The same as `is_named`, "" a name that was withheld, or blank: then the path, from a part on, must be such."""
    if shown:
        return is_named(shown, path)
    parts = path.replace("\\", "/").split("/")
    ends = ["/".join(parts[at:]) for at in range(len(parts))]
    return not all(end.strip() and encode_name(end) for end in ends)


def is_named(shown: str, path: str) -> bool:
    """Whether a brief may call the file at `path` this: by the last parts of the path."""
    whole = "/" + path.replace("\\", "/").removeprefix("./").lstrip("/")
    if is_disguised(shown) and any(shown.removeprefix(f"{CUT}/") == name for name in _name_ends(whole)):
        return True
    if shown.startswith(CUT) and not shown.startswith(f"{CUT}/"):
        # A long name lost its beginning, maybe in the middle of an encoded sign; a short one is shown whole.
        return len(shown) >= min(LENGTHS) and encode_name(whole.rpartition("/")[2]).endswith(
            shown[len(CUT) :].rpartition("/")[2]
        )
    bare = shown.removeprefix(f"{CUT}/")
    for name in (bare, decode_path(bare)):
        name = name.replace("\\", "/")
        if whole.endswith("/" + name.lstrip("/")):
            return True
    pieces = REDACTED.split(bare)
    return len(pieces) > 1 and redact(whole).text != whole and _are_in_order(pieces, whole)


def is_disguised(shown: str) -> bool:
    """Whether a name is not told as the path has it: something in it may be left out or redacted."""
    return CUT in shown or REDACTED.search(decode_path(shown)) is not None


def _name_ends(whole: str) -> Iterator[str]:
    """What each end of a path is called, from any folder on: its secrets are found in it alone."""
    at = whole.find("/")
    while at >= 0:
        if name := encode_name(whole[at + 1 :]):
            yield name
        at = whole.find("/", at + 1)


def _are_in_order(pieces: list[str], text: str) -> bool:
    at = 0
    for piece in pieces:
        at = text.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True
