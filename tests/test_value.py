"""Values that are cheap to define behave as dataclasses do."""

import copy
import dataclasses
import pickle
import subprocess
import sys

import pytest

from thruline.value import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Place:
    """Where."""

    line: int
    name: str = "here"

    @property
    def shown(self) -> str:
        return f"{self.name}:{self.line}"


@dataclass(frozen=True, slots=True)
class One:
    only: str


@dataclass(slots=True)
class Growing:
    start: int
    found: list[int] = field(default_factory=list)
    size: int = 0

    def __post_init__(self) -> None:
        self.size = self.start * 2


@dataclass(frozen=True, slots=True)
class Taken:
    words: str
    whole: str = field(default="", compare=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Real:
    line: int
    name: str = "here"


def test_it_is_made_compared_hashed_and_shown_as_a_dataclass_is() -> None:
    assert Place(3) == Place(line=3, name="here")
    assert Place(3) != Place(4)
    assert Place(3) != Real(3)
    assert len({Place(3), Place(3), Place(4)}) == 2
    assert repr(Place(3)) == repr(Real(3)).replace("Real", "Place")
    assert Place(3).shown == "here:3"
    assert Place.__doc__ == "Where."
    assert One("a") == One("a") != One("b")
    with pytest.raises(TypeError):
        Place()  # type: ignore[call-arg]


def test_what_is_no_part_of_a_value_makes_no_difference_and_goes_with_it() -> None:
    one = Taken("a", "the whole")
    assert one == Taken("a")
    assert hash(one) == hash(Taken("a"))
    assert one != Taken("b")
    assert [each.whole for each in (one, replace(one, words="b"), pickle.loads(pickle.dumps(one)))] == ["the whole"] * 3
    assert Taken("a").whole == ""
    assert [each.compare for each in dataclasses.fields(one)] == [True, False]


def test_a_frozen_value_cannot_be_changed_and_no_name_can_be_added() -> None:
    for change in (lambda one: setattr(one, "line", 4), lambda one: delattr(one, "line")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            change(Place(3))
    with pytest.raises(AttributeError):
        Growing(1).other = 1  # type: ignore[attr-defined]


def test_a_default_is_made_anew_for_each_value_and_the_value_may_finish_itself() -> None:
    first, second = Growing(1), Growing(2)
    first.found.append(7)
    assert (second.found, second.size) == ([], 4)
    assert Growing(1, found=[1]).found == [1]
    with pytest.raises(TypeError):
        hash(first)


def test_it_survives_pickling_and_copying() -> None:
    for value in (Place(3, "there"), One("a"), Growing(2, [5])):
        assert pickle.loads(pickle.dumps(value)) == copy.copy(value) == value


def test_it_is_a_dataclass_to_whoever_asks() -> None:
    assert replace(Place(3), name="there") == dataclasses.replace(Place(3), name="there") == Place(3, "there")
    assert dataclasses.is_dataclass(Place)
    assert dataclasses.asdict(Place(3)) == {"line": 3, "name": "here"}
    assert [each.name for each in dataclasses.fields(Growing)] == ["start", "found", "size"]
    assert dataclasses.fields(Growing)[1].default_factory is list
    match Place(3):
        case Place(line, name):
            assert (line, name) == (3, "here")


def test_defining_one_imports_neither_dataclasses_nor_inspect() -> None:
    code = "import sys\nfrom thruline.value import dataclass\n"
    code += "@dataclass(frozen=True)\nclass A:\n x: int = 1\nA(2) == A()\n"
    code += "print({'dataclasses', 'inspect', 'typing', 're'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
