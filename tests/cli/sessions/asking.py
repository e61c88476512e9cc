"""What `thruline sessions` answers."""

import pytest

from thruline.cli.door import run


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert run(["sessions", *arguments]) == code
    out = capsys.readouterr()
    return out.out if code == 0 else out.err
