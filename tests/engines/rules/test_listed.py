"""Of what was listed, what nobody took up is open; what anything later touches is not."""

import pytest

from tests.engines.rules.talk import build, words
from tests.session.talk import agent, edit, human, run
from thruline.session.parts import Part

FINDINGS = """Here is what is wrong with her.

## Findings

### In the engine room
1. **Bilge pump runs dry** - no sensor below the grate
2. **Fuel valve leaks** - drops below `valve_seat`
3. **Loose rudder cable** - two turns of play

### On deck
4. **Rust under the winch** - see `deck/winch.py`
5. **Torn flag** - the red one
"""
WHOLE = [human(2, "Please survey the boat."), *run(3, "ls"), agent(5, FINDINGS)]


def told(session: list[Part], room: int = 11_000) -> str:
    return words(build(session, room)["open_threads"])


@pytest.mark.parametrize(
    "pick",
    [
        "let's fix 2 too",
        "2",
        "and what is #2 about?",
        "regarding 2. Fuel valve leaks: which one is it?",
        "do 2",
        "ok, moor it first and then add a fix for 2",
    ],
)
def test_findings_that_were_not_picked_are_open(pick: str) -> None:
    text = told([*WHOLE, human(6, pick), *edit(7, "/home/dev/shop/tank.py"), agent(9, "The tank is closed now.")])
    assert "Listed, and not among what was picked:" in text
    assert "Bilge pump runs dry" in text
    assert "Torn flag" in text
    assert "Fuel valve" not in text


def test_several_picks_count() -> None:
    text = told([*WHOLE, human(6, "fix 1 and 3"), *edit(7, "/home/dev/shop/tank.py"), agent(9, "Both are done.")])
    assert "Fuel valve leaks" in text
    assert "Bilge" not in text
    assert "rudder" not in text


@pytest.mark.parametrize(
    "said", ["3 tests fail now", "make the text in 3 longer", "see option 3", "it is about the 3 boats we saw"]
)
def test_a_number_that_picks_nothing_is_no_pick(said: str) -> None:
    assert "not among what was picked" not in told([*WHOLE, human(6, said), agent(9, "I see.")])


@pytest.mark.parametrize("said", ["yes", "fix all 5", "please address these", "all of them", "Can you fix them?"])
def test_where_all_was_taken_up_nothing_is_open(said: str) -> None:
    later = [human(6, said), *edit(7, "/home/dev/shop/tank.py"), agent(9, "It is done."), human(10, "now 2 again")]
    assert "Torn flag" not in told([*WHOLE, *later, agent(11, "The valve is closed.")])


@pytest.mark.parametrize(
    "later",
    [
        [human(8, "and the torn flag?"), agent(9, "It is new.")],
        [*run(8, "git commit -am x", commits=(("bc4d18f", "Replace the torn flag"),)), agent(10, "Committed.")],
    ],
)
def test_an_item_that_anything_later_speaks_of_is_not_told(later: list[Part]) -> None:
    text = told([*WHOLE, human(6, "fix 2"), *later])
    assert "Bilge pump runs dry" in text
    assert "Torn flag" not in text


def test_an_item_whose_file_was_changed_is_not_told() -> None:
    later = [human(6, "fix 2"), *edit(8, "/home/dev/shop/deck/winch.py"), agent(10, "The valve is closed.")]
    assert "Rust under the winch" not in told([*WHOLE, *later])


@pytest.mark.parametrize("room", [3_700, 11_000])
def test_what_a_review_found_at_the_end_is_open(room: int) -> None:
    text = told(WHOLE, room)
    assert "Found, not dealt with as far as the session shows:" in text
    assert "Bilge pump runs dry" in text


def test_what_a_turn_found_and_mended_is_not_open() -> None:
    assert "Found, not" not in told([human(2, "Mend it."), *edit(3, "/home/dev/shop/tank.py"), agent(5, FINDINGS)])


@pytest.mark.parametrize("heading", ["Issues fixed", "Strengths", "How the bilge works", "Options"])
def test_a_list_of_something_else_is_no_finding(heading: str) -> None:
    text = f"## {heading}\n\n1. **Bilge pump** - dry\n2. **Fuel valve** - closed\n3. **Rudder** - fast"
    assert "as far as the session shows" not in told([human(2, "Survey it."), agent(5, text)])


def test_an_item_that_tells_what_was_done_is_not_open() -> None:
    text = FINDINGS.replace("drops below `valve_seat`", "fixed with a new seat").replace("**Torn", "✅ **Torn")
    shown = told([human(2, "Survey it."), agent(5, text.replace("two turns of play", "the play is by design"))])
    assert "Bilge" in shown
    assert "rudder" not in shown
    assert "valve" not in shown
    assert "flag" not in shown


CHOICES = """Three things could come next.

### 1. One chart for all harbours
Today each has its own.

### 2. A log of the tides
Nobody keeps it.

### 3. Buoys with names
They have numbers.

Which one do you want to begin with?
"""


