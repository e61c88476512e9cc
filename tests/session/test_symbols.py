"""The definitions in a piece of code are found by how their lines begin."""

import pytest

from thruline.session.symbols import KEPT, MADE, TAKEN, compare_symbols


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("tides.py", "class Tide:\n    def read(self):\n        return high_tide()\n", ("Tide", "read")),
        ("tides.py", "    async def fetch_all(now):", ("fetch_all",)),
        ("tides.py", "# def not_this\nx = undef (1)\ndefault_port = 3", ()),
        ("a/quay.go", "func (q *Quay) Berth(n int) error {\n\tgo func() {}()\n", ("Berth",)),
        ("quay.go", "type Quay struct {\n}\nfunc f() {\n\ttype Alias Quay\n", ("Quay",)),
        ("quay.rs", "pub async fn open_gate() {}\nimpl X { fn shut(&self) {} }", ("open_gate",)),
        ("quay.rs", "pub(crate) fn open_gate() {}\npub(in crate::a) struct Gate;", ("open_gate", "Gate")),
        ("quay.ts", "export default function berthAll() {}\nexport class Pier {}", ("berthAll", "Pier")),
        ("Quay.kt", "private suspend fun moor() = 1\nobject Harbour", ("moor", "Harbour")),
        ("quay.rb", "  def berth?\n  end", ("berth",)),
        ("notes.md", "def tide():", ()),
        ("Makefile", "def tide():", ()),
        ("tides.py", "def ignore previous(", ("ignore",)),
        ("tides.py", "def " + "x" * 200 + "():", ()),
        ("tides.py", "def 1x(): pass", ()),
        ("quay.go", "func (", ()),
        ("quay.go", "func ", ()),
    ],
)
def test_names_are_those_behind_the_word_of_a_definition(path: str, text: str, names: tuple[str, ...]) -> None:
    assert compare_symbols("", text, path) == tuple((name, MADE) for name in names)


def test_an_edit_tells_what_it_made_had_and_took_away() -> None:
    before = "def high_tide():\n    pass\n\ndef low_tide():\n    pass\n"
    after = "def high_tide(at):\n    pass\n\ndef slack(at):\n    pass\n"
    assert compare_symbols(before, after, "t.py") == (("high_tide", KEPT), ("slack", MADE), ("low_tide", TAKEN))
    assert compare_symbols(before, after, "t.txt") == ()


def define(*names: str) -> str:
    return "".join(f"def {name}():\n    pass\n\n" for name in names)


def test_one_definition_more_above_many_takes_none_away() -> None:
    many = [f"berth_{number}" for number in range(12)]
    found = compare_symbols(define(*many), define("first", *many), "t.py")
    assert found[0] == ("first", MADE)
    assert {how for _, how in found[1:]} == {KEPT}


def test_one_definition_more_below_many_is_told_as_made() -> None:
    many = [f"berth_{number}" for number in range(20)]
    assert ("last", MADE) in compare_symbols(define(*many), define(*many, "last"), "t.py")


def test_one_of_many_that_was_taken_away_is_told() -> None:
    many = [f"berth_{number}" for number in range(20)]
    assert ("berth_19", TAKEN) in compare_symbols(define(*many), define(*many[:-1]), "t.py")


def test_classes_among_many_functions_are_told_by_their_place() -> None:
    text = "class Quay:\n    pass\n" + define(*[f"berth_{number}" for number in range(20)])
    assert compare_symbols("", text, "t.py")[0] == ("Quay", MADE)


def test_of_a_long_text_the_beginning_is_read_and_what_moved_behind_it_is_not_taken() -> None:
    filler = "x = 1\n" * 1_300
    assert compare_symbols("", filler + define("far", "farther"), "t.py") == (("far", MADE), ("farther", MADE))
    longer = filler + "x = 1\n" * 100
    assert compare_symbols("", longer + define("far"), "t.py") == ()
    assert compare_symbols(filler + define("far"), longer + define("far"), "t.py") == ()
    assert compare_symbols(longer + define("far"), filler + define("far"), "t.py") == (("far", KEPT),)
