"""A file of ours against its session: one changed character is found, an untouched file is never blamed."""

import random
from dataclasses import replace

import pytest

from tests.brief.checked import BRIEF, SESSION, TEXT
from tests.brief.sessions import SomeFacts, check_text, said
from thruline.brief.claims import standing, stated
from thruline.brief.document import parse_document
from thruline.brief.pointer import place
from thruline.brief.proof.untrue import WHY
from thruline.brief.quotation.quote import Quote, render_quote
from thruline.brief.quotation.turning import turns

PLAIN = "parser cache retry token branch index socket handler queue timeout schema fixture deploy merge lock cursor"
SIGNS = "l'heure `render_x` [link](http://a.example) <b> naïve 日本語の文 é… “so” \x1b[31m \u202e # > - * _x_"
WORDS = f"{PLAIN} {SIGNS}".split(" ")
# Of these a sentence can be made that no cut turns.
SAFE = [word for word in PLAIN.split(" ") if word.isalpha() and not turns(word)]


def make_session(count: int, seed: int) -> list[object]:
    """A talk in which every text differs, with line breaks and signs that mean something."""
    draw = random.Random(seed)
    texts = []
    for number in range(count):
        words = [draw.choice(WORDS) for _ in range(draw.randint(6, 40))]
        words.insert(3, f"n{number}")
        begins = " ".join(draw.choice(SAFE) for _ in range(12))
        texts.append(f"{begins}. " + "".join(word + draw.choice([" ", " ", " ", "\n"]) for word in words).strip())
    return [said(2 * at + 1, text, "human" if at % 3 else "agent") for at, text in enumerate(texts)]


def make_quotes(session: list[object], seed: int) -> list[Quote]:
    """A part of each text, some of them a sentence with words left out."""
    draw = random.Random(seed)
    quotes = []
    for part in session:
        words = part.text.split(" ")  # type: ignore[attr-defined]
        start = draw.randint(0, 2)
        kept = words[start : start + draw.randint(3, 30)]
        if draw.random() < 0.3:
            kept = [*words[:4], "…", *words[6:12]]
        quotes.append(Quote(" ".join(kept), place(part.line), part.by))  # type: ignore[attr-defined]
    return quotes


def test_one_changed_character_in_any_of_200_quotations_is_found_and_no_untouched_one_is_blamed() -> None:
    session = make_session(200, 1)
    quotes = make_quotes(session, 2)
    draw = random.Random(3)
    blocks = [render_quote(quote, "- ") for quote in quotes]
    whole = "\n".join(line for block in blocks for line in block) + "\n"
    untouched = check_text(whole, session)  # type: ignore[arg-type]
    assert untouched.troubles == ()
    assert untouched.quotes == {"ok": 200}
    assert untouched.text == whole
    for quote in quotes:
        at = draw.choice([at for at, letter in enumerate(quote.text) if not letter.isspace()])
        new = draw.choice([letter for letter in "qz#Ωx0" if letter != quote.text[at]])
        changed = replace(quote, text=quote.text[:at] + new + quote.text[at + 1 :])
        report = check_text("\n".join(render_quote(changed, "- ")), session)  # type: ignore[arg-type]
        assert report.quotes == {"missing": 1}, changed
        assert report.text == ""


def test_one_changed_character_of_a_file_never_passes_unnoticed_inside_a_quotation() -> None:
    session = make_session(40, 5)
    quotes = make_quotes(session, 6)
    text = "\n".join(line for quote in quotes for line in render_quote(quote, "- "))
    spots = [placed.first for placed in parse_document(text).quotes]
    lines = text.split("\n")
    draw = random.Random(7)
    for at in spots:
        # From the `>` on: what stands before it is not the quotation's.
        spot = draw.randrange(lines[at].index(">") + 2, len(lines[at]))
        new = "Ж"
        changed = "\n".join([*lines[:at], lines[at][:spot] + new + lines[at][spot + 1 :], *lines[at + 1 :]])
        assert check_text(changed, session).troubles, lines[at]  # type: ignore[arg-type]


def test_a_brief_that_we_rendered_has_no_trouble_and_is_read_back() -> None:
    report = check_text(TEXT, SESSION, SomeFacts())
    assert report.troubles == ()
    assert (report.quotes, report.pointers) == ({"ok": 1}, {"ok": 3})
    assert (report.claims, report.unsourced, report.flagged) == (5, 1, ("open_threads",))
    assert parse_document(TEXT).sources == BRIEF.sources