def test_what_was_offered_and_not_chosen_is_open() -> None:
    later = [human(20, "how do I test the anchor?"), agent(21, "Drop it and wait.")]
    text = told([human(2, "Look around."), agent(15, CHOICES), *later])
    assert "Offered, not taken up:" in text
    assert "1. One chart for all harbours" in text
    assert "2. A log of the tides" in text


@pytest.mark.parametrize("said", ["the second", "the log of the tides", "2", "yes, go ahead"])
def test_what_was_chosen_is_not_told_as_offered(said: str) -> None:
    later = [human(20, said), *edit(21, "/home/dev/shop/tides/log.py"), agent(25, "The tides have a log now.")]
    assert "A log of the tides" not in told([human(2, "Look around."), agent(15, CHOICES), *later])


def test_what_was_offered_long_ago_is_not_told() -> None:
    later = [human(200, "how do I test the anchor?"), agent(210, "Drop it and wait.")]
    assert "Offered" not in told([human(2, "Look around."), agent(15, CHOICES), *later])


def test_ways_of_which_one_is_taken_are_not_owed() -> None:
    ways = "Options:\n1. **Tow it** - slow\n2. **Sail it** - free\n3. **Sink it** - final\n\nWhich one?"
    later = [human(20, "how do I test the anchor?"), agent(21, "Drop it and wait.")]
    assert "Offered" not in told([human(2, "Look around."), agent(15, ways), *later])


def test_what_a_newer_list_has_is_told_once() -> None:
    again = (
        "## Issues\n\n1. **Loose rudder cable** - still\n2. **Bilge pump runs dry** - still\n3. **Mast bends** - new"
    )
    later = [human(6, "fix 2"), agent(7, "The tank is closed now."), human(8, "what else?"), agent(9, again)]
    text = told([*WHOLE, *later])
    assert "Mast bends" in text
    assert text.count("Bilge pump runs dry") == 1
    assert "Torn flag" in text


def test_what_stands_below_one_finding_is_no_finding() -> None:
    detail = "# Issues\n\n## 1. The pump runs dry\n\nSo:\n- at low tide\n- in rain\n\n## 2. The valve leaks\n\nOh."
    text = told([human(2, "Survey it."), agent(5, detail)])
    assert "1. The pump runs dry … 2. The valve leaks" in text
    assert "at low tide" not in text


def test_a_word_in_common_takes_nothing_up() -> None:
    later = [human(6, "fix 2"), *run(7, "rudder --set 1 && grep -c 4 dry.txt"), agent(9, "The valve is closed.")]
    text = told([*WHOLE, *later])
    assert "Loose rudder cable" in text
    assert "Bilge pump runs dry" in text


LEFT = "The pier is painted.\n\n## Still to do\n\n- a second coat for the bollards\n- new ropes at the `east_gate`"
PUT_OFF = LEFT.replace("Still to do", "Follow-ups")


def test_what_a_late_report_lists_as_left_is_open() -> None:
    text = told(
        [
            human(2, "Paint it."),
            *edit(3, "/home/dev/shop/pier.py"),
            agent(5, LEFT),
            human(6, "Thanks!"),
            agent(7, "Gladly."),
        ]
    )
    assert "Left, as the agent told; not done as far as the session shows:" in text
    assert "a second coat for the bollards" in text


def test_what_was_left_and_done_since_is_not_open() -> None:
    done = [human(6, "And the ropes?"), *run(7, "order ropes --for east_gate"), agent(9, "They are ordered.")]
    text = told([human(2, "Paint it."), agent(5, LEFT), *done])
    assert "a second coat for the bollards" in text
    assert "new ropes" not in text


def test_what_was_put_off_stays_open_where_there_is_room() -> None:
    turns = [
        part for at in range(10, 20, 2) for part in (human(at, "Next the mole."), agent(at + 1, "The mole stands."))
    ]
    session = [human(2, "Paint it."), agent(5, PUT_OFF), *turns]
    assert "Put off by the agent; not done as far as the session shows:\na second coat" in told(session)
    assert "second coat" not in told(session, 3_700)
    assert "second coat" not in told([human(2, "Paint it."), agent(5, LEFT), *turns])


def test_a_title_that_says_little_is_not_found_in_every_path() -> None:
    text = FINDINGS.replace("**Torn flag** - the red one", "**Main problem** - the anchor holds no chain")
    later = [human(6, "fix 2"), *run(7, "ls problem/main"), agent(9, "The valve is closed.")]
    assert "Main problem" in told([human(2, "Please survey the boat."), agent(5, text), *later])


