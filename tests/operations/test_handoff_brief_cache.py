"""A brief is taken from the cache only for the same session, leaf, engine, rules and prompts; else it is made anew."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.engines import scripted
from tests.harnesses.claude_code.conftest import Transcript
from thruline.engines import asker
from thruline.extract.prompt import FOLDER
from thruline.layout import ProjectPaths, find_project
from thruline.operations.handoff import brief, engine
from thruline.operations.handoff.brief import make_brief
from thruline.operations.handoff.engine import ask_cached, build_setting
from thruline.operations.sessions.locate import locate

ENGINE = "api:test-model"


@pytest.fixture
def paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ProjectPaths:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop").mkdir()
    return find_project(str(tmp_path / "shop"))


def talk_about(tmp_path: Path, words: str, number: int = 1) -> Transcript:
    session = f"5e551011-0000-4000-8000-00000000000{number}"
    talk = Transcript(tmp_path / "t" / f"{session}.jsonl", session)
    talk.user(words, cwd=str(tmp_path / "shop"))
    talk.agent("The cursor was inclusive, so each page began with a row of the last one.")
    return talk


def is_hit(talk: Transcript, paths: ProjectPaths, budget: int = 3_000) -> bool:
    return make_brief(locate(str(talk.path), folder=paths.root), paths, budget=budget).brief is None


@pytest.fixture
def talk(tmp_path: Path, paths: ProjectPaths) -> Transcript:
    made = talk_about(tmp_path, "Orders are written twice.")
    assert not is_hit(made, paths)
    assert is_hit(made, paths)
    return made


@pytest.mark.feature("F001-33", via="unit")
def test_a_session_that_grew_has_another_leaf_and_is_a_miss(talk: Transcript, paths: ProjectPaths) -> None:
    talk.user("And the invoices?")
    assert not is_hit(talk, paths)
    assert is_hit(talk, paths)


def test_a_session_that_is_written_anew_while_it_is_read_is_not_kept(tmp_path: Path, paths: ProjectPaths) -> None:
    talk = talk_about(tmp_path, "Orders are written twice.")

    def write_anew(_: int) -> None:
        talk.path.write_text(talk.path.read_text().replace("Orders", "Clocks"))

    made = make_brief(locate(str(talk.path), folder=paths.root), paths, progress=write_anew)
    assert (made.cached, made.trouble) == ("", "")
    assert not is_hit(talk, paths)
    assert is_hit(talk, paths)


@pytest.mark.feature("F001-33", via="unit")
def test_a_file_of_the_same_length_with_other_words_is_a_miss(talk: Transcript, paths: ProjectPaths) -> None:
    talk.path.write_text(talk.path.read_text().replace("Orders", "Clocks"))
    assert not is_hit(talk, paths)


@pytest.mark.feature("F001-33", via="unit")
@pytest.mark.parametrize("keeps_time", [False, True])
def test_a_word_masked_in_the_middle_of_a_large_file_is_not_told_again(
    paths: ProjectPaths, tmp_path: Path, keeps_time: bool
) -> None:
    talk = talk_about(tmp_path, "Orders are written twice.")
    talk.agent("I looked. " + "x" * 70_000)
    talk.user("No, don't use the secret word hunter in config.py, read it from the keyring.")
    talk.agent("You're right. " + "y" * 70_000)
    located = locate(str(talk.path), folder=paths.root)
    assert "hunter" in make_brief(located, paths).text
    before = talk.path.stat()
    talk.path.write_text(talk.path.read_text().replace("hunter", "******"))
    if keeps_time:
        os.utime(talk.path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert talk.path.stat().st_size == before.st_size
    assert "hunter" not in make_brief(located, paths).text


@pytest.mark.feature("F001-33", via="unit")
def test_a_subagents_file_of_the_same_length_with_other_words_is_a_miss(talk: Transcript, paths: ProjectPaths) -> None:
    side = Transcript(talk.path.with_suffix("") / "subagents" / "agent-a1.jsonl")
    side.user("Look at it.", isSidechain=True, agentId="a1")
    assert not is_hit(talk, paths)
    assert is_hit(talk, paths)
    side.path.write_text(side.path.read_text().replace("Look", "Talk"))
    assert not is_hit(talk, paths)


@pytest.mark.feature("F001-33", via="unit")
def test_another_session_is_a_miss(talk: Transcript, paths: ProjectPaths, tmp_path: Path) -> None:
    assert not is_hit(talk_about(tmp_path, "Orders are written twice.", 2), paths)
    assert is_hit(talk, paths)


@pytest.mark.feature("F001-33", via="unit")
def test_other_rules_are_a_miss(talk: Transcript, paths: ProjectPaths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brief, "VERSION", brief.VERSION + 1)
    assert not is_hit(talk, paths)


@pytest.mark.feature("F001-33", via="unit")
def test_another_budget_is_a_miss(talk: Transcript, paths: ProjectPaths) -> None:
    assert not is_hit(talk, paths, budget=1_000)


@pytest.mark.feature("F001-33", via="unit")
def test_a_repository_that_moved_on_is_a_miss(talk: Transcript, paths: ProjectPaths) -> None:
    subprocess.run(["git", "init", "-q"], cwd=paths.root, check=True)
    assert not is_hit(talk, paths)


def test_a_transcript_that_was_moved_is_a_miss_for_its_path_is_named_in_the_brief(
    talk: Transcript, paths: ProjectPaths
) -> None:
    moved = talk.path.parent.parent / "elsewhere" / talk.path.name
    moved.parent.mkdir()
    talk.path.rename(moved)
    made = make_brief(locate(str(moved), folder=paths.root), paths)
    assert str(moved) in made.text
    assert str(talk.path.parent) not in made.text


def test_a_subagent_whose_file_grew_is_a_miss(talk: Transcript, paths: ProjectPaths) -> None:
    beside = talk.path.with_suffix("") / "subagents" / "agent-a1b2c3d.jsonl"
    beside.parent.mkdir(parents=True)
    beside.write_text(talk.path.read_text())
    assert not is_hit(talk, paths)
    assert is_hit(talk, paths)
    beside.write_text(talk.path.read_text() * 2)
    assert not is_hit(talk, paths)


def test_a_brief_that_cannot_be_kept_is_there_all_the_same_and_says_why_it_is_not_kept(
    talk: Transcript, paths: ProjectPaths
) -> None:
    talk.user("And the invoices?")
    Path(paths.briefs).rename(Path(paths.briefs + ".old"))
    Path(paths.briefs).write_text("a file where the folder should be")
    made = make_brief(locate(str(talk.path), folder=paths.root), paths)
    assert "And the invoices?" in made.text
    assert made.cached == ""
    assert made.trouble.startswith("The brief is not kept in the cache.")
    assert paths.briefs in made.trouble


# --- an engine that is asked ------------------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[scripted.Question]:
    monkeypatch.setitem(asker.MODULES, "api", "tests.engines.scripted")
    monkeypatch.setattr(scripted, "seen", [])

    def answer(question: scripted.Question) -> str:
        return json.dumps({"section": question.name, "content": "So it was (`transcript:L1`).", "pointers": []})

    monkeypatch.setattr(scripted, "script", answer)
    return scripted.seen


def ask(talk: Transcript, paths: ProjectPaths, name: str = ENGINE, remark: str = "") -> None:
    located = locate(str(talk.path), folder=paths.root)
    setting = build_setting(located, name, paths)
    if remark:
        Path(setting.overrides).mkdir(parents=True, exist_ok=True)
        Path(setting.overrides, "basics.md").write_text(Path(FOLDER, "basics.md").read_text() + remark)
    ask_cached(located, setting, paths, budget=3_000, fresh=False, tell=lambda _: None)


@pytest.mark.feature("F001-33", via="unit")
def test_another_engine_is_asked_anew_and_the_rules_own_brief_answers_for_none(
    talk: Transcript, paths: ProjectPaths, asked: list[scripted.Question]
) -> None:
    ask(talk, paths)
    assert len(asked) == 5
    ask(talk, paths)
    assert len(asked) == 5
    ask(talk, paths, "api:other-model")
    assert len(asked) == 10


@pytest.mark.feature("F001-33", via="unit")
def test_other_rules_or_prompts_are_asked_anew(
    talk: Transcript, paths: ProjectPaths, asked: list[scripted.Question], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(talk, paths)
    with monkeypatch.context() as patch:
        patch.setattr(engine, "VERSION", engine.VERSION + 1)
        ask(talk, paths)
    assert len(asked) == 10
    ask(talk, paths)
    assert len(asked) == 15, "the brief of other rules had taken its place"
    ask(talk, paths, remark="Be brief.\n")
    assert len(asked) > 15
