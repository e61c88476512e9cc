"""A correction is quoted with the sentence that corrects."""

from thruline.session.parts import Said
from thruline.signals.people import PeopleMiner
from thruline.signals.situation import Situation, Step


def quote(text: str, answer: str, edited: str = "") -> str:
    miner = PeopleMiner()
    situation = Situation(Said(5, "human", "turn", text), (Step("text", "Done. Every step is logged now."),))
    situation.answer(Step("text", answer))
    if edited:
        situation.answer(Step("edit", edited, (edited,)))
    miner.see(situation)
    return next(one.quote for one in miner.signals if one.kind == "correction")


def test_what_is_explained_away_in_brackets_is_not_what_corrects() -> None:
    text = (
        "1. the cache file doesn't appear until the second request (by design I think)\n"
        "2. I see the counter go up from one to two in the file\n"
        "The journal doesn't seem to show the evictions anymore though?\n"
        "Feb  9 09:56:27.990 |DEBU| request served success=true duration_ms=46 component=http agent=main\n"
    )
    said = quote(text, "Good catch. Let me trace where evictions happen and whether they reach the journal.")
    assert said == "The journal doesn't seem to show the evictions anymore though?"


def test_of_two_sentences_the_one_that_the_answer_takes_up_is_quoted() -> None:
    one, other = "But the parser does not count blank lines.", "But the writer does not keep the order."
    text = f"{one}\n\n{'I looked at it for quite a while this morning, over coffee. ' * 3}\n\n{other}"
    assert quote(text, "You're right, the writer loses the order. Let me fix that.", "src/writer.py") == other
    assert quote(text, "You're right, the parser ignores blank lines.", "src/parser.py").startswith(one)


def test_a_sentence_stands_with_the_one_that_leads_to_it_in_the_same_breath() -> None:
    thanks = f"Thanks for the explanation of {'the timer and ' * 9}the rest.\n\n"
    text = thanks + "But nothing is happening. Isn't it supposed to fire?"
    said = quote(text, "You're right, it should fire. The timer was never started.")
    assert said == "But nothing is happening. Isn't it supposed to fire?"
