"""What was refused is told by the words that announced it: the call names no more than a file."""

import pytest

from tests.engines.rules.talk import build
from tests.session.talk import agent, human, refuse, run
from thruline.brief.section import Claim
from thruline.session.parts import ERROR, OK, REFUSED, Call, Part, Result

FILE = "/home/dev/shop/src/invoice.py"
ASK = human(2, "The totals of an invoice are off by a cent.")
WHY = "The rows are rounded one by one. Let me round the sum with a helper in `money.py` instead:"
LAST: list[Part] = [agent(30, "The totals are right."), human(31, "Thanks."), agent(32, "You are welcome.")]


def tell(*session: Part) -> list[Claim]:
    return [one for one in build([ASK, *session, *LAST])["dead_ends"].claims if "Refused" in one.text]


def typed(line: int, about: str) -> Part:
    return human(line, "use the ledger's own rounding for that", "rejection", about=about)


def test_a_change_that_was_refused_with_a_reason_stands_below_what_announced_it() -> None:
    (claim,) = tell(agent(3, WHY), *refuse(4, FILE), typed(5, f"Edit {FILE}"))
    assert [(quote.by, quote.pointer.line) for quote in claim.quotes][:2] == [("agent", 3), ("human", 5)]
    assert claim.quotes[0].text == "Let me round the sum with a helper in `money.py` instead:"


def test_a_change_that_was_refused_without_a_word_is_quoted_with_what_announced_it() -> None:
    (claim,) = tell(agent(3, WHY), *refuse(4, FILE), human(6, "Leave the invoice alone for now."))
    assert claim.text.startswith("Refused, and not made since")
    assert [quote.text for quote in claim.quotes] == ["Let me round the sum with a helper in `money.py` instead:"]


def test_what_was_said_long_before_announces_nothing() -> None:
    (claim,) = tell(agent(3, WHY), *refuse(24, FILE), human(26, "Leave the invoice alone for now."))
    assert claim.quotes == ()


@pytest.mark.parametrize(
    ("command", "topic"),
    [("git log --oneline", "Questioned or redirected by the user"), ("git push", "Overruled by the user")],
)
def test_a_refused_look_overrules_nothing(command: str, topic: str) -> None:
    call: list[Part] = [Call(4, "c4", "Bash", "run", command), Result(5, "c4", REFUSED, 10, text="refused")]
    (claim,) = tell(agent(3, "Let me see."), *call, typed(5, f"Bash {command}"))
    assert claim.topic == topic


@pytest.mark.parametrize(
    ("outcome", "words"), [(OK, "Refused `Bash git push`, done later:"), (ERROR, "Refused `Bash git push`:")]
)
def test_what_was_refused_and_done_after_all_says_so(outcome: str, words: str) -> None:
    call: list[Part] = [Call(4, "c4", "Bash", "run", "git push"), Result(5, "c4", REFUSED, 10, text="refused")]
    (claim,) = tell(agent(3, "Pushing."), *call, typed(5, "Bash git push"), *run(20, "git push", outcome))
    assert claim.text == words
    assert [one.line for one in claim.pointers] == ([21] if outcome == OK else [])


def test_a_commit_that_was_refused_was_made_where_its_subject_is() -> None:
    command = "git add a.py && git commit -m 'Round the sum of an invoice'"
    call: list[Part] = [Call(4, "c4", "Bash", "run", command), Result(5, "c4", REFUSED, 10, text="refused")]
    made = run(20, "git commit -am x", commits=(("bc4d18f", "Round the sum of an invoice"),))
    (claim,) = tell(agent(3, "Now the commit."), *call, typed(5, f"Bash {command}"), *made)
    assert claim.text.endswith(", done later:")