def test_a_number_that_answers_another_message_picks_nothing_of_an_older_list() -> None:
    asked = agent(9, "Two buoys are red:\n1. the north one\n2. the south one\n\nWhich one shall be green?")
    later = [human(6, "Please go through it step by step."), agent(7, "I do."), human(8, "And the buoys?"), asked]
    assert "not among what was picked" not in told([*WHOLE, *later, human(10, "2"), agent(11, "It is green.")])


def test_what_a_search_found_is_an_answer() -> None:
    answer = FINDINGS.replace("Here is what is wrong with her.", "Here is what I read about her.")
    assert "Bilge" not in told([human(2, "What is known of the boat?"), agent(5, answer)])


def test_what_was_advised_at_the_end_is_told_as_offered() -> None:
    advice = FINDINGS.replace("Here is what is wrong with her.", "She is sound.").replace("Findings", "Suggestions")
    text = told([human(2, "Look at her."), agent(5, advice)])
    assert "Offered, not taken up:" in text
    assert "Bilge pump runs dry" in text


@pytest.mark.parametrize(
    "said",
    [
        "Don't fix 2",
        "please do not bother to fix 2",
        "I was thinking about 4 different ways",
        "fix 2 typos in the log first",
        "look at PR #2",
        "it took about 3 days",
    ],
)
def test_a_number_that_is_denied_or_counts_picks_nothing(said: str) -> None:
    assert "not among what was picked" not in told([*WHOLE, human(6, said), agent(9, "I see.")])


@pytest.mark.parametrize(
    "said", ["Skip 5, fix the rest", "all but 5 please", "fix everything except #5", "Fix 1, 2, 3 and 4, not 5"]
)
def test_what_was_left_out_by_its_number_is_open_and_the_rest_is_not(said: str) -> None:
    text = told([*WHOLE, human(6, said), *edit(7, "/home/dev/shop/tank.py"), agent(9, "That is over.")])
    assert "Listed, and not among what was picked:\n**Torn flag** - the red one" in text
    assert "Bilge" not in text


@pytest.mark.parametrize(
    "said",
    [
        "please write a check for each critical item",
        "only the important ones",
        "do the P1s",
        "let's think of a remedy for both",
        "the first two",
    ],
)
def test_of_a_list_that_a_class_was_picked_from_nothing_is_told(said: str) -> None:
    later = [
        *edit(7, "/home/dev/shop/tank.py"),
        agent(9, "That is over."),
        human(10, "let's fix 2 too"),
        agent(11, "Ok."),
    ]
    assert "not among what was picked" not in told([*WHOLE, human(6, said), *later])
    asked = told([human(2, "Look around."), agent(15, CHOICES), human(16, said), agent(17, "That is over.")])
    assert "Offered" not in asked


@pytest.mark.parametrize(
    "report",
    [
        "Here is the state of things.\n\n- ✅ Bilge pump no longer runs dry\n- Lunch is at noon",
        "Two things were done.\n\n### ✅ Bilge pump runs dry\nThere is a sensor below it.",
        "The bilge pump that ran dry is fixed.",
    ],
)
def test_what_a_later_report_calls_done_in_its_own_words_is_not_open(report: str) -> None:
    later = [human(6, "fix 2"), agent(7, "I do."), human(8, "and then?"), agent(9, report)]
    text = told([*WHOLE, *later])
    assert "Bilge pump runs dry" not in text
    assert "Torn flag" in text


NOTED = """Some observations about her.

## Minor issues

1. **Bilge pump runs dry** (`pump.py:3`):
   ```python
   return None
   ```
   That is acceptable in a harbour, but worth a note.

2. **Fuel valve leaks** (`valve.py:9`):
   A drop a day.

3. **Loose rudder cable** (`rudder.py:4`):

   Two turns of play. The current tension is fine for sailing.
"""


def test_a_finding_that_its_own_text_calls_acceptable_is_not_open() -> None:
    text = told([human(2, "Look at her."), agent(5, NOTED)])
    assert "Fuel valve leaks" in text
    assert "Bilge" not in text
    assert "rudder" not in text


def test_a_finding_with_a_heading_of_its_own_is_set_aside_by_what_stands_below_it() -> None:
    headed = "# Issues\n\n### 1. The pump runs dry\n\nThat is by design.\n\n### 2. The valve leaks\n\nA drop a day.\n"
    text = told([human(2, "Look at her."), agent(5, headed)])
    assert "2. The valve leaks" in text
    assert "pump" not in text


@pytest.mark.parametrize(
    "verdict", ["None of these need a change.", "All of them are acceptable.", "These are all fine."]
)
def test_findings_that_the_message_calls_acceptable_altogether_are_not_open(verdict: str) -> None:
    assert "Fuel valve leaks" not in told([human(2, "Look at her."), agent(5, f"{NOTED}\n---\n\n{verdict}")])


def test_findings_of_which_none_is_mended_are_open() -> None:
    assert "Fuel valve leaks" in told(
        [human(2, "Look at her."), agent(5, f"{NOTED}\n---\n\nNone of these are mended.")]
    )
