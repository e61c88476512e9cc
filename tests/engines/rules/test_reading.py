"""How a brief reads to somebody who was not there: what it is about first, whole thoughts, nobody's output as words."""

import pytest

from tests.engines.rules.talk import build, render, words
from tests.session.talk import agent, edit, human, run
from thruline.engines.rules.candidates import ASKED, LATER, OVERRULED
from thruline.engines.rules.claims import ALSO
from thruline.session.parts import Part, Said

FILE = "/home/dev/shop/src/basket.py"
ASK = human(2, "The basket forgets items when the page is opened twice.")


def landed(session: list[Part]) -> str:
    claims = [one for one in build(session)["convergence"].claims if one.topic != ALSO]
    return "\n".join(quote.text for one in claims for quote in one.quotes)


def said_by_user(session: list[Part]) -> str:
    sections = build(session).values()
    return "\n".join(q.text for section in sections for one in section.claims for q in one.quotes if q.by == "human")


# --- where it landed ----------------------------------------------------------------------------------------------

LONG = (
    "`basket.py` writes `items.json` before `lock.pid` is taken, so `sync_items` and `save_items` race on `items.json`."
)


def test_the_agent_s_last_word_is_where_it_landed_however_short() -> None:
    turns = [part for at in range(3, 43, 4) for part in (agent(at, f"{LONG} Case {at}."), human(at + 2, "And then?"))]
    session = [ASK, *turns, agent(50, "Ticket 77 is closed, ticket 78 has the fix.")]
    assert "ticket 78 has the fix" in landed(session)


def test_a_proposal_that_was_answered_is_not_where_it_landed() -> None:
    offer = "A `sqlite` file would keep every item. B `redis` would be faster. My lean is A. Which one do you want?"
    done = agent(7, "The basket is kept in `sqlite` now, one row an item, and `basket.py` opens it once.")
    text = landed([ASK, agent(3, offer), human(4, "A."), *edit(5, FILE), done, human(8, "Good."), agent(9, "Fine.")])
    assert "opens it once" in text
    assert "redis" not in text


def test_a_finding_about_a_file_that_was_changed_since_is_not_where_it_landed() -> None:
    found = agent(3, "`basket.py` still keeps `items.json` open while `save_items` runs, and never closes it.")
    done = agent(7, "`save_items` closes the file now, and both pages show the same items.")
    text = landed([ASK, found, human(4, "Mend it."), *edit(5, FILE), done, human(8, "Good."), agent(9, "Fine.")])
    assert "closes the file now" in text
    assert "never closes it" not in text


def test_what_was_said_of_the_same_things_later_is_where_it_landed() -> None:
    pages = [agent(at, f"Page {at} is served by `page_{at}.py` and tested by `test_{at}.py`.") for at in (3, 5, 7)]
    other = agent(9, "The shop has a map now, drawn by `map_view.py` from `offices.csv` in three colours.")
    capped = agent(11, "Added a cap of 80 signs to the title in `render_title`, so it fits `print_view.css` too.")
    uncapped = agent(13, "Removed the cap of 80 signs from the title in `render_title` for the `narrow_page`.")
    said = [*pages, other, capped, uncapped]
    session = [ASK, *(part for one in said for part in (one, human(one.line + 1, "Go on.")))]
    text = landed([*session, agent(15, "The shop is released as 2.1.")])
    assert "Removed the cap" in text
    assert "drawn by `map_view.py`" in text
    assert "Added a cap" not in text


def test_what_the_agent_says_it_is_doing_is_no_finding() -> None:
    doing = agent(3, "I’m reading `basket.py` and `sync_items` before I write the message of `items.json`.")
    text = "\n".join(map(words, build([ASK, doing, *edit(4, FILE), agent(6, "The basket keeps its items.")]).values()))
    assert "reading `basket.py`" not in text


# --- the user's own words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pasted",
    [
        "~/shop $ ls build\nbasket.css  basket.js  report for the whole team",
        "Mar  4 10:11:12.345 |INFO| basket saved for the whole team count=1",
        "saved count=1 items=4 total=9 for the whole team",
        "GET\nBASKET_NOT_FOUND_BY_WHOLE_TEAM",
    ],
)
def test_what_a_program_printed_is_not_what_the_user_said(pasted: str) -> None:
    told = human(4, f"No, that's wrong, the items are still gone.\n{pasted}\n\nDon't touch the style sheet.")
    text = said_by_user([ASK, agent(3, "I changed the style sheet, it works now."), told, agent(5, "You're right.")])
    assert "the items are still gone" in text
    assert "Don't touch the style sheet" in text
    assert "whole team" not in text
    assert "GET" not in text


