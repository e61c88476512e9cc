"""What an engine answered before is taken again only where nothing that decides the answer changed."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bench import engines
from tests.engines import scripted
from tests.sample import SAMPLE
from thruline.config.schema import Models
from thruline.engines import asker
from thruline.engines.receipts import read_receipts
from thruline.layout import find_project, find_user_paths
from thruline.operations.handoff.engine import ask_cached, build_setting
from thruline.operations.sessions.locate import locate

ENGINE = "api:test-model"


@pytest.fixture(autouse=True)
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(asker.MODULES, "api", "tests.engines.scripted")
    monkeypatch.setattr(scripted, "seen", [])
    monkeypatch.chdir(tmp_path)

    def answer(question: scripted.Question) -> str:
        return json.dumps({"section": question.name, "content": "So it was (`transcript:L23`).", "pointers": []})

    monkeypatch.setattr(scripted, "script", answer)


@pytest.mark.parametrize("change", [{"model": "other"}, {"base_url": "http://127.0.0.1:1/v1"}])
def test_another_model_or_server_is_asked_anew(tmp_path: Path, change: dict[str, str]) -> None:
    located, project = locate(str(SAMPLE), folder=str(tmp_path)), find_project(str(tmp_path))
    setting = build_setting(located, ENGINE, project)

    def ask(models: Models) -> int:
        before = len(scripted.seen)
        ask_cached(
            located, replace(setting, models=models), project, budget=3_000, fresh=False, tell=lambda _: None
        )  # fmt: skip
        return len(scripted.seen) - before

    assert ask(Models()) == 5
    assert ask(Models()) == 0
    assert ask(Models(**change)) == 5  # type: ignore[arg-type]


def test_what_a_bench_spends_is_on_the_user_s_own_receipts(tmp_path: Path) -> None:
    context = engines.Context(folder=tmp_path, rounds=1, quick=True)
    corpus = SAMPLE.parent
    made = engines.make_briefs(ENGINE, [{"session": "s", "file": SAMPLE.name}], corpus, context, 1_000)
    found, _ = read_receipts(find_user_paths().receipts)
    assert [one.feature for one in found] == ["bench"] * 5
    assert made.tokens == 5 * 110
    again = engines.make_briefs(ENGINE, [{"session": "s", "file": SAMPLE.name}], corpus, context, 1_000)
    assert again.tokens == 5 * 110, "only this one's"
