"""Room that is left goes to what was reported as it stood; what does not stand any more is told as that."""

import pytest

from tests.engines.rules.talk import build, render, words
from tests.session.talk import agent, edit, human, run
from thruline.engines.rules import passages
from thruline.engines.rules.candidates import ASKED, BEFORE
from thruline.engines.rules.claims import ALSO
from thruline.engines.rules.passages.split import LONGEST, find_asked, find_remarks, split_passages, split_standing
from thruline.session.parts import Part, Said

KILN = "/home/dev/pottery/kiln.py"
TABLE = """\
The kiln has its programmes now.

| Programme | Peak | Hold |
|---|---|---|
| biscuit | 950 | 12 |
| stoneware | 1240 | 30 |

```toml
[cooling]
vent = "half"
```
"""
LAST: list[Part] = [
    human(20, "Now print the shelf plan."),
    *edit(21, "/home/dev/pottery/shelf.py"),
    agent(23, "The shelf plan is printed by `shelf.py`, one page for each of the shelves."),
]


def pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in split_passages(text)]


def noted(session: list[Part], topic: str, room: int = 11_000) -> str:
    basics = build(session, room)["basics"]
    return "\n".join(quote.text for claim in basics.claims if claim.topic == topic for quote in claim.quotes)


def test_a_table_and_a_block_of_code_are_told_as_they_stood_where_there_is_room() -> None:
    session = [human(2, "Write the programmes of the kiln."), *edit(3, KILN), agent(5, TABLE), *LAST]
    told = noted(session, ALSO)
    assert "| biscuit | 950 | 12 |\n| stoneware | 1240 | 30 |" in told
    assert '[cooling]\nvent = "half"' in told


def test_a_small_brief_has_passages_where_room_is_left_and_only_there() -> None:
    session = [human(2, "Write the programmes of the kiln."), *edit(3, KILN), agent(5, TABLE), *LAST]
    assert "[cooling]" in render(session, 1_000)
    for at in range(30, 430, 10):
        rule = f"No, never fire shelf {at} with `burner_{at}` above {at * 9} degrees, it cracked `bowl_{at}` last week."
        session += [human(at, rule), agent(at + 1, f"You are right, `burner_{at}` stays below {at * 9} degrees.")]
    assert "[cooling]" not in render(session, 1_000)
    assert "[cooling]" in render(session, 6_000)


def test_the_newest_report_comes_first_where_not_all_have_room() -> None:
    session: list[Part] = []
    for at in range(10, 210, 10):
        body = "\n".join(f"- `glaze_{at}_{n}` is fired at {at * 7 + n} degrees with `frit_{at}_{n}`" for n in range(9))
        session += [human(at, f"Mix glaze {at}."), *edit(at + 1, f"/home/dev/pottery/g{at}.py")]
        session += [agent(at + 3, f"The glaze {at} is mixed:\n\n{body}")]
    text = render(session)
    assert "frit_200_4" in text
    assert "frit_10_4" not in text
    assert len(text.encode()) <= 12_000


def test_what_was_said_at_work_is_told_after_the_reports_and_without_its_next_step() -> None:
    found = "The damper of `flue.py` is closed by `park_damper`, which runs before the burner stops. Let me look at it:"
    session = [human(2, "The kiln smokes."), agent(3, found), *run(4, "cat flue.py"), *edit(6, KILN)]
    session += [agent(8, "The kiln does not smoke any more: the burner stops before the damper closes."), *LAST]
    told = noted(session, ALSO)
    assert "is closed by `park_damper`, which runs before the burner stops." in told
    assert "Let me look" not in told


def test_what_was_corrected_is_told_nowhere_as_so() -> None:
    report = (
        "The kiln opens at 300 degrees now.\n\n- `open_door` waits for `DOOR_LIMIT = 300`\n- the fan is off by then"
    )
    session = [human(2, "Let the kiln open its door."), *edit(3, KILN), agent(5, report)]
    session += [human(6, "No, that is wrong. 300 degrees cracks the pots, the door must stay shut until 80.")]
    session += [
        agent(7, "You're right, I'll change it."),
        *edit(8, KILN),
        agent(10, "The door opens at 80 now."),
        *LAST,
    ]
    assert "DOOR_LIMIT" not in render(session)


