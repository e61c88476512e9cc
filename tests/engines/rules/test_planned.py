"""What a plan set out to do is held against what the session shows."""

import pytest

from tests.engines.rules.talk import build, words
from tests.session.talk import agent, edit, human, run
from thruline.session.parts import Part, Planned, Said

HOME = "/home/dev/shop"
PLAN = """# Plan: tides in the harbour view

## Files to change

1. **`harbour/tides.py`** - compute the tide for a berth
2. `harbour/view.py` - show it beside the name
3. **`docs/harbour.md`** - describe the new column
4. `harbour/legacy.py` - change it if the old view is still used

```python
`harbour/never.py` - stands in code
```

See `harbour/moon.py` for how the moon is computed.

## Verification

1. `make test` passes
2. Run `harbour show --berth 7` and look at the column
3. Check that `harbour list` still works by running the integration tests
4. The loop reads `for berth in berths: show(berth)`
"""
DONE = [*edit(7, f"{HOME}/harbour/tides.py"), *edit(9, f"{HOME}/harbour/view.py")]
RUN = run(13, "harbour show --berth 7")


def told(session: list[Part], room: int = 11_000) -> str:
    return words(build(session, room)["open_threads"])


def begin(plan: str = PLAN) -> list[Part]:
    return [Said(2, "client", "plan", f"Implement the following plan:\n\n{plan}", uuid="p2"), agent(3, "I will.")]


def propose(line: int, plan: str, verdict: str) -> list[Part]:
    return [Planned(line, plan, "proposed", call_id=f"p{line}"), Planned(line + 1, plan, verdict, call_id=f"p{line}")]


def test_a_file_of_the_plan_that_nobody_changed_is_open_with_what_it_was_for() -> None:
    text = told([*begin(), *DONE, *RUN, agent(20, "The view shows the tide.")])
    assert "planned, not changed as far as the session shows:" in text
    assert "**`docs/harbour.md`** - describe the new column" in text
    for other in ("tides.py", "view.py", "legacy.py", "never.py", "moon.py"):
        assert other not in text


@pytest.mark.parametrize(
    "later",
    [
        edit(11, f"{HOME}/docs/harbour.md"),
        edit(11, f"{HOME}/docs/harbour_tides.md", "created"),
        run(11, "sed -i s/a/b/ docs/harbour.md"),
        [human(11, "leave docs/harbour.md alone"), agent(12, "I do.")],
    ],
)
def test_a_file_that_anything_later_speaks_of_is_not_told(later: list[Part]) -> None:
    text = told([*begin(), *DONE, *RUN, *later, agent(20, "The view shows the tide.")])
    assert "not changed as far" not in text


def test_a_plan_of_which_hardly_anything_was_done_tells_nothing_of_its_files() -> None:
    text = told([*begin(), *edit(5, f"{HOME}/harbour/tides.py"), *RUN, human(19, "Stop here."), agent(20, "I stop.")])
    assert "not changed as far" not in text


def test_what_a_plan_leaves_as_it_is_is_not_owed() -> None:
    plan = PLAN.replace("describe the new column", "unchanged, for reference")
    assert "not changed as far" not in told([*begin(plan), *DONE, *RUN, agent(20, "Done.")])
    below = PLAN.replace("- describe the new column", "(lines 3-9)\n   - consider a new column")
    assert "not changed as far" not in told([*begin(below), *DONE, *RUN, agent(20, "Done.")])


def test_what_is_to_be_done_stands_in_the_line_below_a_bare_name() -> None:
    below = PLAN.replace("- describe the new column", "(lines 3-9)\n   - describe the new column")
    assert "describe the new column" in told([*begin(below), *DONE, *RUN, agent(20, "Done.")])


def test_a_check_by_hand_that_was_not_run_is_open() -> None:
    text = told([*begin(), *DONE, *run(9, "make test"), agent(20, "The view shows the tide.")])
    assert "planned, not run as far as the session shows:" in text
    assert "Run `harbour show --berth 7` and look at the column" in text
    for other in ("make test", "integration tests", "The loop"):
        assert other not in text


@pytest.mark.parametrize("command", ["harbour show --berth 7", "./bin/harbour show --fast --berth 7 | head"])
def test_a_check_that_was_run_is_not_open(command: str) -> None:
    assert "not run as far" not in told([*begin(), *DONE, *run(9, command), agent(20, "Done.")])