def test_a_menu_that_shows_the_user_s_own_words_is_no_second_request() -> None:
    first = "Keep the grouping by day and drop the coloured line."
    shown = f"Why are the numbers so high?\nv * {first} …"
    text = said_by_user([human(2, first), agent(3, "It is grouped."), human(4, shown), agent(5, "I look into it.")])
    assert text.count("Keep the grouping by day") == 1


def test_words_said_twice_are_told_once_and_where_they_corrected() -> None:
    no = "No, that's wrong. Don't cache the price list, it changes hourly."
    session = [
        ASK, agent(3, "I cache the price list for a day."), human(4, no), agent(5, "You're right, I take it out."),
        *edit(6, FILE), agent(8, "It is out."), human(9, "Now the basket."), agent(10, "I cache the price list there."),
        human(11, f"{no} Use the live feed."), agent(12, "Sorry, you are right. The basket reads the live feed."),
    ]  # fmt: skip
    for budget in (1_000, 3_000):
        assert render(session, budget).count("it changes hourly") == 1
    assert "Use the live feed" in words(build(session)["dead_ends"])


@pytest.mark.parametrize("said", ["the raw log:", "ooh, nice", "thanks a lot!", "run it"])
def test_small_talk_and_the_line_above_a_paste_are_not_requests(said: str) -> None:
    log = "\n\n```\npanic: nil\n```"
    session = [
        ASK,
        agent(3, "I look."),
        human(4, said + log),
        agent(5, "I see."),
        human(6, "Go on."),
        agent(7, "Done."),
    ]
    assert said not in said_by_user(session)


def test_of_a_short_message_all_is_quoted_where_there_is_room() -> None:
    whole = "Rename the page. It confuses people. Find a name with them."
    assert whole in said_by_user([ASK, agent(3, "The basket keeps its items."), human(4, whole), agent(5, "Done.")])


# --- what it was about --------------------------------------------------------------------------------------------


def test_requests_are_read_in_the_order_they_were_made() -> None:
    asked = [
        human(at, f"Please add the {name} page to the shop.") for at, name in ((4, "help"), (6, "map"), (8, "jobs"))
    ]
    session = [ASK, *(part for one in asked for part in (one, agent(one.line + 1, "It is there.")))]
    text = render(session)
    places = [text.index(name) for name in ("opened twice", "help page", "map page", "jobs page")]
    assert places == sorted(places)


def test_what_was_typed_behind_a_slash_command_is_what_the_session_was_asked_for() -> None:
    typed = "make the basket remember its items"
    call = Said(2, "client", "command", f"<command-name>/plan</command-name>\n{typed}", uuid="k2", about=typed)
    section = build([call, agent(3, "The basket keeps its items now.")])["basics"]
    (claim,) = [one for one in section.claims if one.topic == ASKED]
    assert [(quote.by, quote.text, quote.pointer.line) for quote in claim.quotes] == [("client", typed, 2)]


def test_a_setting_is_not_asked_for() -> None:
    call = Said(2, "client", "command", "<command-name>/model</command-name>\nlarge", uuid="k2", about="large")
    assert "slash command" not in words(build([call, agent(3, "The basket keeps its items now.")])["basics"])


def test_a_plan_that_the_session_was_begun_with_is_named() -> None:
    plan = Said(
        2, "client", "plan", "Implement the following plan:\n\n# Keep the basket\n\n## Why\nIt forgets.", uuid="k"
    )
    text = words(build([plan, agent(3, "The basket keeps its items now.")])["basics"])
    assert "Begun with a plan:\nKeep the basket" in text


@pytest.mark.parametrize(
    "said",
    [
        "Let's do the map as a separate PR.",
        "Make a note of the map for the next round.",
        "Die Karte machen wir später.",
    ],
)
def test_what_the_user_left_for_later_is_an_open_thread(said: str) -> None:
    session = [ASK, agent(3, "The basket keeps its items."), human(4, said), agent(5, "Noted.")]
    (claim,) = [one for one in build(session)["open_threads"].claims if one.topic == LATER]
    assert said in claim.quotes[0].text


