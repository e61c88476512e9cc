"""What is asked of pages, tried on small trees; and this repository's own."""

from pathlib import Path

import pytest

from tools.docs.__main__ import ROOT, check_pages, find_files

DECISION = "# A\n\nThe question.\n"
FORMAT = "# A\n\nSchema version 1.\n\n## Place\n\nhere\n\n## Fields\n\n- a\n\n## Example\n\n```\na\n```\n"


def check(root: Path, files: dict[str, str]) -> list[str]:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return check_pages(root, sorted(files))


def test_a_tidy_tree_has_no_problem(tmp_path: Path) -> None:
    files = {
        "README.md": "[a](docs/a.md) [b](docs/a.md#part) [c](https://example.org/x) [d](#here) `[e](gone.md)`\n",
        "docs/a.md": "[up](../README.md)\n\n```\n[f](gone.md)\n```\n",
        "docs/design/README.md": "- [one](0001-a.md)\n- [two](0002-b.md)\n",
        "docs/design/0001-a.md": DECISION,
        "docs/design/0002-b.md": DECISION,
        "docs/formats/a.md": FORMAT,
        "changes/a-thing.added.md": "Thruline now does a thing.\n",
        "changes/README.md": "How\n",
    }
    assert check(tmp_path, files) == []


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.md", "x\n[b](gone.md)\n", "a.md:2: the link gone.md leads nowhere"),
        ("docs/a.md", "[b](/README.md)", "leads nowhere"),
        ("changes/a.news.md", "It works.", "a fragment is named"),
        ("changes/a.md", "It works.", "a fragment is named"),
        ("changes/a.fixed.md", "refactor packet", "full sentences"),
        ("docs/design/first.md", DECISION, "a decision is named NNNN-title.md"),
        ("docs/design/0001-a.md", DECISION, "is not listed in docs/design/README.md"),
        ("docs/design/0001-a.md", "x\n" * 61, "61 lines; a decision fits one screen"),
        ("docs/design/0002-a.md", DECISION, "no decision has the number 0001"),
        ("docs/formats/a.md", FORMAT.replace("Schema version 1.", ""), "a schema version"),
        ("docs/formats/a.md", FORMAT.replace("## Place", ""), "its place"),
        ("docs/formats/a.md", FORMAT.replace("## Fields", ""), "its fields"),
        ("docs/formats/a.md", FORMAT.replace("```", ""), "an example"),
    ],
)
def test_an_untidy_page_is_told_with_its_name(tmp_path: Path, name: str, text: str, said: str) -> None:
    problems = check(tmp_path, {name: text})
    assert any(said in problem for problem in problems), problems


def test_two_decisions_with_one_number_are_told(tmp_path: Path) -> None:
    index = {"docs/design/README.md": "[a](0001-a.md) [b](0001-b.md)"}
    pages = {"docs/design/0001-a.md": DECISION, "docs/design/0001-b.md": DECISION}
    assert check(tmp_path, index | pages) == ["docs/design/0001-b.md: number 0001 is taken by 0001-a.md"]


# Written in pieces, so that this file itself names none of them.
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("see /wo" + "rk/main/x.py", "a path of one machine"),
        ('path = "/ro' + 'ot/.config"', "a path of one machine"),
        ("cp /ho" + "me/jsmith/x .", "someone's home"),
        ("cp /Us" + "ers/jsmith/x .", "someone's home"),
        ("cat /tm" + "p/build/x", "a scratch path"),
        ("pip install --index" + "-url x", "a package index"),
        ("https://registry" + ".corp.example/npm/", "a package index"),
    ],
)
def test_a_trace_of_a_machine_is_told_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    assert check(tmp_path, {"tool.py": "\n" + text + "\n"}) == [f"tool.py:2: names {said}"]


@pytest.mark.parametrize(
    "text", ["https://example.org/wo" + "rk/x", "a/ro" + "ot/b", "~/wo" + "rk/x", "/home/user/x", "$HOME/x", "/home/"]
)
def test_places_that_are_no_one_in_particular_are_fine(tmp_path: Path, text: str) -> None:
    assert check(tmp_path, {"tool.py": text}) == []


def test_tests_may_name_a_scratch_path(tmp_path: Path) -> None:
    assert check(tmp_path, {"tests/a.py": "/tm" + "p/x"}) == []


def test_the_folder_of_the_clone_is_a_trace(tmp_path: Path) -> None:
    problems = check(tmp_path, {"a.txt": f"at {tmp_path.resolve()}"})
    assert "a.txt:1: names the folder of this clone" in problems


def test_bytes_that_are_no_text_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"\xff\xfe /wo" + b"rk/x")
    assert check_pages(tmp_path, ["a.bin"]) == []


def test_the_pages_of_this_repository_are_tidy() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    assert check_pages(ROOT, find_files(ROOT)) == []
