"""A model's sections on top of the rules': never less than the rules alone, whatever it answers."""

import json
from pathlib import Path

import pytest

from tests.engines import scripted
from tests.sample import SAMPLE
from thruline.brief.document import parse_document
from thruline.brief.section import NAMES
from thruline.config.schema import Models
from thruline.engines import asker
from thruline.engines.asker import Answer, Usage
from thruline.engines.gate import Gate, Purpose
from thruline.engines.receipts import read_receipts
from thruline.errors import Refused
from thruline.extract.prompt import CHUNK
from thruline.extract.question import Question
from thruline.operations.handoff import ask, prepare
from thruline.operations.handoff.ask import Asked, ask_brief, build_dry_run, find_origins
from thruline.operations.handoff.brief import make_brief
from thruline.operations.sessions.locate import Located, locate

ROOT = Path(__file__).parents[2]
ENGINE = "api:test-model"


@pytest.fixture
def located(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Located:
    monkeypatch.setitem(asker.MODULES, "api", "tests.engines.scripted")
    monkeypatch.setattr(scripted, "seen", [])
    monkeypatch.chdir(tmp_path)
    return locate(str(SAMPLE), folder=str(tmp_path))


def section(name: str, content: str = "The exporter was at fault (`transcript:L23`).") -> str:
    return json.dumps({"section": name, "content": content, "pointers": []})


def make(located: Located, tmp_path: Path, models: Models = Models()) -> Asked:  # noqa: B008 - a value
    gate = Gate(ENGINE, models, str(tmp_path / "receipts.jsonl"), Purpose("handoff"))
    return ask_brief(
        located, gate, origin=ENGINE, root=str(tmp_path), overrides="", cache=str(tmp_path / "cache")
    )  # fmt: skip


def quotes_of_rules(located: Located) -> set[str]:
    made = make_brief(located, None)
    assert made.brief is not None
    return {
        quote.text
        for one in made.brief.sections
        if one.name == "dead_ends"
        for claim in one.claims
        for quote in claim.quotes
        if quote.by == "human"
    }


def test_five_questions_go_out_each_with_its_own_section_and_no_other_answer(located: Located, tmp_path: Path) -> None:
    scripted.script = lambda question: section(question.name, f"ANSWER-OF-{question.name} (`transcript:L23`)")
    made = make(located, tmp_path)
    assert sorted(question.name for question in scripted.seen) == sorted(NAMES)
    assert made.calls == 5
    for question in scripted.seen:
        assert "ANSWER-OF" not in question.prompt
        assert "The nightly export writes some orders twice." in question.prompt
    with_git = {question.name for question in scripted.seen if "<<<<< GIT" in question.prompt}
    assert with_git == {"code_state", "open_threads"}


def test_a_model_adds_and_the_rules_lose_nothing(located: Located, tmp_path: Path) -> None:
    scripted.script = lambda question: section(question.name)
    made = make(located, tmp_path)
    text = made.made.rendered.text
    assert "The exporter was at fault" in text
    corrections = quotes_of_rules(located)
    assert corrections
    assert all(words in text for words in corrections)
    assert set(find_origins(made.made).values()) == {f"{ENGINE}+rules"}


def test_an_invented_quotation_is_struck_and_counted(located: Located, tmp_path: Path) -> None:
    invented = 'The user: "we always wanted the dead end back" (`transcript:L3`).'
    scripted.script = lambda question: section(question.name, invented)
    made = make(located, tmp_path)
    assert "we always wanted" not in made.made.rendered.text
    assert made.made.tally.quotes["missing"] == 5


def test_a_file_outside_the_project_proves_nothing_that_a_model_says(located: Located, tmp_path: Path) -> None:
    project = tmp_path / "orders-export"  # called as the session's own, which is not on this machine
    project.mkdir()
    (project / "inside.py").write_text("x = 1\n")
    (tmp_path / "outside.py").write_text("x = 1\n")
    said = "It stands here (`file:/etc/passwd`, `file:../outside.py:L1`, `file:inside.py:L1`)."
    scripted.script = lambda question: section(question.name, said)
    text = make(located, project).made.rendered.text
    assert "file:inside.py:L1" in text
    assert "file:/etc/passwd" not in text
    assert "outside.py" not in text


def test_another_project_proves_nothing_that_a_model_says(located: Located, tmp_path: Path) -> None:
    project = tmp_path / "another"
    project.mkdir()
    (project / "inside.py").write_text("x = 1\n")
    prompts = []

    def careless(question: Question) -> str:
        prompts.append(question.prompt)
        return section(question.name, "It stands here (`file:inside.py:L1`).")

    scripted.script = careless
    text = make(located, project).made.rendered.text
    assert "inside.py" not in text
    assert [source.project for source in parse_document(text).sources] == ["/home/dev/orders-export"]
    assert all("REPO_ROOT: (the session's folder is not on this machine)" in prompt for prompt in prompts)


def test_a_bad_answer_is_asked_for_once_more_with_what_was_wrong(located: Located, tmp_path: Path) -> None:
    def careless(question: Question) -> str:
        second = "Your last answer could not be used" in question.prompt
        if question.name == "dead_ends" and not second:
            return '{"section": "dead_ends", "content": ""}'
        return section(question.name)

    scripted.script = careless
    made = make(located, tmp_path)
    assert made.calls == 6
    assert made.failures == ()
    assert '"pointers" is missing' in scripted.seen[-1].prompt


@pytest.mark.feature("F001-31", via="unit")
def test_when_every_answer_fails_the_rules_brief_stands_and_each_failure_is_named(
    located: Located, tmp_path: Path
) -> None:
    scripted.script = lambda _question: Answer("", "test-model", problem="refused: I cannot help with that")
    made = make(located, tmp_path)
    assert sorted(name for name, _ in made.failures) == sorted(NAMES)
    assert all("refused" in why for _, why in made.failures)
    text = made.made.rendered.text
    assert all(words in text for words in quotes_of_rules(located))
    assert set(find_origins(made.made).values()) == {"rules"}
    receipts, _ = read_receipts(str(tmp_path / "receipts.jsonl"))
    assert len(receipts) == 5, "what was no answer is not asked for again"


def cut_small(monkeypatch: pytest.MonkeyPatch) -> None:
    def small(*args: object, **kwargs: object) -> object:
        return prepare.prepare(*args, **kwargs, direct_tokens=100, chunk_tokens=400)  # type: ignore[arg-type]

    monkeypatch.setattr(ask, "prepare", small)


@pytest.mark.parametrize("problem", ["timeout: no answer in 300 s", "no access: status 401", "refused: status 400"])
def test_what_was_no_answer_is_not_asked_for_again(located: Located, tmp_path: Path, problem: str) -> None:
    scripted.script = lambda _question: Answer("", "test-model", problem=problem)
    assert make(located, tmp_path).calls == 5


def test_a_budget_that_ends_before_the_second_time_costs_a_section_and_no_brief(
    located: Located, tmp_path: Path
) -> None:
    def dear(question: Question) -> Answer:
        text = "no" if question.name == "basics" else section(question.name)
        return Answer(text, "test-model", Usage(7_000, 100))

    scripted.script = dear
    made = make(located, tmp_path, Models(daily_tokens=36_000))
    assert made.calls == 5
    assert [name for name, _ in made.failures] == ["basics"]
    assert "budget" in made.failures[0][1]
    assert find_origins(made.made)["convergence"] == f"{ENGINE}+rules"


def test_a_budget_that_ends_with_the_chunks_leaves_the_rules_brief(
    located: Located, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_small(monkeypatch)

    def dear(question: Question) -> Answer:
        value = {"chunk_index": question.number, "summary": "s", "key_pointers": []}
        return Answer(json.dumps(value), "test-model", Usage(50_000, 100))

    scripted.script = dear
    made = make(located, tmp_path, Models(daily_tokens=100_000))
    assert {question.name for question in scripted.seen} == {CHUNK}
    assert sorted(name for name, _ in made.failures) == sorted(NAMES)
    assert all(words in made.made.rendered.text for words in quotes_of_rules(located))


def test_a_budget_that_is_spent_already_is_told_and_nothing_is_sent(located: Located, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="budget"):
        make(located, tmp_path, Models(daily_tokens=100))


@pytest.mark.parametrize("summary", ["", "The agent considered X. " * 35_000, "The agent considered X. " * 900])
def test_no_question_is_larger_than_promised_whatever_the_chunks_say(
    located: Located, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, summary: str
) -> None:
    cut_small(monkeypatch)
    monkeypatch.setattr(ask, "DIRECT_TOKENS", 900)

    def answer(question: Question) -> str:
        if question.name != CHUNK:
            return section(question.name)
        return json.dumps({"chunk_index": question.number, "summary": summary, "key_pointers": []})

    scripted.script = answer
    made = make(located, tmp_path)
    five = [question for question in scripted.seen if question.name != CHUNK]
    assert len(five) == 5
    for question in five:
        spine = question.prompt.partition("<<<<< SPINE")[2]
        assert 1_000 < len(spine.encode()) < 900 * 4 + 100
        assert "<!-- chunk 0 -->" in spine
        assert "<!-- chunk 2 -->" in spine
    if not summary:
        assert "too long to follow" in five[0].prompt
        assert "No, don't add a pause." in five[0].prompt
    assert all(words in made.made.rendered.text for words in quotes_of_rules(located))


def test_a_long_session_is_asked_in_chunks_and_a_failed_chunk_stays_as_it_is(
    located: Located, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_small(monkeypatch)

    def summarise(question: Question) -> str:
        if question.name != CHUNK:
            return section(question.name)
        if question.number == 1:
            return "I would rather not."
        return json.dumps({"chunk_index": question.number, "summary": f"SUM-{question.number}", "key_pointers": []})

    scripted.script = summarise
    made = make(located, tmp_path)
    chunks = [question for question in scripted.seen if question.name == CHUNK]
    assert {question.number for question in chunks} >= {0, 1, 2}
    assert ("chunk 1", "There is no JSON object in it.") in made.failures
    five = [question for question in scripted.seen if question.name != CHUNK]
    for question in five:
        assert "SUM-0" in question.prompt
        assert "[chunk 1 summarization failed — raw text follows]" in question.prompt


def test_a_dry_run_shows_what_would_be_sent_and_asks_nobody(located: Located, tmp_path: Path) -> None:
    gate = Gate(ENGINE, Models(enabled=False), str(tmp_path / "r.jsonl"), Purpose("handoff"))
    sendings, more = build_dry_run(located, gate, root=str(tmp_path), overrides="", cache=str(tmp_path / "cache"))
    assert [sending.title for sending in sendings] == list(NAMES)
    assert not more
    assert scripted.seen == []


def test_nothing_of_the_spine_stays_behind(located: Located, tmp_path: Path) -> None:
    scripted.script = lambda question: section(question.name)
    make(located, tmp_path)
    assert list((tmp_path / "cache").iterdir()) == []