# --- what was overruled -------------------------------------------------------------------------------------------


def test_a_sentence_that_has_nothing_to_do_with_the_correction_is_not_told_as_overruled() -> None:
    report = (
        "The header is green now. The footer has three links. The map loads in one second. "
        "The font is larger on phones. The search box remembers its words."
    )
    no = human(4, "No, that's wrong. You dropped the map from the menu of the office page.")
    session = [ASK, agent(3, report), no, agent(5, "You're right, sorry.")]
    (claim,) = [one for one in build(session)["dead_ends"].claims if one.topic == OVERRULED]
    assert [quote.by for quote in claim.quotes] == ["human"]


def test_a_short_answer_is_what_a_correction_overruled() -> None:
    no = "No, don't add a pause. We tried that in spring and it only hid the problem."
    session = [ASK, agent(3, "I could add a pause between two pages."), human(4, no), agent(5, "You're right, sorry.")]
    (claim,) = [one for one in build(session)["dead_ends"].claims if one.topic == OVERRULED]
    assert [quote.by for quote in claim.quotes] == ["agent", "human"]


# --- small and quiet sessions -------------------------------------------------------------------------------------


def test_a_session_without_a_correction_says_so() -> None:
    text = words(
        build([ASK, *edit(3, FILE), *run(5, "pytest"), agent(7, "The basket keeps its items now.")])["dead_ends"]
    )
    assert text.strip() == "No dead end and no correction was found."


def test_a_session_that_only_asked_owes_nothing_and_changed_nothing() -> None:
    session = [
        human(2, "Where does the shop keep its prices?"),
        agent(3, "In `prices.csv`, which `load_prices` reads once a day."),
        human(4, "And who writes it?"),
        agent(5, "The nightly job `fetch_prices` writes it from the feed of the wholesaler."),
    ]
    sections = build(session)
    assert "The session changed no file." in words(sections["code_state"])
    assert words(sections["open_threads"]).strip() == "Nothing was left open that the rules could find."
    assert "fetch_prices" in words(sections["convergence"])
    assert "Where does the shop keep its prices?" in words(sections["basics"])


def test_the_last_thing_worth_telling_is_told_where_the_session_ends_with_a_courtesy() -> None:
    session = [ASK, agent(3, "The basket reads the live feed."), human(4, "Thanks"), agent(5, "Gladly.")]
    assert "The basket reads the live feed." in words(build(session)["convergence"])


def test_a_no_in_the_middle_of_a_turn_is_told_though_nobody_answered_it_in_words() -> None:
    no = human(4, "No, don't add a pause, look at the cursor. Then hand this off.")
    session = [ASK, agent(3, "I will add a pause between the pages."), no, run(5, "thruline handoff")[0]]
    assert "No, don't add a pause, look at the cursor." in said_by_user(session)


def test_a_plan_is_quoted_with_what_is_wrong_and_what_is_to_be_done() -> None:
    why = "The basket of the shop forgets its items when the page is left."
    body = f"## Why\n{why}\n\n## What\nKeep them in `basket.json`."
    plan = Said(2, "client", "plan", f"Implement the following plan:\n\n# Keep the basket\n\n{body}", uuid="k")
    text = words(build([plan, agent(3, "Done.")])["basics"])
    assert "forgets its items when the page is left" in text
    assert "Keep them in `basket.json`." in text


