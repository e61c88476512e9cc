"""An error that says what happened, where and what to do next."""

from pathlib import Path

from thruline.errors import DiskError, NotFound


def check_three_parts(error: DiskError | NotFound, where: Path) -> None:
    assert error.what
    assert str(where) in error.where
    assert error.next
