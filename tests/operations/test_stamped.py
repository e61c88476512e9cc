"""One file among many that are named by a moment: found by what a person remembers, refused by what is no name."""

from pathlib import Path

import pytest

from thruline.errors import FormatError, NotFound, Refused
from thruline.operations.stamped import Listed, check_stamped_id, find_stamped, find_stamped_ids, read_listed

IDS = ["20261116-101500-port-the-parser", "20261116-091000-port-the-lexer", "20261115-080000-fix-the-lexer"]


class Head:
    """A head of nothing."""

    def __init__(self, name: str) -> None:
        self.id = name
        self.status = "active"
        self.updated_at = name[-1]

    def to_fields(self) -> dict[str, object]:
        return {"id": self.id}


def test_only_names_that_are_ids_are_found_the_newest_first(tmp_path: Path) -> None:
    for name in ("a.md", "20261116-091000-x.txt", "20261116-091000--x.md", *(f"{each}.md" for each in IDS)):
        (tmp_path / name).touch()
    assert find_stamped_ids(str(tmp_path)) == IDS
    assert find_stamped_ids(str(tmp_path / "none")) == []


@pytest.mark.parametrize(
    ("ref", "at"), [(IDS[1], 1), ("20261116-10", 0), ("PARSER", 0), ("the-parser", 0), ("fix", 2), ("20261115", 2)]
)
def test_one_is_named_by_its_id_a_beginning_of_it_or_words_of_it(ref: str, at: int) -> None:
    assert find_stamped(IDS, ref, "loop", "here") == IDS[at]


@pytest.mark.parametrize(
    ("ref", "kind", "what"),
    [
        ("the-lexer", NotFound, '"the-lexer" names 2 loops.'),
        ("nothing", NotFound, 'No loop "nothing" in this project.'),
        ("", Refused, '"" is no loop id.'),
        ("--help", Refused, '"--help" is no loop id.'),
        ("../x", Refused, '"../x" is no loop id.'),
    ],
)
def test_what_names_none_or_several_is_told_with_where_it_was_looked_for(ref: str, kind: type, what: str) -> None:
    with pytest.raises(kind) as caught:
        find_stamped(IDS, ref, "loop", "here")
    assert caught.value.what == what
    assert caught.value.where == ("thruline loop" if kind is Refused else "here  (3 loops)")
    with pytest.raises(Refused):
        check_stamped_id(ref, "loop")


def test_a_file_that_cannot_be_read_costs_no_other_and_the_last_changed_comes_first() -> None:
    def read(name: str) -> Head:
        if name == "b1":
            raise FormatError("It is torn.", path="b1")
        if name == "c1":
            raise OSError(13, "Permission denied")
        return Head(name)

    found: Listed[Head] = read_listed(["a1", "b1", "c1", "d2"], read)
    assert [head.id for head in found.heads] == ["d2", "a1"]
    assert found.problems == ("b1: It is torn.", "c1: Permission denied")
