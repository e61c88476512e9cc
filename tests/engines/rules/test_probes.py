"""What briefs of real sessions answer; needs the corpus beside the project."""

import os
from pathlib import Path

import pytest

from bench.brief import SHARED, score_files
from bench.probes import score_probes


@pytest.fixture
def corpus() -> Path:
    if not (SHARED / "corpus" / "probes.jsonl").is_file():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{SHARED} is missing")
        pytest.skip("needs ../shared")
    return SHARED / "corpus"


@pytest.mark.shared
def test_briefs_answer_what_the_next_session_asks(corpus: Path) -> None:
    short = [f"{row.name}: {row.value:.1f} %" for row in score_probes(corpus) if row.passed is False]
    assert short == []


@pytest.mark.shared
def test_the_files_of_real_sessions_are_told(corpus: Path) -> None:
    assert score_files(corpus).passed
