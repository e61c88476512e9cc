"""Convergence leads with what is settled: no courtesy, no step on the way, nothing that the user overruled."""

from dataclasses import replace

from tests.engines.rules.talk import build, fold, render, words
from tests.session.talk import agent, edit, human, run
from thruline.brief.section import Claim
from thruline.engines.rules import Rules
from thruline.session.parts import Part
from thruline.signals.signal import Signal

ASKED = human(2, "Show the opening hours in the footer of the shop page.")


def land(*session: Part, room: int = 11_000) -> list[str]:
    return [claim.quotes[0].text for claim in build(session, room)["convergence"].claims]


def test_an_exclamation_does_not_lead() -> None:
    report = "The footer of the shop page shows the opening hours from `hours.json` now."
    landed = land(ASKED, *edit(3, "/home/dev/shop/footer.html"), agent(5, f"Excellent! 🎉\n\n{report}"))
    assert landed == [report]


def test_a_courtesy_at_the_end_is_not_where_a_session_landed() -> None:
    report = "The footer of the shop page shows the opening hours from `hours.json` now."
    landed = land(ASKED, agent(3, report), human(4, "Thanks a lot!"), agent(5, "You are welcome."))
    assert landed == [report]


def test_what_the_user_overruled_is_no_position() -> None:
    landed = land(
        ASKED,
        agent(
            3, "I added `find_hours(day)` to `calendar.py`. Decision: it reads the file on every request of the page."
        ),
        human(4, "No, that's wrong, don't read the file on every request of the page. Read it at the start."),
        agent(5, "You're right, sorry, that was wrong. `load_hours` reads the file once when the shop is started."),
    )
    assert not any("find_hours" in one or "on every request" in one for one in landed)
    assert any("load_hours" in one for one in landed)


def test_what_was_found_in_the_midst_of_a_turn_does_not_stand_beside_its_report() -> None:
    session = [
        ASKED,
        agent(3, "The lint complains because `kiosk_names` is unused in `street_map.py` at line 12."),
        *edit(4, "/home/dev/shop/footer.py"),
        agent(6, "The test of the door fails because `door_bell.wav` is missing in the fixtures."),
        *run(7, "make test"),
        agent(9, "The footer of the shop page shows the opening hours from `hours.json`, and all tests of it pass."),
    ]
    assert [claim.quotes[0].pointer.line for claim in build(session)["convergence"].claims] == [9]
    assert "`kiosk_names` is unused" in words(build(session)["basics"])


def test_a_root_cause_is_a_finding_wherever_it_is_said() -> None:
    root = "Root cause: the clock of `hours.py` counts in local time, so the shop closes an hour early."
    session = [ASKED, agent(3, root), *edit(4, "/home/dev/shop/hours.py")]
    session += [agent(6, "The footer of the shop page shows the opening hours, and every test of the footer passes.")]
    assert root in land(*session)


LISTED = """\
Great!

I've added a footer to the shop page that shows the opening hours:

- Weekdays are read from `hours.json` and joined where they are alike
- Holidays come from `holidays.csv`, which the owner edits by hand
"""


def test_what_was_done_is_said_before_its_details() -> None:
    for room in (11_000, 3_500):
        (landed,) = land(ASKED, *edit(3, "/home/dev/shop/footer.html"), agent(5, LISTED), room=room)
        assert landed.startswith("I've added a footer to the shop page that shows the opening hours:")
        assert "`holidays.csv`" in landed


def test_what_was_done_goes_with_the_details_of_an_earlier_report_too() -> None:
    later = [human(6, "Also print them on the receipts of the till."), agent(7, "`receipt.py` prints the hours now.")]
    landed = land(ASKED, agent(5, LISTED), *later)
    assert any("I've added a footer" in one and "`holidays.csv`" in one for one in landed)


CHOICE = """\
Two ways could work.

**Option 1: A static footer (quick)**

The hours are written into the page by hand.

**Option 2: A footer from the calendar**

The hours are read from the calendar of the shop.

Which of them do you want?
"""


