"""What a foreign client said is read whatever it is, and shown without secrets or signs that act."""

import importlib
import os

import pytest

import thruline
from thruline.harnesses.headless import Ended, shorten
from thruline.harnesses.registry import HARNESSES

KEY = "sk-ant-" + "api03-" + "Zk3q9Xw7Rt2mVb8nLp5sYc1dHf6gJa4e" * 3
SOURCE = [os.path.dirname(thruline.__file__)]
ABLE = [one for one in HARNESSES if os.path.isfile(os.path.join(*SOURCE, *one.package.split(".")[1:], "oneshot.py"))]


def test_a_key_in_an_error_is_taken_out_and_colours_with_it() -> None:
    said = shorten(f"\x1b[31mError\x1b[0m: invalid x-api-key {KEY}\x07 \x1b]0;title\x07 status 401")
    assert KEY[:20] not in said
    assert "[redacted:" in said
    assert said.endswith("status 401")
    assert said.startswith("Error: ")
    assert said.isprintable()


def test_a_key_is_out_before_the_line_is_cut() -> None:
    assert KEY[-40:] not in shorten(f"x-api-key {KEY} " + "y" * 150)


@pytest.mark.parametrize("harness", ABLE, ids=lambda one: one.name)
@pytest.mark.parametrize("said", ["[" * 3_000_000, '{"a":' * 500_000, "\x00", "", "[]", '{"usage": []}', "\ud800"])
def test_whatever_a_client_prints_is_no_answer_and_no_crash(harness: "object", said: str, tmp_path: object) -> None:
    module = importlib.import_module(f"{harness.package}.oneshot")  # type: ignore[attr-defined]
    reply = module.read_reply(Ended(1, said, "went wrong", str(tmp_path)))
    assert reply.text == ""
    assert reply.problem
