"""Work grows with the text and no faster, also on texts made to hurt.

Calls are counted where Python does the work. What happens inside a pattern has no calls to count: there the texts are
so long that a search which reads them anew from every place would take minutes, and the timeout ends it. How fast it
is, `make bench` says.
"""

import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.redact.planting import fill
from thruline.redact import find_secrets
from thruline.redact.rules import Named, Shape, read_rules

RULES = (*read_rules().shapes, *read_rules().named)
HOSTILE = [
    "ghp_", "eyJ", "eyJ.", "-eyJ", "token=", "TOKEN=.", "token=,", "PASSWORD=.", "password:.", "pwd=", "token:",
    'token="', 'token=\\"', "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY------ ", "://a:", "://a:b@",
    "cookie: a=b; ", "cookie=x=1; ", "cookie=x=1;", "set-cookie:x=1;", "cookie=", "authorization:", "bearer ",
    "bearer.",
    "curl -s ", "mysql -a ", "\\", "\"'`", "_", "-", ".", "sk-", "xoxb-", "api_key=", "API_KEY=a1b2", "--token ", ":AA",
    "docker login -a ", 'secret: "\\', "password=Aa", "token='aaAaaAaa", '\\\\\\"token\\\\\\": \\\\\\"', "machine a ",
    "machine a login b ", "secret,\n", 'key", "value', "password\\n", "://aaaaaaaa",
]  # fmt: skip


def count_calls(text: str) -> int:
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        find_secrets(text)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("piece", HOSTILE)
def test_four_times_the_text_is_at_most_five_times_the_calls(piece: str) -> None:
    find_secrets(piece * 10)  # compiles what is compiled once
    small = count_calls((piece * 4000)[:4000])
    large = count_calls((piece * 16000)[:16000])
    assert large <= 5 * small + 500


@pytest.mark.timeout(30)
@pytest.mark.parametrize("piece", HOSTILE)
def test_a_long_text_of_one_piece_ends(piece: str) -> None:
    assert find_secrets(piece * (400_000 // len(piece))) is not None


@pytest.mark.timeout(60)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_half_a_megabyte_of_what_a_rule_looks_for_ends(rule: Shape | Named) -> None:
    pieces = [*(word.decode() for word in getattr(rule, "words", ())), *rule.survives, *rule.found]
    pieces = [fill(piece, n)[:48] for n, piece in enumerate(pieces)]
    share = 500_000 // len(pieces)
    assert find_secrets("\n".join((piece * share)[:share] for piece in pieces)) is not None


pieces_of_rules = st.builds(
    lambda example, seed, start, length: fill(example, seed)[start : start + length],
    st.sampled_from([text for rule in RULES for text in (*rule.found, *rule.survives)]),
    st.integers(0, 2**16),
    st.integers(0, 24),
    st.integers(1, 24),
)


@pytest.mark.timeout(180)
@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(st.lists(pieces_of_rules, min_size=1, max_size=3).map("".join).filter(bool))
def test_a_long_text_of_any_pieces_of_the_rules_ends(piece: str) -> None:
    assert find_secrets((piece * 100_000)[:100_000]) is not None
