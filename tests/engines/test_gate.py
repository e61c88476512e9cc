"""Every call passes one gate: switched on, budgeted, scrubbed, written down before and after."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.engines import scripted
from thruline.config.schema import Models
from thruline.engines import asker
from thruline.engines.asker import Answer, Usage, parse_engine
from thruline.engines.gate import Gate, Purpose
from thruline.engines.receipts import read_receipts
from thruline.errors import Refused, UsageError
from thruline.extract.question import Question

SECRET = "AKIA" + "IOSFODNN7EXAMPL3"


@pytest.fixture
def receipts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(asker.MODULES, "api", "tests.engines.scripted")
    monkeypatch.setattr(scripted, "seen", [])
    monkeypatch.setattr(scripted, "script", lambda question: f"answer to {question.name}")
    return str(tmp_path / "state" / "receipts.jsonl")


def build_gate(receipts: str, **models: object) -> Gate:
    return Gate("api:test-model", Models(**models), receipts, Purpose("handoff", "shop", "s-1"))  # type: ignore[arg-type]


def test_answers_come_in_the_order_of_the_questions(receipts: str) -> None:
    release = threading.Event()

    def slow_first(question: Question) -> str:
        if question.number == 0:
            assert release.wait(10)
        if question.number == 4:
            release.set()
        return str(question.number)

    scripted.script = slow_first
    answers = build_gate(receipts).ask([Question("chunk", "p", number) for number in range(5)])
    assert [answer.text for answer in answers] == ["0", "1", "2", "3", "4"]


def test_each_call_leaves_one_receipt_with_what_it_cost_and_nothing_that_was_said(receipts: str) -> None:
    build_gate(receipts).ask([Question("basics", "the whole prompt")])
    found, bad = read_receipts(receipts)
    assert bad == 0
    assert [(one.feature, one.model, one.project, one.session) for one in found] == [
        ("handoff", "test-model", "shop", "s-1")
    ]
    assert (found[0].read, found[0].written, found[0].dollars, found[0].outcome) == (100, 10, 0.001, "ok")
    text = Path(receipts).read_text()
    assert "the whole prompt" not in text
    assert "answer to" not in text
    assert os.stat(receipts).st_mode & 0o077 == 0


def test_a_secret_is_taken_out_before_a_prompt_leaves(receipts: str) -> None:
    gate = build_gate(receipts)
    question = Question("basics", f"key {SECRET} end")
    gate.ask([question])
    assert SECRET not in scripted.seen[0].prompt
    assert "[redacted:" in scripted.seen[0].prompt
    shown = gate.build_sendings([question])
    assert shown[0].text == scripted.seen[0].prompt
    assert sum(shown[0].redacted.values()) == 1


def test_a_dry_run_sends_nothing_and_writes_nothing(receipts: str) -> None:
    build_gate(receipts).build_sendings([Question("basics", "prompt")])
    assert scripted.seen == []
    assert not os.path.exists(receipts)


def test_the_switch_stops_every_call(receipts: str) -> None:
    with pytest.raises(Refused, match="switched off"):
        build_gate(receipts, enabled=False).ask([Question("basics", "prompt")])
    assert scripted.seen == []


def test_five_questions_over_the_budget_send_none_of_the_five(receipts: str) -> None:
    gate = build_gate(receipts, daily_tokens=5_000)
    with pytest.raises(Refused, match="budget") as caught:
        gate.ask([Question("chunk", "p" * 400, number) for number in range(5)])
    assert scripted.seen == []
    assert "thruline receipt" in caught.value.next
    assert read_receipts(receipts) == ([], 0)


def test_money_spent_today_stops_the_next_call_and_yesterday_s_does_not(receipts: str) -> None:
    scripted.script = lambda _question: Answer("{}", "test-model", Usage(1_000, 2_000, 0, 0.2))
    gate = build_gate(receipts, daily_dollars=0.45)
    gate.ask([Question("basics", "one"), Question("basics", "two")])
    with pytest.raises(Refused, match=r"0\.40 of 0\.45 dollars are spent, and this may take 0\.18"):
        gate.ask([Question("basics", "three")])
    lines = [json.loads(line) for line in Path(receipts).read_text().splitlines()]
    Path(receipts).write_text("".join(json.dumps(one | {"at": "2020-01-01T00:00:00Z"}) + "\n" for one in lines))
    gate.ask([Question("basics", "four")])


def test_money_is_reserved_before_it_is_spent_so_that_many_at_once_stay_within_the_day(receipts: str) -> None:
    together = threading.Barrier(2)

    def dear(_question: Question) -> Answer:
        together.wait(10)
        return Answer("{}", "test-model", Usage(1_000, 2_000, 0, 0.15))

    scripted.script = dear
    refused = []

    def ask() -> None:
        try:
            build_gate(receipts, daily_dollars=0.4).ask([Question("basics", "one"), Question("basics", "two")])
        except Refused as error:
            refused.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 3
    assert len(scripted.seen) == 2
    assert sum(one.dollars or 0 for one in read_receipts(receipts)[0]) <= 0.4


def test_a_call_that_hung_counts_with_the_money_it_may_have_cost(receipts: str) -> None:
    scripted.script = lambda _question: Answer("", "test-model", problem="timeout: 300 s")
    build_gate(receipts, daily_dollars=0.2).ask([Question("basics", "one")])
    with pytest.raises(Refused, match=r"0\.15 of 0\.20 dollars"):
        build_gate(receipts, daily_dollars=0.2).ask([Question("basics", "two")])


def test_an_engine_without_a_price_is_bounded_by_tokens_alone(receipts: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.script = lambda _question: Answer("{}", "test-model", Usage(100, 10))
    gate = build_gate(receipts, daily_dollars=0.2, daily_tokens=10_000)
    for _ in range(3):
        gate.ask([Question("basics", "one")])
    monkeypatch.setattr(scripted.Scripted, "priced", False)
    os.remove(receipts)
    gate.ask([Question("chunk", "one", number) for number in range(4)])
    with pytest.raises(Refused, match="tokens are spent"):
        gate.ask([Question("chunk", "one", number) for number in range(5)])


def test_an_engine_that_fails_still_has_its_receipt_and_the_estimate_stands(receipts: str) -> None:
    scripted.script = lambda _question: Answer("", "test-model", problem="timeout: 300 s")
    answers = build_gate(receipts).ask([Question("basics", "p" * 4_000)])
    assert answers[0].problem == "timeout: 300 s"
    found, _ = read_receipts(receipts)
    assert (found[0].read, found[0].exact, found[0].outcome) == (1_000, False, "timeout")


def test_an_engine_that_breaks_costs_its_own_answer_and_its_estimate_counts(receipts: str) -> None:
    def broken(question: Question) -> str:
        if question.number == 1:
            raise RecursionError
        return "fine"

    scripted.script = broken
    answers = build_gate(receipts).ask([Question("chunk", "p" * 4_000, number) for number in range(3)])
    assert [answer.text for answer in answers] == ["fine", "", "fine"]
    assert "RecursionError" in answers[1].problem
    found, _ = read_receipts(receipts)
    assert [(one.read, one.outcome) for one in found] == [(100, "ok"), (1_000, "failed"), (100, "ok")]


def test_an_interrupt_ends_what_runs_and_does_not_send_the_rest(receipts: str) -> None:
    def interrupt(_question: Question) -> str:
        raise KeyboardInterrupt

    scripted.script = interrupt
    with pytest.raises(KeyboardInterrupt):
        build_gate(receipts).ask([Question("chunk", "p", number) for number in range(40)])
    assert len(scripted.seen) < 40
    found, _ = read_receipts(receipts)
    assert {one.outcome for one in found} == {"interrupted"}
    assert sum(one.written for one in found) == 0


def test_a_process_killed_in_a_call_has_spent_its_estimate(receipts: str) -> None:
    code = f"""
