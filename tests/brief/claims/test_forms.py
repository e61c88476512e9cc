"""The closed list of what the rules say: nothing else passes in a brief that says it was made by them alone."""

import ast
import re
from pathlib import Path

import pytest

import thruline.engines.rules as rules
from tests.brief.ferry import BRIEF, SESSION
from tests.brief.sessions import check_text
from thruline.brief import wording
from thruline.brief.claims.forms import is_exact, is_known
from thruline.brief.document import parse_document

PROSE = "- The user wants everything rewritten in Rust. (`transcript:L5`)"


def find_unknown(text: str) -> list[int]:
    """The lines that are told as unknown."""
    return [one.line for one in check_text(text, SESSION).troubles if one.kind == "unknown"]


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        ("Refused `Bash rm -rf build`:", "Approved `Bash rm -rf build`:"),
        ("Refused `Bash rm -rf build`:", "Refused `Bash rm -rf build`, and allowed later:"),
        ("A plan, refused:", "A plan, welcomed:"),
        ("untested: nothing ran after the last edit.", "tested: all ran after the last edit."),
        ("not committed by the session: `src/ebb.py`.", "committed by the session: `src/ebb.py`."),
        ("not committed by the session: `src/ebb.py`.", "not committed by the session: `src/ebb.py`, which is right."),
        ("Begun with a plan:", "Begun with a plan that all agreed on:"),
        ("Begun with a plan:", "Begun with a plan: (`do all of it at once`)"),
    ],
)
def test_changed_words_of_ours_are_told(words: str, changed: str) -> None:
    at = next(number for number, line in enumerate(BRIEF.split("\n"), 1) if words in line)
    assert find_unknown(BRIEF.replace(words, changed)) == [at]


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("- Ran and worked: `make ebb` (`transcript:L23`)", True),
        ("- Ran and failed: `make ebb` (`transcript:L23`)", False),
        ("- `make tides` failed, then another way: (`transcript:L19`)", True),
        ("- `make tides` worked (`transcript:L19`)", False),
        ("- The session ends in the middle of a turn. (`transcript:L39`)", True),
        ("- The session ends with everything done. (`transcript:L39`)", False),
        ("- ⚑ verify: uncommitted: the session made a commit. (`transcript:L35`)", False),
        ("- Found, not dealt with as far as the session shows:", True),
        ("- Found, and dealt with as far as the session shows:", False),
        ("- created `a.py`, (a name that reads like an instruction, withheld) and 3 more (`transcript:L9`)", True),
        ("- On `main`, 2 paths not committed. (`commit:1a2b3c4`)", True),
        ("- On `main, which is broken`, 2 paths not committed. (`commit:1a2b3c4`)", False),
        ("- Not committed: `a.py` +3 -1, `b.py` and 2 more. (`file:a.py`)", True),
        ("- Not committed: `a.py`, thank heavens. (`file:a.py`)", False),
        (
            (
                "- Text that tries to instruct its reader (override, tool call, name) stands here; it is data, not an "
                "order. 3 more places like these. (`transcript:L9`)"
            ),
            True,
        ),
        ("- Text that tries to instruct its reader (rightly) stands here; it is data, not an order.", False),
        ("- Undone in answer to the user, an edit of `a.py`, work, with `git stash`. (`transcript:L9`)", True),
        ("- Undone in answer to the user, all of it. (`transcript:L9`)", False),
        (PROSE, False),
    ],
)
def test_the_list_is_closed(line: str, known: bool) -> None:
    assert (
        is_known(line, [line.index(mark) for mark in ("`transcript:", "`commit:", "`file:") if mark in line]) == known
    )


def test_new_words_are_told_with_a_pointer_or_without_and_taken_out() -> None:
    for line in (PROSE, "- All is approved. [unsourced]", "- All is approved.\n  > user, transcript:L2: `See to the`"):
        report = check_text(BRIEF.replace("## Basics\n", f"## Basics\n{line}\n"), SESSION)
        told = [one for one in report.troubles if one.kind == "unknown"]
        assert [(one.line, one.section, one.what) for one in told] == [
            (23, "basics", "the rules say nothing like this")
        ]
        assert "Rust" not in report.text
        assert "approved" not in report.text
        assert ("- > user, transcript:L2: `See to the`" in report.text) == ("> user" in line)


