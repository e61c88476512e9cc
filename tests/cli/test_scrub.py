"""`thruline scrub` as a user meets it: a real process, a real file, a real terminal where one is needed."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.redact.planting import fill

COMMAND = [sys.executable, "-m", "thruline.cli.entry", "scrub"]
TOKEN = fill("ghp_{alnum:36}", 7)
TEXT = f"keep\r\npassword=hunter22\nGITHUB_TOKEN={TOKEN}\nAuthorization: Bearer {fill('{alnum:40}', 8)}\n".encode()
BYTES = b"\xff\xfe\x00" + TEXT


def scrub(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *arguments], input=stdin, capture_output=True, timeout=60, check=False)


def scrub_on_terminal(path: Path, answer: bytes) -> tuple[int, bytes]:
    pid, fd = pty.fork()
    if pid == 0:
        os.execv(COMMAND[0], [*COMMAND, str(path)])
    os.write(fd, answer)
    seen = b""
    while True:
        try:
            piece = os.read(fd, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), seen


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.md"
    path.write_bytes(BYTES)
    return path


@pytest.mark.feature("F000-57", via="cli")
@pytest.mark.parametrize("answer", [b"\n", b"n\n"])
def test_enter_alone_means_no(note: Path, answer: bytes) -> None:
    code, seen = scrub_on_terminal(note, answer)
    assert code == 1
    assert b"[y/N]" in seen
    assert note.read_bytes() == BYTES


@pytest.mark.feature("F000-55", via="cli")
def test_the_diff_is_shown_masked_and_yes_writes(note: Path) -> None:
    code, seen = scrub_on_terminal(note, b"y\n")
    assert code == 0
    assert b"+GITHUB_TOKEN=[redacted:github-token]" in seen
    assert TOKEN.encode() not in seen
    after = note.read_bytes()
    assert TOKEN.encode() not in after
    assert after.startswith(b"\xff\xfe\x00keep\r\npassword=[redacted:password]\nGITHUB_TOKEN=[redacted:github-token]\n")


@pytest.mark.feature("F000-57", via="cli")
def test_without_a_terminal_nothing_is_written(note: Path) -> None:
    result = scrub(str(note))
    assert result.returncode == 1
    assert b"Nothing was written" in result.stderr
    assert note.read_bytes() == BYTES


def test_yes_writes_and_json_gives_the_receipt(note: Path) -> None:
    result = scrub("--yes", "--json", str(note))
    assert result.returncode == 0
    receipt = json.loads(result.stdout)
    assert receipt["written"] is True
    assert receipt["receipt"] == {"authorization": 1, "github-token": 1, "password": 1}
    assert TOKEN.encode() not in result.stdout


def test_check_says_one_and_writes_nothing(note: Path) -> None:
    assert scrub("--check", str(note)).returncode == 1
    assert note.read_bytes() == BYTES


def test_nothing_found_leaves_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "clean.txt"
    path.write_text("nothing here")
    before = path.stat()
    result = scrub("--yes", str(path))
    assert result.returncode == 0
    assert b"No secrets found" in result.stdout
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


def test_a_stream_goes_through_with_its_receipt_on_stderr() -> None:
    result = scrub("-", stdin=BYTES)
    assert result.returncode == 0
    assert result.stdout.startswith(b"\xff\xfe\x00keep\r\npassword=[redacted:password]\n")
    assert b"3 secrets found" in result.stderr


def test_links_folders_and_missing_files_are_refused_in_three_parts(tmp_path: Path, note: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(note)
    for path in (link, tmp_path, tmp_path / "absent"):
        result = scrub("--yes", str(path))
        assert result.returncode == 1
        assert b"  where  " in result.stderr
        assert b"  try    " in result.stderr
    assert note.read_bytes() == BYTES
