"""Records that other files of a session gave already, and what they said there.

An id alone does not make a copy: a session that went on in two places counts on in both, and two different records get
the same number. So the other file is asked, which costs something only where a session has several files. The side it
errs on: what cannot be read there is told again.
"""

from thruline.harnesses.lines import HUGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from thruline.harnesses.lines import Lines


class Elsewhere:
    """The records of files that were read before: `key in it`, and whether one says the same (`find`)."""

    __slots__ = ("_files",)

    def __init__(self) -> None:
        self._files: list[tuple[dict[int, list[int]], Lines]] = []

    def add(self, records: "Iterable[tuple[int, int]]", lines: "Lines") -> None:
        """Takes in a file that was read to its end: (key, line) of its records, several of which may share a key."""
        places: dict[int, list[int]] = {}
        for key, line in records:
            places.setdefault(key, []).append(line)
        self._files.append((places, lines))

    def __bool__(self) -> bool:
        return bool(self._files)

    def __contains__(self, key: object) -> bool:
        return any(key in places for places, _ in self._files)

    def find(self, key: int, size: int, agree: "Callable[[bytes], bool]") -> bool:
        """Whether a record of this key, which `agree` is asked about, says what a line of `size` bytes says here."""
        for places, lines in self._files:
            for line in places.get(key, ()):
                try:
                    same = lines.size_of(line) == size if size > HUGE else agree(lines.read_again(line) or b"")
                except OSError:
                    continue
                if same:
                    return True
        return False