def test_an_open_choice_is_told_with_what_there_is_to_choose() -> None:
    (claim,) = [one for one in build([ASKED, agent(3, CHOICE)])["open_threads"].claims if one.quotes]
    said = claim.quotes[0].text
    assert "Option 1: A static footer (quick)" in said
    assert "Option 2: A footer from the calendar" in said
    assert said.endswith("Which of them do you want?")


def test_a_choice_that_was_made_is_not_open() -> None:
    session = [ASKED, agent(3, CHOICE), human(4, "The second one."), agent(5, "The footer reads the calendar now.")]
    assert "Option 1" not in words(build(session)["open_threads"])


def test_a_sentence_said_in_two_reports_stands_in_the_brief_once() -> None:
    same = "Holidays come from `holidays.csv`, because the owner edits it by hand."
    session = [ASKED, agent(3, f"The footer is there. {same}"), human(4, "And the receipts?")]
    session += [agent(5, f"The receipts have the opening hours as well. {same}")]
    assert render(session).count("the owner edits it by hand") == 1


def test_a_link_and_the_name_of_a_commit_alone_say_nothing() -> None:
    report = """\
The footer of the shop page shows the opening hours.

- [PR #4711: `render_footer` and `footer_height`](https://example.org/pull/4711)
- `9f8e7d6 Show the opening hours in the footer`
"""
    commit = run(3, "git commit -am x", commits=(("9f8e7d6", "Show the opening hours in the footer"),))
    brief = render([ASKED, *commit, agent(5, report)])
    assert "example.org" not in brief
    assert brief.count("Show the opening hours in the footer") == 2  # asked for by the user, and git's own line


def find_kept(session: list[Part], room: int) -> list[Claim]:
    return [claim for section in build(session, room).values() for claim in section.claims if claim.keep]


def test_a_rule_of_the_user_is_cut_last() -> None:
    session = [
        human(2, "Never write to `hours.json`, the owner edits it by hand."),
        agent(3, "Understood, I only read it."),
    ]
    (claim,) = find_kept(session, 3_000)
    assert (claim.topic, claim.quotes[0].pointer.line) == ("Constraints, in the user's words", 2)


def find_topics(text: str, kind: str, quote: str) -> dict[str, list[str]]:
    facts = fold([human(2, text), agent(3, "Understood, I do it so.")])
    mined = Signal(kind, "human", quote, 2, "u2", strength=0.75)
    sections = Rules(replace(facts, signals=(mined,))).build(11_000)
    found: dict[str, list[str]] = {}
    for claim in [claim for section in sections for claim in section.claims if claim.quotes]:
        found.setdefault(claim.topic, []).append(claim.quotes[0].text)
    return found


def test_a_request_without_the_words_of_a_rule_is_no_constraint() -> None:
    asked = "Can you add this to the handbook of the shop?"
    assert find_topics(asked, "constraint", asked) == {"Asked and decided": [asked]}
    rule = "Can you make sure that we never close before noon?"
    assert find_topics(rule, "constraint", rule) == {"Constraints, in the user's words": [rule]}


def test_of_a_long_request_only_the_rules_are_constraints() -> None:
    rule = "Never write to `hours.json`."
    text = f"Show the hours in the footer. Print them on receipts. {rule} Send them to the tills. Log the changes."
    found = find_topics(text, "constraint", rule)
    assert found["Constraints, in the user's words"] == [rule]
    assert "Show the hours in the footer." in found["Asked and decided"][0]


def test_what_a_thing_does_now_is_a_result_although_its_file_was_changed_again() -> None:
    session = [
        ASKED,
        *edit(3, "/home/dev/shop/footer.py"),
        agent(5, "`make_footer()` in `footer.py` now returns the opening hours as text; the check prints ok."),
        human(6, "Add a docstring to it, please."),
        *edit(7, "/home/dev/shop/footer.py"),
        agent(9, "The docstring is there."),
    ]
    assert any("now returns the opening hours" in one for one in land(*session))