def test_nothing_is_to_be_checked_where_nothing_was_changed() -> None:
    assert "not run as far" not in told([*begin(), agent(20, "I have read it."), human(21, "Wait."), agent(22, "Yes.")])


STEPS = "# Plan: paint the pier\n\nIt is grey.\n\n## 1. Scrape the old paint\n\n## 2. Paint it in two coats\n"


@pytest.mark.parametrize(("verdict", "say"), [("refused", "Last plan, refused;"), ("approved", "Last plan, approved;")])
def test_a_plan_that_nothing_followed_is_open_with_its_steps(verdict: str, say: str) -> None:
    for room in (3_700, 11_000):
        text = told([human(2, "The pier is grey."), *propose(5, STEPS, verdict)], room)
        assert f"{say} nothing was changed since:" in text
        assert "Plan: paint the pier … 1. Scrape the old paint … 2. Paint it in two coats" in text


def test_a_plan_that_nobody_answered_is_open() -> None:
    text = told([human(2, "The pier is grey."), Planned(5, STEPS, "proposed", call_id="p5")])
    assert "Last plan, put to the user, not answered; nothing was changed since:" in text


@pytest.mark.parametrize("later", [edit(9, f"{HOME}/pier.py"), [human(9, "Rather the mole."), agent(10, "The mole.")]])
def test_a_plan_that_something_followed_is_not_told_as_waiting(later: list[Part]) -> None:
    assert "Last plan" not in told([human(2, "The pier is grey."), *propose(5, STEPS, "refused"), *later])


def test_a_plan_without_numbers_is_quoted_from_its_beginning() -> None:
    plan = "# Paint the pier\n\nIt is grey, so we paint it."
    text = told([human(2, "The pier is grey."), *propose(5, plan, "refused")])
    assert "Paint the pier\n\nIt is grey, so we paint it." in text


def test_a_plan_that_was_refused_is_not_owed_once_another_was_carried_out() -> None:
    other = [*propose(9, PLAN, "approved"), *edit(11, f"{HOME}/harbour/tides.py"), *edit(13, f"{HOME}/harbour/view.py")]
    text = told(
        [
            human(2, "Tides?"),
            *propose(5, STEPS, "refused"),
            *other,
            *run(15, "harbour show --berth 7"),
            agent(20, "Done."),
        ]
    )
    assert "describe the new column" in text
    assert "pier" not in text


def test_a_plan_that_was_approved_and_refused_after_all_is_not_owed() -> None:
    taken_back = [*propose(5, PLAN, "approved"), *DONE, *propose(11, PLAN, "refused")]
    text = told([human(2, "Tides?"), *taken_back, *RUN, human(30, "Leave it so."), agent(31, "It stays.")])
    assert "describe the new column" not in text


def test_a_plan_of_nothing_but_code_is_not_told() -> None:
    assert "Last plan" not in told([human(2, "The pier is grey."), *propose(5, "```\npaint()\n```", "refused")])


NAMED = "# Plan\n\n" + "\n".join(
    f"{at}. **{title}** - soon"
    for at, title in enumerate(("Scrape paint", "Order brushes", "Close gangway", "Rig awning", "Hoist lantern"), 1)
)
LANTERN = "\n6. **Repaint nameplate letters** - in gold"
REPORT = "The paint is scraped off, brushes are ordered, the gangway is closed, the awning rigged and the lantern up."


def unspoken(plan: str, *later: Part) -> str:
    return told([*begin(plan), *edit(7, f"{HOME}/pier.py"), *run(9, "ls"), *later, agent(20, REPORT)])


def test_a_step_that_nobody_spoke_of_again_is_told_where_the_others_were_reported() -> None:
    text = unspoken(NAMED + LANTERN)
    assert "planned, not spoken of again, unlike its other steps:" in text
    assert "**Repaint nameplate letters** - in gold" in text
    assert "awning" not in text


@pytest.mark.parametrize(
    "later", [human(11, "what is a nameplate?"), Planned(11, "x", "proposed"), *edit(11, f"{HOME}/nameplates.py")[1:]]
)
def test_a_step_of_which_any_word_stands_in_something_later_is_not_told(later: Part) -> None:
    assert ("unlike its other steps" in unspoken(NAMED + LANTERN, later)) is isinstance(later, Planned)