def test_a_long_plan_takes_its_share_and_no_more() -> None:
    steps = "\n".join(f"{at}. Write the part number {at} of the basket into `part_{at}.py`." for at in range(1, 90))
    plan = Said(2, "client", "plan", f"Implement the following plan:\n\n# Keep the basket\n\n{steps}", uuid="k")
    for room in (3_400, 11_000):
        (claim,) = [one for one in build([plan, agent(3, "Done.")], room)["basics"].claims if one.topic == ASKED]
        assert len(claim.quotes[0].text) < min(room // 6, 1_300)


def test_room_that_is_left_is_for_what_was_reported() -> None:
    parts = ("door", "roof", "cellar", "window", "stove", "chimney", "garden", "fence")
    session: list[Part] = [human(2, "Repair the house model.")]
    for at, name in enumerate(parts, 1):
        report = f"The {name} of the wooden model is mended. It hung on `{name}_hinge`. It has two screws now."
        session += [
            *edit(at * 10, f"/home/dev/house/{name}.py"),
            agent(at * 10 + 3, report),
            human(at * 10 + 4, "next"),
        ]
    text = render(session)
    assert all(f"The {name} of the wooden model is mended." in text for name in parts)


def test_what_the_agent_finds_good_about_its_work_is_left_out_first() -> None:
    report = (
        "The stove of the model is heated by `stove.py` now.\n\n"
        "- **Better user experience**: a consistent look with a clean design\n"
        "- `heat_stove(wood)` burns one log in ten minutes\n"
        "- **Maintainable code**: much easier to read and well-tested"
    )
    text = render([human(2, "Heat the stove."), *edit(3, "/home/dev/house/stove.py"), agent(5, report)])
    assert "burns one log in ten minutes" in text
    assert "Maintainable" not in text


def test_a_report_begins_with_what_it_is_about() -> None:
    session: list[Part] = [human(2, "Heat the stove, then mend the door.")]
    session += [
        *edit(3, "/home/dev/house/stove.py"),
        agent(
            5,
            "The stove of the model is heated with wood.\n\n"
            "- `heat_stove(wood)` burns one log in ten minutes\n- `ash.py` empties the ash pan",
        ),
    ]
    session += [
        human(6, "And the door?"),
        *edit(7, "/home/dev/house/door.py"),
        agent(9, "The door of the model is hung on `door_hinge` with wood screws."),
    ]
    quotes = [quote.text for claim in build(session)["convergence"].claims for quote in claim.quotes]
    assert any(text.startswith("The stove of the model is heated with wood.") for text in quotes)


def test_what_shares_the_words_of_a_correction_is_stated_nowhere_as_so() -> None:
    report = "\n".join(
        (
            "The restore of the journal is safe now.",
            "- This ensures that existing journal pages are never overwritten by the restore.",
            "- The log prints which of the pages were left alone.",
            "- `restore.py` has a new switch for the colour of the log.",
            "- The tests of the colour switch pass.",
            "- The manual names the colour switch.",
        )
    )
    session = [human(2, "Mend the restore of the journal."), *edit(3, "/home/dev/journal/restore.py"), agent(5, report)]
    session += [
        human(6, "No, that's wrong. Existing journal pages must be overwritten by the restore, that is its point.")
    ]
    session += [
        agent(7, "You're right. I'll change it."),
        *edit(8, "/home/dev/journal/restore.py"),
        agent(10, "Pages are replaced now."),
    ]
    sections = build(session)
    assert "never overwritten" not in words(sections["convergence"]) + words(sections["basics"])


def test_a_cause_that_the_agent_gave_up_is_not_where_a_session_landed() -> None:
    found = "Root cause: the lamp of the beacon is dark because the kernel of `relay.c` drops the pulse."
    session = [human(2, "The beacon is dark."), agent(3, found)]
    session += [human(4, "The pulse of `relay.c` arrives, I measured it. Look at the fuse.")]
    session += [agent(5, "Let me measure it too:"), *run(6, "make measure")]
    session += [agent(8, "You're right, the pulse arrives. The fuse is burnt."), human(9, "ok")]
    session += [agent(10, "The fuse is replaced.")]
    assert "drops the pulse" not in words(build(session)["convergence"])


def test_a_session_that_ends_with_a_correction_did_not_land_on_what_it_corrects() -> None:
    session: list[Part] = [human(2, "The beacon is dark."), *edit(4, "/b/relay.c")]
    session += [agent(6, "The relay of the beacon keeps the pulse now, because a dark relay was the cause.")]
    session += [human(7, "No, that's wrong. The relay of the beacon is fine, it is the fuse.")]
    assert "relay" not in words(build(session)["convergence"])


def test_what_does_not_fit_is_not_said_to_be_missing() -> None:
    painted = "The gull of the harbour is painted on both sides of the sign, with grey wings and a yellow beak."
    session = [human(2, f"{painted} Keep it."), agent(3, f"{painted} It stays.")]
    session += [human(4, "No, don't paint the gull. It was wrong."), agent(5, "You're right.")]
    for room in (60, 11_000):
        (first, *_) = build(session, room)["dead_ends"].claims
        assert first.text != "No dead end and no correction was found."
