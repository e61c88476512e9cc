"""A session to forget, and a folder where nothing else is."""

from pathlib import Path

import pytest

from tests.cli.kept import put_session


@pytest.fixture
def transcript(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return put_session(home)