def test_silence_about_much_of_a_plan_tells_nothing() -> None:
    assert "unlike its other" not in unspoken(NAMED + LANTERN + "\n7. **Varnish rudder stock** - twice")
    assert "unlike its other" not in unspoken(
        NAMED.replace("\n5. **Hoist lantern** - soon", "") + LANTERN.replace("6", "5")
    )
    assert "unlike its other" not in unspoken(NAMED + "\n6. **Repaint** - in gold")


BERTHS = """# Plan: berths

- `harbour/berth.py` - add the depth
- `harbour/quay.py` - use it
- `harbour/__init__.py` - export the quay
- `tests/test_berth.py` - a berth without depth
"""
QUAY = [*edit(7, f"{HOME}/harbour/berth.py"), *edit(9, f"{HOME}/harbour/quay.py")]
INIT = edit(11, f"{HOME}/harbour/__init__.py")


def test_a_test_is_not_written_by_changing_what_it_tests() -> None:
    text = told([*begin(BERTHS), *QUAY, *INIT, agent(20, "The berths have a depth.")])
    assert "`tests/test_berth.py` - a berth without depth" in text
    assert "quay" not in text


@pytest.mark.parametrize("made", ["tests/test_berths.py", "tests/deep/test_berth.py", "tests/test_berth_depth.py"])
def test_a_test_that_was_written_under_a_like_name_is_not_open(made: str) -> None:
    assert "not changed as far" not in told([*begin(BERTHS), *QUAY, *INIT, *edit(13, f"{HOME}/{made}", "created")])


def test_a_name_that_every_folder_has_names_no_file_without_its_own() -> None:
    other = [*edit(11, f"{HOME}/boats/__init__.py"), *edit(13, f"{HOME}/tests/test_berth.py")]
    text = told([*begin(BERTHS), *QUAY, *other, agent(20, "The berths have a depth.")])
    assert "`harbour/__init__.py` - export the quay" in text


def test_a_file_that_the_plan_has_elsewhere_is_no_other_file_of_it() -> None:
    plan = "# Plan\n\n- `north/pier.py` - paint it\n- `south/pier.py` - paint it as well\n"
    assert "`south/pier.py` - paint it as well" in told([*begin(plan), *edit(7, f"{HOME}/north/pier.py")])
    assert "not changed as far" not in told([*begin(plan.replace("south", "mole/north")), *edit(7, "north/pier.py")])


def test_a_file_that_was_changed_all_along_was_not_made_for_a_longer_name() -> None:
    plan = "# Plan\n\n- `pier.py` - paint it\n- `mole_lamp.py` - light it\n"
    painted = edit(7, f"{HOME}/pier.py")
    assert "`mole_lamp.py` - light it" in told([*begin(plan), *painted, *edit(9, f"{HOME}/mole.py")])
    assert "not changed as far" not in told([*begin(plan), *painted, *edit(9, f"{HOME}/lamp.py", "created")])


def test_of_a_plan_without_end_as_much_is_read_as_a_plan_can_have() -> None:
    listed = "\n".join(f"### {at}\n```\nx\n```\n- `quay/berth{at}_{at % 7}.py` - dredge it" for at in range(40_000))
    done = [part for at in range(0, 3_000, 2) for part in edit(7 + at, f"{HOME}/quay/berth{at // 2}_{at // 2 % 7}.py")]
    text = told([*begin(f"- `quay/first.py` - fill it\n{listed}"), *done, agent(9_000, "They are dredged.")])
    assert "`quay/first.py` - fill it" in text


@pytest.mark.parametrize("filler", ["|", " ", " |", "\t", ". ", "/", "a.", "1,"])
def test_a_line_of_a_plan_may_be_of_any_length(filler: str) -> None:
    # Where each mark is tried against all that follow, this takes minutes.
    long = filler * (45_000 // len(filler))
    plan = f"- `quay/d.py` - dredge it\n- `quay/a.py`{long}x\n- `quay/{long}\n- `quay/b.py`:{long}x"
    done = [*edit(7, f"{HOME}/quay/a.py"), *edit(9, f"{HOME}/quay/b.py")]
    assert "`quay/d.py` - dredge it" in told([*begin(plan), *done])