def test_what_is_quoted_among_the_dead_ends_is_not_told_again() -> None:
    guess = "I suspect that the thermocouple `tc_4` is broken, since the display of the kiln jumps by 40 degrees."
    session = [human(2, "The display jumps."), agent(3, guess), *run(4, "read tc_4"), *run(6, "read tc_5")]
    session += [agent(8, "That was not it; the thermocouple is fine. The cable of the display was loose."), *LAST]
    text = render(session)
    assert text.count("I suspect that the thermocouple") == 1


def test_a_report_keeps_the_line_that_leads_to_a_list_and_drops_a_closing_question() -> None:
    text = "All done.\n\n**Changes:**\n\n- `a` is new\n- `b` is gone\n\nShall I go on with the kiln?"
    assert pieces(text) == ["All done.", "**Changes:**\n\n- `a` is new\n- `b` is gone"]


def test_a_line_that_leads_to_nothing_is_no_passage() -> None:
    assert pieces("All done.\n\nLet me look at the flue:") == ["All done."]


@pytest.mark.parametrize("empty", ["- [the plan](https://example.org/plan)", "- **Much cleaner code**: easy to read"])
def test_links_and_praise_are_left_out_of_a_passage(empty: str) -> None:
    assert pieces(f"- `a` is new\n{empty}\n- `b` is gone") == ["- `a` is new", "- `b` is gone"]


def test_a_blank_line_in_a_block_of_code_does_not_end_it() -> None:
    text = "```\nfirst\n\nsecond\n```"
    assert pieces(text) == [text]


def test_a_long_passage_ends_behind_a_whole_line_that_leads_to_nothing() -> None:
    lines = [f"- `part_{n}` is new in the kiln of the shop" for n in range(40)]
    lines[18] = "**More parts of the kiln and of its chimney in the shop:**"
    (told,) = pieces("\n".join(lines))
    assert len(told) <= LONGEST
    assert told.split("\n")[-1] in lines
    assert not told.endswith(":**")


def test_one_line_without_an_end_is_no_passage() -> None:
    assert pieces("ash " * 400) == []


def test_a_question_around_a_block_of_code_is_one_passage() -> None:
    text = "what do the\n```\n  hold: 12,\n  soak: 4,\n```\nfields do then?"
    assert [text[start:end] for start, end in find_asked(text)] == [text]
    session = [human(2, "Heat the kiln."), *LAST, human(30, text), agent(31, "They hold the heat.")]
    assert text in noted(session, ASKED)


@pytest.mark.parametrize(
    "text",
    [
        "fire it",
        "this is the log:\n```\nburner on\n```",
        "```\nburner on\n```\nwhy?",
        "so\n```\n" + "x " * 300 + "\n```\nok?",
    ],
)
def test_a_paste_at_an_end_of_a_message_is_not_told_with_it(text: str) -> None:
    assert find_asked(text) == []


def test_a_remark_goes_from_its_first_telling_sentence_to_the_last() -> None:
    told = "The flue of `kiln.py` is shut. It opens too late."
    text = f"Good. Let me check the flue. {told} Let me fix that."
    assert [text[start:end] for start, end in find_remarks(text)] == [told]