def test_what_the_last_message_proposes_is_offered_and_not_where_it_landed() -> None:
    report = (
        "The footer reads `hours.json` twice and `days.json` three times.\n\n"
        "Shall it be simpler? The main changes would be:\n"
        "1. Move `read_hours` into `calendar.py`\n"
        "2. Drop the second reading of `hours.json`"
    )
    sections = build([ASKED, *edit(3, "/home/dev/shop/footer.html"), agent(5, report)])
    assert "Move `read_hours`" not in words(sections["convergence"])
    assert "Drop the second reading" not in words(sections["convergence"])
    assert "Move `read_hours` into `calendar.py`" in words(sections["open_threads"])
    assert "reads `hours.json` twice" in words(sections["convergence"])


def test_a_question_that_may_be_none_overrules_nothing() -> None:
    report = "The opening hours of the shop page were moved to `hours.json`, which the footer reads."
    session = [ASKED, *edit(3, "/home/dev/shop/footer.html"), agent(5, report)]
    question = human(6, "Could the map of the shop page be moved to a file like `hours.json` as well?")
    facts = fold([*session, question, agent(7, "Yes, `map.json` would do.")])
    weak = Signal("correction", "human", question.text, 6, strength=0.45)
    sections = {one.name: one for one in Rules(replace(facts, signals=(weak,))).build(11_000)}
    assert report in words(sections["convergence"])


ADVICE = "The buoys of `buoys.py` look structurally fine, so adding the folder `charts` is enough once it is published."


def _find_landed(session: list[Part]) -> str:
    return words(build(session)["convergence"])


def _work(line: int, subject: str) -> list[Part]:
    return [
        human(line, f"Now the {subject}."),
        *edit(line + 1, f"/home/dev/harbour/{subject}.py"),
        agent(
            line + 3, f"The {subject} of the harbour is written: `{subject}.py` keeps the `{subject}_height` of each."
        ),
    ]


def test_advice_that_work_followed_is_not_where_a_session_landed() -> None:
    session: list[Part] = []
    for line, subject in ((60, "quay"), (70, "crane"), (80, "shed"), (90, "mole")):
        session += _work(line, subject)
    session += [human(95, "What else is to do for the harbour?"), agent(96, ADVICE), *_work(100, "bell")]
    assert "buoys" not in _find_landed(session)


def test_advice_is_where_a_session_landed_that_changed_nothing_since() -> None:
    session: list[Part] = []
    for line, subject in ((60, "quay"), (70, "crane"), (80, "shed"), (90, "mole")):
        session += _work(line, subject)
    session += [human(95, "What else is to do for the harbour?"), agent(96, ADVICE)]
    session += [human(97, "And the pilots?"), agent(98, "The pilots of `pilots.py` need no chart of the harbour.")]
    assert "buoys" in _find_landed(session)


def test_a_cause_told_in_a_turn_that_changed_nothing_is_where_a_session_landed() -> None:
    cause = "Root cause: the sluice stays shut because `open_sluice` runs before the tide."
    session: list[Part] = []
    for line, subject in ((60, "quay"), (70, "crane"), (80, "shed"), (90, "mole")):
        session += _work(line, subject)
    session += [human(95, "Why is it shut?"), agent(96, cause), *_work(100, "bell")]
    assert "open_sluice" in _find_landed(session)


def test_beside_two_that_say_so_nothing_early_is_where_a_session_landed() -> None:
    session = [*_work(10, "quay"), *_work(20, "crane"), human(30, "Wait for the tide."), agent(31, "The tide is in.")]
    session += [*_work(900, "mole"), *_work(910, "bell")]
    told = _find_landed(session)
    assert "mole_height" in told
    assert "bell_height" in told
    assert "quay_height" not in told
    assert "crane_height" not in told


def test_a_courtesy_that_says_a_word_more_does_not_lead_either() -> None:
    report = "The footer of the shop page shows the opening hours from `hours.json` now."
    for courtesy in ("Glad to hear it.", "Happy to help! Let me know if anything else comes up.", "Freut mich sehr."):
        landed = land(
            ASKED, *edit(3, "/home/dev/shop/footer.html"), agent(5, report), human(6, "Thanks."), agent(7, courtesy)
        )
        assert landed == [report]
    assert land(ASKED, agent(3, "Glad to hear of the new footer.")) == ["Glad to hear of the new footer."]
