"""Folders of files whose names begin with a moment: how all of them are listed, and how one is named.

Lists import it, so it stands on the quick lane (docs/design/0026-quick-lane.md).
"""

import os

from thruline.artifacts.stamp import END, is_stamped_id
from thruline.errors import NotFound, Refused, ThrulineError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Generic, Protocol, TypeVar

    class Stamped(Protocol):
        """What a list asks of a head, whatever it is the head of."""

        id: str
        status: str
        updated_at: str

        def to_fields(self) -> "dict[str, object]":
            """The head as JSON holds it."""
            ...

    Head = TypeVar("Head", bound=Stamped)
else:
    # The checker alone needs to know whose heads they are; typing costs more than a list may.
    Generic, Head = (object,), 0


class Listed(Generic[Head]):
    """What a list shows of every file, the one changed last first, and why some files are none."""

    __slots__ = ("heads", "problems")

    def __init__(self, heads: "tuple[Head, ...]", problems: "tuple[str, ...]") -> None:
        self.heads = heads
        self.problems = problems


def find_stamped_ids(folder: str) -> "list[str]":
    """The ids of all files in `folder`, newest first; none is opened."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return sorted(filter(is_stamped_id, [name[: -len(END)] for name in names if name.endswith(END)]), reverse=True)


def read_listed(ids: "Sequence[str]", read: "Callable[[str], Head]") -> "Listed[Head]":
    """What `read` makes of each; a file that cannot be read is told and costs no other."""
    heads: list[Head] = []
    problems: list[str] = []
    for each in ids:
        try:
            heads.append(read(each))
        except ThrulineError as error:
            problems.append(f"{each}: {error.what}")
        except OSError as error:
            problems.append(f"{each}: {error.strerror or error}")
    heads.sort(key=lambda head: (head.updated_at, head.id), reverse=True)
    return Listed(tuple(heads), tuple(problems))


def find_stamped(ids: "Sequence[str]", ref: str, word: str, folder: str) -> str:
    """The one of `ids` that `ref` names: an id, the beginning of one, or words of its slug joined by `-`.

    `word` is what such a file is called, `folder` where it was looked for.
    """
    if ref in ids:
        return ref
    if not ref or not all(sign.isascii() and (sign.isalnum() or sign == "-") for sign in ref) or ref[0] == "-":
        raise _refuse(ref, word)
    wanted = ref.lower()
    matches = [one for one in ids if one.startswith(wanted)] or [one for one in ids if f"-{wanted}" in one]
    if len(matches) == 1:
        return matches[0]
    where = f"{folder}  ({render_count(len(ids), word)})"
    if matches:
        shown = ", ".join(matches[:5]) + (", …" if len(matches) > 5 else "")
        raise NotFound(f'"{ref}" names {len(matches)} {word}s.', where=where, next=f"say which: {shown}")
    raise NotFound(f'No {word} "{ref}" in this project.', where=where, next=f"thruline {word} list")


def check_stamped_id(text: str, word: str) -> None:
    """Refused where `text` can name no file."""
    if not is_stamped_id(text):
        raise _refuse(text, word)


def render_count(number: int, word: str) -> str:
    """`1 packet`, `2 packets`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _refuse(text: str, word: str) -> Refused:
    return Refused(f'"{text:.80}" is no {word} id.', where=f"thruline {word}", next=f"thruline {word} list")