def test_what_tells_where_it_landed_is_not_told_again_on_the_way() -> None:
    items = [f"{n}. `relay_{n}` drives coil {n} of the kiln through `coil_map_{n}` and a fuse" for n in range(1, 10)]
    wired = "The kiln is wired: `breaker_main` feeds the `bus_upper` and the `bus_lower`, the neutral of both is led"
    wired += " through `meter_hall`, and the earth of the frame is bonded with the water pipe of the `wash_room`, which"
    wired += " the inspector wanted in `report_7`."
    report = f"{wired}\n\n" + "\n".join(items)
    session = [human(2, "Wire the kiln."), *edit(3, KILN), agent(5, report)]
    landed = words(build(session)["convergence"])
    assert "drives coil" in landed
    text = render(session)
    assert [n for n in range(1, 10) if f"relay_{n}` drives" in landed and text.count(f"`relay_{n}` drives") > 1] == []


def test_what_failed_on_the_way_of_a_turn_that_ended_in_a_report_is_not_noted() -> None:
    failed = "The draft test of `flue.py` still fails with `DraftError` in `measure_draft`."
    cause = "`measure_draft` reads the flue before the damper is open, because `open_damper` is called last."
    session = [human(2, "Mend the draft."), agent(3, failed), *run(4, "cat flue.py"), agent(6, cause)]
    session += [*edit(7, KILN), agent(9, "The draft of the kiln is measured with an open damper now."), *LAST]
    text = render(session)
    assert "still fails" not in text
    assert "reads the flue before the damper is open" in text


def _write_report(name: str) -> str:
    blocks = [
        "\n".join(f"- `{name}_{block}_{n}` is lined with {block}{n} bricks" for n in range(8)) for block in range(8)
    ]
    return f"The flue {name} is built.\n\n" + "\n\n".join(blocks)


def test_one_long_report_leaves_room_for_the_one_before() -> None:
    session = [human(2, "Build flue one."), *edit(3, KILN), agent(5, _write_report("east"))]
    session += [human(6, "Build flue two."), *edit(7, KILN), agent(9, _write_report("west"))]
    told = noted(session, ALSO)
    blocks = {name: sum(f"`{name}_{block}_4`" in told for block in range(8)) for name in ("east", "west")}
    assert 1 < blocks["east"] < 5
    assert 1 < blocks["west"] < 5


def test_of_what_was_said_at_work_the_newest_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def remark(line: int, name: str) -> list[Part]:
        return [
            agent(line, f"The `{name}_vent` of the kiln is opened by `{name}_lever` in the wall."),
            *run(line + 1, "ls"),
        ]

    session = [human(2, "Look at the vents."), *remark(3, "north"), *remark(7, "south"), *remark(11, "upper")]
    session += [agent(15, "All vents of the kiln were looked at, none of them is blocked by ash."), *LAST]
    assert "north_lever" in noted(session, ALSO)
    monkeypatch.setattr(passages, "MOST_READ", 100)
    assert "north_lever" not in noted(session, ALSO)
    assert "south_lever" in noted(session, ALSO)


def test_of_a_list_only_the_items_that_fell_are_told_as_earlier() -> None:
    lead, first, fallen, last = "The kiln has:", "- one vent", "- two sensors", "- three shelves"
    text = "\n".join((lead, first, fallen, last))
    at = text.index("two")
    parts = split_standing(text, 0, len(text), [(at, at + len("two sensors"))])
    assert [text[start:end] for start, end in parts] == [f"{lead}\n{first}", last]
    # The line that leads to what fell goes with it.
    at = text.index("one")
    parts = split_standing(text, 0, len(text), [(at, at + len("one vent"))])
    assert [text[start:end] for start, end in parts] == [f"{fallen}\n{last}"]


def test_a_block_of_code_falls_as_a_whole() -> None:
    text = "It is set so:\n```toml\nvent = 1\n\nhold = 2\n```\nThe door is shut."
    at = text.index("hold")
    assert [text[start:end] for start, end in split_standing(text, 0, len(text), [(at, at + 4)])] == [
        "The door is shut."
    ]


SUMMARY = """\
This session goes on with another one that ran out of room.

Summary:
1. Request:
   The user wants the kiln to write down each firing, and asked twice not to touch `burner.py`.

2. Errors and fixes:
   - The log was lost because `probe.py` closed it after the first reading; it stays open until `kiln_off` now.

3. Pending:
   - The log of the old kiln has to be carried over by `carry.py`.

Please go on from there without asking.
"""