import os
from tests.engines import scripted
from thruline.engines import asker
from thruline.engines.gate import Gate, Purpose
from thruline.config.schema import Models
from thruline.extract.question import Question
asker.MODULES["api"] = "tests.engines.scripted"
scripted.script = lambda question: os._exit(9)
Gate("api:m", Models(), {receipts!r}, Purpose("handoff")).ask([Question("basics", "p" * 4000)])
"""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, check=False)
    assert done.returncode == 9
    found, _ = read_receipts(receipts)
    assert [(one.read, one.outcome) for one in found] == [(1_000, "unknown")]
    with pytest.raises(Refused, match="3,000 of 3,100"):
        build_gate(receipts, daily_tokens=3_100).ask([Question("basics", "p")])


def test_a_torn_line_among_the_receipts_is_counted_and_costs_no_other(receipts: str) -> None:
    build_gate(receipts).ask([Question("basics", "one")])
    with open(receipts, "a") as file:
        file.write('{"schema": 1, "id": "x"}\n{"torn')
    found, bad = read_receipts(receipts)
    assert (len(found), bad) == (1, 2)


def test_an_engine_s_usage_of_nothing_is_known_to_be_nothing(receipts: str) -> None:
    scripted.script = lambda _question: Answer("", "m", Usage(exact=False), "refused")
    build_gate(receipts).ask([Question("basics", "p")])
    assert read_receipts(receipts)[0][0].read == 0


@pytest.mark.parametrize("text", ["gpt", "api:", "command", "rules:x", "", "agent:1"])
def test_an_unknown_engine_is_refused_with_those_that_are_known(text: str) -> None:
    with pytest.raises(UsageError, match="no engine") as caught:
        parse_engine(text)
    assert "command:<harness>" in caught.value.next


def test_a_model_s_name_is_short_and_plain_on_a_receipt(receipts: str) -> None:
    scripted.script = lambda _question: Answer("{}", "\x1b[31mevil\n" + "A" * 2_000_000, Usage(1, 1))
    build_gate(receipts).ask([Question("basics", "p")])
    [found], _ = read_receipts(receipts)
    assert len(found.model) <= 100
    assert found.model.isprintable()


def test_a_name_that_is_no_text_does_not_stop_a_question(receipts: str) -> None:
    build_gate(receipts).ask([Question("basics", "status: \udcff.py")])
    assert scripted.seen[0].prompt.encode("utf-8") == b"status: ?.py"
