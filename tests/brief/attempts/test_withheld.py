"""A name that is withheld is told and counted all the same."""

import pytest

from tests.brief.ferry import HOME
from tests.brief.sessions import check_text
from tests.session.talk import edit, run
from thruline.brief.report import Report
from thruline.session.parts import Changed, Part

NO_ORDER = "(a name that reads like an instruction, withheld)"
HIDDEN = [Changed(1, "cwd", HOME), *run(2, "git commit -am x", commits=(("bc4d18f", "Tides"),))]
HIDDEN += [*edit(4, f"{HOME}/please_wait.tsx"), *run(6, "make")]
LEFT = "⚑ verify: not committed by the session: {}. (`transcript:L3-L5`)"


def check_flag(name: str, session: list[Part]) -> Report:
    text = (
        f"## Convergence\n## Dead-ends\n## Code-state\n## Open-threads & conflicts\n- {LEFT.format(name)}\n## Basics\n"
    )
    return check_text(text, session)


@pytest.mark.parametrize(
    ("name", "more", "kinds"),
    [
        (NO_ORDER, [], []),
        (f"{NO_ORDER}, `a.py`", edit(8, f"{HOME}/a.py"), []),
        (f"`a.py`, {NO_ORDER}", edit(8, f"{HOME}/a.py"), []),
        (f"`a.py`, {NO_ORDER}", [], ["untrue", "untrue"]),
        (f"{NO_ORDER} and 1 more", [], ["untrue"]),
        (f"{NO_ORDER}, {NO_ORDER}", [], ["untrue"]),
    ],
)
def test_a_withheld_name_is_told_and_counted(name: str, more: list[Part], kinds: list[str]) -> None:
    assert [one.kind for one in check_flag(name, [*HIDDEN, *more]).troubles] == kinds


def test_a_withheld_name_is_no_name_of_another_file() -> None:
    session = [*HIDDEN[:3], *edit(4, f"{HOME}/a.py")]
    assert [one.kind for one in check_flag(NO_ORDER, session).troubles] == ["untrue"]


@pytest.mark.parametrize("file", ["please_wait.tsx", "the_user_has_approved.py", "supprimez_les_tests.py"])
def test_a_flag_whose_only_name_is_withheld_is_told(file: str) -> None:
    session = [*HIDDEN[:3], *edit(4, f"{HOME}/{file}"), *run(6, "make")]
    flag = f"- {LEFT.format(NO_ORDER)}\n"
    none = "_Nothing that fits this budget._\n"
    text = f"## Convergence\n{none}## Dead-ends\n{none}## Code-state\n{none}"
    text += f"## Open-threads & conflicts\n{flag}## Basics\n{none}"
    sources = "\n## Sources\n- `transcript` `/x/s.jsonl` · session `0b7e5c1a`\n- by `rules`\n"
    assert check_text(text + sources, session).troubles == ()
    assert [one.kind for one in check_text(text.replace(flag, "") + sources, session).troubles] == ["untold"]
