"""A model may add; it can never remove (law 2)."""

from hypothesis import given
from hypothesis import strategies as st

from thruline.brief.claims.attributed import find_attributed
from thruline.brief.corrections import add_corrections
from thruline.brief.merge import merge_sections
from thruline.brief.pointer import place
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import NAMES, Brief, Claim, Section, order_sections
from thruline.signals.signal import Signal
from thruline.value import replace

CORRECTION = Claim("Overruled by the user.", quotes=(Quote("No, don't add a pause.", place(8)),), keep=True, weight=0.9)


def texts(section: Section) -> list[str]:
    return [claim.text for claim in section.claims]


def test_a_model_s_words_join_the_correction_they_quote_and_the_quotation_stays_the_rules() -> None:
    told = Claim(
        "A pause between batches (quoted below)", quotes=(Quote("don't add a pause", place(8)),), origin="agent"
    )
    merged = merge_sections(
        {"dead_ends": Section("dead_ends", (CORRECTION,))}, {"dead_ends": Section("dead_ends", (told,))}
    )
    (claim,) = merged["dead_ends"].claims
    assert claim.quotes == CORRECTION.quotes
    assert claim.text == "Overruled by the user. — (added by the engine agent) A pause between batches (quoted below)"
    assert claim.keep
    assert claim.origin == "rules+agent"


def test_a_model_that_talks_a_correction_away_is_named_as_the_one_who_says_so() -> None:
    own = Claim(quotes=CORRECTION.quotes, keep=True)
    told = Claim("The user withdrew (quoted below) — ignore it", quotes=CORRECTION.quotes, origin="api:x")
    merged = merge_sections({"dead_ends": Section("dead_ends", (own,))}, {"dead_ends": Section("dead_ends", (told,))})
    (claim,) = merged["dead_ends"].claims
    assert claim.text == "(added by the engine api:x) The user withdrew (quoted below) — ignore it"


def test_other_claims_come_on_top() -> None:
    told = Claim("The cursor was inclusive.", pointers=(place(9),), origin="agent")
    own = Claim("Fixed in one commit.", pointers=(place(10),))
    merged = merge_sections({"basics": Section("basics", (own,))}, {"basics": Section("basics", (told,))})
    assert texts(merged["basics"]) == ["The cursor was inclusive.", "Fixed in one commit."]


def test_of_what_was_rejected_the_users_words_come_before_a_models() -> None:
    told = Claim("A larger pause was tried.", pointers=(place(9),), origin="agent")
    merged = merge_sections(
        {"dead_ends": Section("dead_ends", (CORRECTION,))}, {"dead_ends": Section("dead_ends", (told,))}
    )
    assert texts(merged["dead_ends"]) == ["Overruled by the user.", "A larger pause was tried."]


def test_what_the_rules_said_already_is_not_said_again() -> None:
    own = Claim("The export runs every night at two.", pointers=(place(10),))
    told = Claim("the export runs every night at two", pointers=(place(11),), origin="agent")
    merged = merge_sections({"basics": Section("basics", (own,))}, {"basics": Section("basics", (told,))})
    assert merged["basics"].claims == (own,)


def test_beside_a_model_what_the_user_said_and_what_was_rejected_is_cut_last() -> None:
    unsure = Claim(quotes=(Quote("Not like that.", place(3)),), weight=0.24)
    disproved = Claim("The lock was not it.", pointers=(place(4),))
    nothing = Claim("No dead end was found.", statement=True)
    fact = Claim("It runs at two.", pointers=(place(5),))
    rules = {
        "dead_ends": Section("dead_ends", (unsure, disproved, nothing)),
        "basics": Section("basics", (unsure, fact)),
    }
    told = {"convergence": Section("convergence", (Claim("Done.", pointers=(place(6),), weight=0.9, origin="agent"),))}
    merged = merge_sections(rules, told)
    assert [claim.keep for claim in merged["dead_ends"].claims] == [True, True, False]
    assert [claim.keep for claim in merged["basics"].claims] == [True, False]
    assert [claim.keep for claim in merged["convergence"].claims] == [False]
    assert merge_sections(rules, {}) == rules


def test_a_section_of_one_side_alone_is_taken_whole() -> None:
    own = {"basics": Section("basics", (CORRECTION,))}
    told = {
        "convergence": Section("convergence", (Claim("x", origin="agent"),)),
        "basics": Section("basics", failed=True),
    }
    merged = merge_sections(own, told)
    assert merged == {"convergence": told["convergence"], "basics": own["basics"]}


def test_that_the_rules_found_nothing_ends_when_the_model_did() -> None:
    own = Section("open_threads", (Claim("No open thread was found.", statement=True),))
    told = Section("open_threads", (Claim("Staging was never run.", pointers=(place(4),), origin="agent"),))
    assert texts(merge_sections({"open_threads": own}, {"open_threads": told})["open_threads"]) == [
        "Staging was never run."
    ]


def test_what_git_says_stands_beside_what_a_model_says_of_the_code() -> None:
    git = Claim("Nothing: the project's folder is not a git repository.", topic="git says", statement=True)
    nothing = Claim("The session says nothing of its surroundings.", statement=True)
    told = Claim("The parser was changed.", pointers=(place(4),), origin="agent")
    merged = merge_sections(
        {"code_state": Section("code_state", (git, nothing))}, {"code_state": Section("code_state", (told,))}
    )
    assert merged["code_state"].claims == (told, git)


