"""`thruline work`: hidden, kind to others, and silent where nothing is to do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tracer import trace
from tests.work.shop import Shop
from thruline.cli.door import run


def test_it_is_in_no_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    assert "\n  work " not in capsys.readouterr().out


def test_a_relative_root_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["work", "shop"]) == 1
    assert "full path" in capsys.readouterr().err


def test_it_says_what_it_did_and_runs_below_everyone_else(tmp_path: Path, home: Path) -> None:
    shop = Shop(tmp_path, home)
    shop.spool("prompt")
    code = (
        "import os, sys; from thruline.cli.door import run; before = os.nice(0); "
        "code = run(['work', sys.argv[1]]); print(os.nice(0) > before or before == 19); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(shop.root)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["1 event taken in.", "True"]


def test_it_opens_no_connection_and_starts_nothing_but_git(tmp_path: Path, home: Path) -> None:
    shop = Shop(tmp_path, home)
    shop.put()
    shop.git("init", "-q")
    shop.spool("turn_end", pid=os.getpid())
    shop.spool("session_end", reason="other")
    seen = trace([sys.executable, "-m", "thruline.cli.entry", "work", str(shop.root)], cwd=shop.root)
    assert seen.exit == 0, seen.output
    assert not [call for call in seen.named("socket", "connect") if "AF_UNIX" not in call.text]
    started = {os.path.basename(path) for path in seen.programs()[1:]}
    assert started <= {"git"}
    assert shop.resume() is not None
