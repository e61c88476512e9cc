"""A summary that says a thing in other words has kept it; one that says something like it has not."""

import csv
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thruline.brief.kept.loss import count_kinds, find_lost
from thruline.brief.kept.remember import Fact

PLANTED = Path(__file__).parents[2] / "clients" / "planted.tsv"


def keeps(fact: str, summary: str, *others: str, kind: str = "said") -> bool:
    facts = [Fact(kind, fact, 1), *(Fact("said", other, 2) for other in others)]
    return facts[0] in find_lost(facts, summary)[0]


@pytest.mark.parametrize(
    ("fact", "summary"),
    [
        ("No, the gateway must listen on port 8437.", "Work so far.\nThe gateway has to use 8437 as its port."),
        ("Don't touch legacy/billing.py.", "Untouched by wish of the user: billing.py (legacy)."),
        ("We keep the v1 endpoint until March.", "1. Plan:\n   - until March the `v1` endpoint is kept"),
        ("Prices are stored in cents.", "Cents are how we store prices."),
        ("Nimm immer UTC in den Exportdateien.", "In Exportdateien steht immer UTC."),
        ("不要使用浮点数来表示金额", "用户要求：金额不要使用浮点数"),
    ],
)
def test_other_words_keep_a_fact(fact: str, summary: str) -> None:
    assert keeps(fact, summary)


@pytest.mark.parametrize(
    ("fact", "summary"),
    [
        ("No, the gateway must listen on port 8437.", "The gateway must listen on port 8080."),
        ("The timeout is 45 seconds.", "The timeout is 30 seconds."),
        ("Never commit directly to release/2.x.", "The user wants small commits."),
        ("Marta reviews everything under payments/.", "Marta was greeted.\n\nOrders.\n\nPayments are slow."),
        ("anything at all", ""),
    ],
)
def test_something_like_it_does_not(fact: str, summary: str) -> None:
    assert not keeps(fact, summary)


def test_a_command_is_kept_as_it_is_run_or_not_at_all() -> None:
    assert keeps("mise run test 2>&1 | tail -30", "Tests: `mise run test`.", kind="command")
    assert not keeps("uv run pytest -q tests/orders", "The tests of orders are run with uv.", kind="command")


def test_half_of_sixty_planted_facts_are_found_lost_and_the_rest_kept() -> None:
    with PLANTED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    facts = [Fact("command" if kind == "command" else "said", fact, at) for at, (kind, fact, _) in enumerate(rows, 1)]
    wrong_lost = wrong_kept = 0
    for seed in range(20):
        order = random.Random(seed).sample(range(60), 60)
        kept, reworded = set(order[:30]), [at for at in order[:30] if rows[at][2]][:10]
        lines = [rows[at][2] if at in reworded else rows[at][1] for at in kept]
        lost = {fact.line - 1 for fact in find_lost(facts, "\n".join(lines))[1]}
        wrong_lost += len(lost & kept)
        wrong_kept += len(set(range(60)) - kept - lost)
    assert wrong_lost <= 0.05 * 600
    assert wrong_kept <= 0.05 * 600


@given(st.lists(st.text(max_size=60), max_size=8), st.text(max_size=300))
def test_every_fact_is_kept_or_lost_and_nothing_breaks(texts: list[str], summary: str) -> None:
    facts = [Fact("said", text, at) for at, text in enumerate(texts)]
    kept, lost = find_lost(facts, summary)
    assert sorted(kept + lost, key=lambda fact: fact.line) == facts
    assert count_kinds(facts) == ({"said": len(facts)} if facts else {})


# --- a reader's verdict on pairs that we made, after the situations seen in real compactions

JUDGED = Path(__file__).parents[1] / "kept_or_lost.tsv"
FILLER = "The user works on a shop.\nThe agent read the exporter and wrote unit tests.\n"


def judge() -> dict[str, tuple[int, int]]:
    """For each situation how many verdicts we share with a reader, and of how many."""
    with JUDGED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    facts = [Fact("said", fact, at) for at, (_, _, fact, _) in enumerate(rows)]
    shared: dict[str, tuple[int, int]] = {}
    for at, (verdict, situation, _, says) in enumerate(rows):
        kept = facts[at] in find_lost(facts, f"{FILLER}- {says}\n")[0]
        right, whole = shared.get(situation, (0, 0))
        shared[situation] = right + (kept == (verdict == "kept")), whole + 1
    return shared


def test_verdicts_are_those_of_a_reader_and_where_they_are_not_the_fact_is_told_again() -> None:
    shared = judge()
    print(shared)
    lost = [shared[each] for each in ("the refused thing is said", "the same subject, another thing")]
    lost.append(shared["only small words in common"])
    assert sum(right for right, _ in lost) >= 0.95 * sum(whole for _, whole in lost), shared
    kept = [shared[each] for each in ("said in other words", "a quotation that was cut")]
    assert sum(right for right, _ in kept) >= 0.9 * sum(whole for _, whole in kept), shared
    # Of the tersest only half are seen to be the same; the others are told once more, which costs a line each.
    assert shared["in a few words"][0] >= 0.5 * shared["in a few words"][1], shared
