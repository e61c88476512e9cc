"""How long a mark can be believed."""

import sys
from pathlib import Path

import pytest

from thruline.disk.transaction import boot
from thruline.errors import NotFound

find_boot = boot.find_boot.__wrapped__  # what it finds, not what it remembers


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux")
def test_linux_tells_its_boot() -> None:
    assert find_boot() == Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def test_a_system_that_does_not_tell_is_an_empty_word(monkeypatch: pytest.MonkeyPatch) -> None:
    def hide(path: str, limit: int) -> bytes:
        raise NotFound("masked", where=path)

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(boot, "read_capped", hide)
    assert find_boot() == ""


def test_it_is_one_word_whatever_the_system_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boot, "_ask", lambda: " two words\n")
    assert find_boot() == "twowords"
