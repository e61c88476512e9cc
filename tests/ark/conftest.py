"""An empty ark."""

from pathlib import Path

import pytest

from thruline.ark.store import Ark


@pytest.fixture
def ark(tmp_path: Path) -> Ark:
    return Ark(str(tmp_path / "ark"))
