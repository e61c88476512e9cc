"""Both ways to decode a transcript."""

import pytest

from thruline.harnesses import line_reader


@pytest.fixture(params=["fast", "slow"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both decoders: the typed one of large files, the plain one of small ones."""
    monkeypatch.setattr(line_reader, "FAST_FROM_BYTES", -1 if request.param == "fast" else 1 << 60)
