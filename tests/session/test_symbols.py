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