def summed_up(line: int) -> Said:
    return Said(line, "client", "summary", SUMMARY, uuid=f"s{line}")


def test_what_came_before_a_session_is_told_by_the_summary_that_it_begins_with() -> None:
    told = render([summed_up(2), *LAST], 3_000)
    before = told.partition(f"### {BEFORE}")[2]
    assert "`probe.py` closed it after the first reading" in before
    assert "> client, transcript:L2:" in before
    assert "without asking" not in told
    assert BEFORE not in render([summed_up(2), *LAST], 1_000)


def test_a_summary_is_told_last_and_not_what_is_told_already() -> None:
    known = "The log was lost because `probe.py` closed it after the first reading; it stays open until `kiln_off` now."
    session = [human(2, "Write down each firing."), *edit(3, KILN), agent(5, known), summed_up(6), *LAST]
    before = render(session, 3_000).partition(f"### {BEFORE}")[2]
    assert "carry.py" in before
    assert "kiln_off" not in before


def test_a_quotation_in_the_form_of_a_brief_is_no_part_of_a_passage() -> None:
    quoted = "- > user, transcript:L2: `Yes, delete it`\n- > L9: `All of it`"
    text = f"The lighthouse failed:\nthe lamp was wet.\n{quoted}\nIt burns again."
    told = [text[start:end] for start, end in split_passages(text)]
    assert told == ["The lighthouse failed:\nthe lamp was wet.", "It burns again."]


def test_of_a_long_session_the_newest_reports_are_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    split = passages.split_passages
    monkeypatch.setattr(passages, "MOST_REPORTED", 2_000)
    monkeypatch.setattr(passages, "TIMES", 1)
    monkeypatch.setattr(passages, "split_passages", lambda text: read.append(text) or split(text))
    session: list[Part] = []
    for at in range(2, 9_000, 10):
        session += [
            human(at, "Fire it again."),
            agent(at + 1, "The kiln was fired again and every bowl in it is whole, as before."),
        ]
        session += [
            agent(at + 2, "The shelf plan stays as it was, and so does the programme for stoneware, as agreed before.")
        ]
    noted(session, ALSO)
    assert 0 < len(read) < 200  # of 900


THEN = """This session is being continued from a previous conversation. Here is what happened:

1. Primary Request:
   - Write each firing of the kiln down, as `firing.md` says.

2. Errors and fixes:
   - The log was lost because `probe.py` closed it after the first reading; it stays open until `kiln_off` now.
   - `glaze.py` still needs a resolution of its conflict:
     - both sides renamed `mix_glaze`

3. Pending Tasks:
   - The log of the old kiln has to be carried over by `carry.py`.
"""


def read_before(turns: int, *earlier: Part) -> str:
    session: list[Part] = [*earlier, Said(5, "client", "summary", THEN, uuid="s5")]
    for line in range(10, 10 + 2 * turns, 2):
        session += [human(line, "And the footer?"), agent(line + 1, f"The footer names shop number {line} now.")]
    return render(session, 3_000).partition(f"### {BEFORE}")[2]


@pytest.mark.parametrize(("turns", "told"), [(1, True), (5, False)])
def test_what_was_left_when_a_summary_was_written_is_told_only_where_the_session_ends_soon(
    turns: int, told: bool
) -> None:
    before = read_before(turns)
    assert "`probe.py` closed it after the first reading" in before
    for name in ("glaze.py", "mix_glaze", "carry.py"):
        assert (name in before) is told


def test_of_a_summary_of_what_the_session_tells_itself_only_the_lessons_are_told() -> None:
    assert "firing.md" in read_before(5)
    before = read_before(5, human(2, "Write the firings down."), agent(3, "They are written down now."))
    assert "`probe.py` closed it after the first reading" in before
    assert "firing.md" not in before
