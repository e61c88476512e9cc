"""Work grows with the text and no faster, also on texts made to hurt. Counted in calls, not in seconds."""

import sys

import pytest

from thruline.redact import find_secrets

HOSTILE = [
    "ghp_", "eyJ", "eyJ.", "token=", "pwd=", "token:", 'token="', 'token=\\"', "-----BEGIN PRIVATE KEY-----", "://a:",
    "://a:b@", "cookie: a=b; ", "cookie=", "bearer ", "curl -s ", "mysql -a ", "\\", "\"'`", "_", "-", ".", "sk-",
    "xoxb-",
    "api_key=", "--token ", ":AA", "docker login -a ", 'secret: "\\', "password=Aa",
    "token='aaAaaAaa", '\\\\\\"token\\\\\\": \\\\\\"',
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