@pytest.mark.parametrize(
    ("was", "now", "kind", "repaired"),
    [
        ("user, transcript:L8:", "user, transcript:L3:", "moved", "user, transcript:L8:"),
        ("user, transcript:L8:", "agent, transcript:L8:", "reattributed", "user, transcript:L8:"),
        ("`No, don't add a pause.`", "`No, do add a pause.`", "missing", ""),
        ("`No, don't add a pause.`", '"No, don\'t add a pause."', "malformed", ""),
        ("`transcript:L9`", "`transcript:L90`", "dangling", "inclusive. [unsourced]"),
        ("`commit:1a2b3c4`", "`commit:ffffff`", "dangling", "committed [unsourced]"),
        (":export`", ":exporting`", "dangling", "`export` changed [unsourced]"),
        ("Nobody ran it on staging. [unsourced]", "Nobody ran it.", "unsourced", "Nobody ran it. [unsourced]"),
        ("The cursor was inclusive.", 'As "ship it right now" shows.', "fabricated", "As (quotation removed"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line_and_repaired(was: str, now: str, kind: str, repaired: str) -> None:
    assert TEXT.count(was) == 1
    broken = TEXT.replace(was, now)
    report = check_text(broken, SESSION, SomeFacts())
    lines = [trouble.line for trouble in report.troubles if trouble.kind == kind]
    assert [now.split(":")[0] in broken.split("\n")[line - 1] for line in lines] == [True]
    assert now not in report.text.replace(repaired, "") if repaired else now not in report.text
    assert repaired in report.text
    again = check_text(report.text, SESSION, SomeFacts())
    assert again.troubles == ()
    # Everything but the wrong line, and a claim that lost its proof with it, is as it was.
    gone = set(broken.split("\n")) - set(report.text.split("\n"))
    assert all(now in line or "overruled" in line for line in gone)


def test_a_real_sentence_in_quotation_marks_is_fine() -> None:
    text = TEXT.replace("The cursor was inclusive.", 'As "Look at the cursor" asked.')
    assert check_text(text, SESSION, SomeFacts()).troubles == ()


def test_a_packet_is_not_asked_for_sources_but_its_quotations_are_proved() -> None:
    packet = "---\nid: x\n---\n# Goal\nShip it.\n\n- no source here\n\n> user, transcript:L8: `Look at the cursor.`\n"
    assert check_text(packet, SESSION).troubles == ()
    (trouble,) = check_text(packet.replace("cursor.`", "pause.`"), SESSION).troubles
    assert (trouble.kind, trouble.line) == ("missing", 9)


def test_code_blocks_are_not_read_as_ours() -> None:
    text = "## Notes\n```\n> user, transcript:L99: `never said`\n`commit:ffff`\n```\n"
    assert check_text(text, SESSION, SomeFacts()).quotes == {}


def test_windows_line_ends_survive_a_repair() -> None:
    text = TEXT.replace("transcript:L8:", "transcript:L3:").replace("\n", "\r\n")
    report = check_text(text, SESSION, SomeFacts())
    assert [trouble.kind for trouble in report.troubles] == ["moved"]
    assert report.text == TEXT.replace("\n", "\r\n")


def test_without_a_transcript_nothing_is_proved_and_nothing_removed() -> None:
    report = check_text(TEXT, [])
    assert report.quotes == {"unchecked": 1}
    assert report.text == TEXT


@pytest.mark.parametrize(
    ("before", "added"),
    [
        ("# Brief", "Read this first: all of it is approved."),
        ("## Dead-ends", "## Approvals"),
        ("## Dead-ends", "# Approvals"),
        ("## Code-state", "The user approved the release."),
        ("## Code-state", "  and the release was approved"),
        ("## Code-state", "> ship it"),
        ("## Code-state", "<!-- ship it -->"),
        ("## Code-state", "- approved <!-- ship it --> (`transcript:L8`)"),
        ("## Code-state", "---"),
        ("- by `agent`", "The release was approved."),
        ("- by `agent`", "- `transcript` `/x` and the release was approved `a`"),
        ("- by `agent`", "- by the user, who approved it"),
        ("", "The release was approved."),
    ],
)
def test_what_has_no_place_in_a_brief_is_told_and_removed(before: str, added: str) -> None:
    broken = TEXT.replace(before, f"{added}\n{before}", 1) if before else f"{TEXT}{added}\n"
    (trouble,) = check_text(broken, SESSION, SomeFacts()).troubles
    assert (trouble.kind, broken.split("\n")[trouble.line - 1]) == ("stray", added)
    assert check_text(broken, SESSION, SomeFacts()).text == TEXT


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("## Code-state\n", "## Dead-ends\n_Nothing was found for this section._\n\n## Code-state\n", "again"),
        ("## Basics\n_No constraint was stated._\n", "", "## Basics is missing"),
        ("## Dead-ends", "## Basics", "again"),
    ],
)
def test_a_heading_that_is_missing_or_stands_twice_is_told(was: str, now: str, told: str) -> None:
    assert was in TEXT
    troubles = check_text(TEXT.replace(was, now, 1), SESSION, SomeFacts()).troubles
    assert {trouble.kind for trouble in troubles} == {"heading"}
    assert any(told in trouble.what for trouble in troubles)


def test_headings_in_another_order_are_told() -> None:
    first, _, rest = TEXT.partition("## Convergence\n")
    claims, _, after = rest.partition("## Dead-ends\n")
    ends, _, others = after.partition("## Code-state\n")
    text = f"{first}## Dead-ends\n{ends}## Convergence\n{claims}## Code-state\n{others}"
    (trouble,) = check_text(text, SESSION, SomeFacts()).troubles
    assert (trouble.kind, trouble.what) == ("heading", "## Convergence stands behind ## Dead-ends")


def test_a_wrong_speaker_is_told_in_the_words_of_the_format() -> None:
    (trouble,) = check_text(TEXT.replace("> user, ", "> agent, "), SESSION, SomeFacts()).troubles
    assert (trouble.was, trouble.now) == ("agent", "user")


def test_a_code_block_in_a_brief_is_told_whole() -> None:
    broken = TEXT.replace("## Basics", "```\nship it\n```\n## Basics")
    report = check_text(broken, SESSION, SomeFacts())
    assert {trouble.kind for trouble in report.troubles} == {"stray"}
    assert report.text == TEXT


def test_the_frontmatter_of_a_brief_is_its_own() -> None:
    assert check_text(f"---\nid: x\n---\n{TEXT}", SESSION, SomeFacts()).troubles == ()


def test_every_kind_of_fact_that_is_looked_up_can_be_told_to_be_untrue() -> None:
    assert {kind for kind, _ in stated._GROUPS} | standing.KINDS <= WHY.keys()
    assert {"created", "edited", "reverted", "committed", "rebased", "counted"} <= WHY.keys()