def test_that_a_model_found_nothing_is_not_said_beside_what_the_rules_found() -> None:
    told = {"dead_ends": Section("dead_ends", (Claim("Nothing was found for this section.", statement=True),))}
    assert merge_sections({"dead_ends": Section("dead_ends", (CORRECTION,))}, told)["dead_ends"].claims == (CORRECTION,)


def test_every_mined_correction_is_quoted_once_and_withdrawn_ones_with_a_note() -> None:
    signals = [
        Signal("correction", "human", "No, don't add a pause.", 8, strength=0.9),
        Signal("correction", "human", "don't add", 8, strength=0.5),
        Signal("correction", "human", "Look at the cursor", 8, strength=0.7),
        Signal("correction", "human", "Use tabs", 9, withdrawn=12),
        Signal("constraint", "human", "Never change the order", 10),
    ]
    nothing = Claim("No dead end was found.", statement=True)
    sections = {"dead_ends": Section("dead_ends", (nothing,)), "basics": Section("basics", (CORRECTION,))}
    made = add_corrections(sections, signals)
    assert made["basics"] == sections["basics"]
    claim, withdrawn = made["dead_ends"].claims
    assert (withdrawn.text, withdrawn.quotes[0].text) == ("Said, and taken back later:", "Use tabs")
    assert withdrawn.pointers == (place(12),)
    assert claim.quotes == (Quote("Look at the cursor", place(8)),)
    assert (claim.keep, claim.weight) == (True, 0.7)


def test_a_correction_that_the_rules_doubt_is_not_said_to_be_one() -> None:
    signals = [Signal("correction", "human", "the raw log:", 7, strength=0.5)]
    (claim,) = add_corrections({}, signals)["dead_ends"].claims
    assert (claim.topic, claim.keep) == ("Questioned or redirected by the user", True)


def test_the_name_of_the_engine_stands_once_however_many_words_join_one_claim() -> None:
    own = Claim(quotes=CORRECTION.quotes, keep=True)
    told = [
        Claim(text, quotes=CORRECTION.quotes, origin="agent")
        for text in (
            "It only hid the rows.",
            "(quoted below)",
            "The user said (quoted below)",
            "Tried in spring",
        )
    ]
    merged = merge_sections({"dead_ends": Section("dead_ends", (own,))}, {"dead_ends": Section("dead_ends", (*told,))})
    (claim,) = merged["dead_ends"].claims
    assert claim.text == "(added by the engine agent) It only hid the rows. Tried in spring"


def test_words_of_a_model_that_would_read_as_speech_beside_the_rules_are_left_out() -> None:
    own = Claim("Answered by the user:", quotes=CORRECTION.quotes, keep=True)
    told = Claim("the pause never worked at all", quotes=CORRECTION.quotes, origin="agent")
    merged = merge_sections({"dead_ends": Section("dead_ends", (own,))}, {"dead_ends": Section("dead_ends", (told,))})
    assert not any(find_attributed(merged["dead_ends"].claims[0].text))


WORDS = st.sampled_from(["No, don't add a pause.", "don't", "a pause", "never", "Look at the cursor", ""])
QUOTES = st.builds(Quote, WORDS.filter(bool), st.builds(place, st.integers(1, 4)))
CLAIMS = st.builds(Claim, WORDS, st.lists(QUOTES, max_size=3).map(tuple), keep=st.booleans(), statement=st.booleans())
SECTIONS = st.dictionaries(st.sampled_from(NAMES), st.lists(CLAIMS, max_size=4).map(tuple))


@given(SECTIONS, SECTIONS)
def test_every_quotation_of_the_rules_is_in_what_comes_out(
    rules: dict[str, tuple[Claim, ...]], model: dict[str, tuple[Claim, ...]]
) -> None:
    own = {name: Section(name, claims) for name, claims in rules.items()}
    merged = merge_sections(own, {name: Section(name, claims) for name, claims in model.items()})
    for name, section in own.items():
        kept = {quote for claim in merged[name].claims for quote in claim.quotes}
        wanted = {quote for claim in section.claims if not claim.statement for quote in claim.quotes}
        assert wanted <= kept
    assert Brief(order_sections(merged))


def test_words_that_led_to_a_quotation_end_well_without_it() -> None:
    told = Claim(
        "He wants to see it himself: (quoted below).",
        quotes=(Quote("a pause", place(8)),),
        origin="agent",
        numbers=(3,),
    )
    (claim,) = merge_sections(
        {"dead_ends": Section("dead_ends", (replace(CORRECTION, text=""),))},
        {"dead_ends": Section("dead_ends", (told,))},
    )["dead_ends"].claims
    assert claim.text == "(added by the engine agent) He wants to see it himself."
    assert claim.numbers == (3,)


def test_what_a_model_chose_of_a_long_message_is_not_lost_where_that_is_cut() -> None:
    message = Quote("Look at the cursor. " * 30 + "Write the tests first.", place(8))
    chosen = Quote("Write the tests first.", place(8))
    told = Claim("", (chosen,), origin="agent")
    own = {"basics": Section("basics", (Claim(quotes=(message,)),))}
    (claim,) = merge_sections(own, {"basics": Section("basics", (told,))})["basics"].claims
    assert claim.quotes == (message, chosen)
    short = {"basics": Section("basics", (Claim(quotes=(replace(message, text=message.text[-300:]),)),))}
    (claim,) = merge_sections(short, {"basics": Section("basics", (told,))})["basics"].claims
    assert len(claim.quotes) == 1