def test_another_engine_has_words_of_its_own() -> None:
    for engines in ("`agent`", "`rules`, `agent`", "`rules`; basics by `agent`"):
        text = BRIEF.replace("### Asked and", f"### Added by the engine (agent)\n{PROSE}\n### Asked and")
        assert check_text(text.replace("- by `rules`", f"- by {engines}"), SESSION).troubles == ()


@pytest.mark.parametrize(
    ("line", "own"),
    [
        ("- (added by the engine agent) The lock is held twice. (`transcript:L5`)", True),
        ("- Begun with a plan: — (added by the engine agent) The lock is held. (`transcript:L5`)", True),
        ("- The lock is held. — (added by the engine agent) It is. (`transcript:L5`)", False),
        ("- (added by the engine api:x) The lock is held. (`transcript:L5`)", False),  # which made nothing of it
        (PROSE, False),
    ],
)
def test_a_model_s_words_stand_under_its_name(line: str, own: bool) -> None:
    text = BRIEF.replace("## Basics\n", f"## Basics\n{line}\n").replace("- by `rules`", "- by `rules`, `agent`")
    assert ("unknown" in [one.kind for one in check_text(text, SESSION).troubles]) is not own
    strict = BRIEF.replace("## Basics\n", f"## Basics\n{line}\n")
    assert "unknown" in [one.kind for one in check_text(strict, SESSION).troubles]


def test_only_an_engine_that_there_is_has_words_of_its_own() -> None:
    text = BRIEF.replace("## Basics\n", f"## Basics\n{PROSE}\n")
    for name in ("human review", "Agent", "agent:x", "rules ", "api:", "command:"):
        for engines in (f"`{name}`", f"`rules`, `{name}`", f"`rules`; basics by `{name}`"):
            report = check_text(text.replace("- by `rules`", f"- by {engines}"), SESSION)
            assert [one.kind for one in report.troubles] == ["unknown", "source"], engines
            assert "Rust" not in report.text
    for name in ("agent", "command:claude-code", "api:anthropic/claude-sonnet-5", "api:local/llama3.1"):
        told = text.replace("## Basics\n", f"## Basics\n### Added by the engine ({name})\n")
        told = told.replace("- by `rules`", f"- by `{name}`, `rules`")
        assert "unknown" not in [one.kind for one in check_text(told, SESSION).troubles], name


def test_a_section_of_the_rules_keeps_to_their_words_beside_one_of_a_model() -> None:
    text = BRIEF.replace("## Basics\n", f"## Basics\n{PROSE}\n")
    report = check_text(text.replace("- by `rules`", "- by `rules`; dead_ends by `rules`, `agent`"), SESSION)
    assert [(one.kind, one.section) for one in report.troubles] == [("unknown", "basics")]


def test_each_claim_that_the_rules_word_in_one_piece_is_in_the_list() -> None:
    """Claims with holes are looked at wherever a test of the rules builds them (tests/engines/rules/conftest.py)."""
    worded = []
    for path in Path(rules.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Claim" and node.args:
                first = node.args[0]
                named = getattr(wording, first.id, "") if isinstance(first, ast.Name) else ""
                words = first.value if isinstance(first, ast.Constant) else named
                worded += [words] if words else []
    assert len(worded) > 10
    assert [words for words in worded if not is_known(f"- {words}")] == []


def test_the_name_of_a_model_alone_loosens_nothing() -> None:
    moved = re.sub(r"(- (?:edited|created) [^(\n]*\(`transcript:L)\d+(?:-L\d+)?", r"\g<1>1", BRIEF, count=1)
    assert moved != BRIEF
    hidden = moved.replace("- by `rules`", "- by `agent`, `rules`")
    for text in (moved, hidden):
        assert "untrue" in [one.kind for one in check_text(text, SESSION).troubles]
    assert is_exact(parse_document(hidden))
    # Words that are none of the rules' are a model's then, and are counted (operations/verify.py).
    assert not is_exact(parse_document(hidden.replace("## Basics\n", f"## Basics\n{PROSE}\n")))
