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


# --- what it can read ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"), ("utf-16-le", b""), ("utf-16-be", b"")],
)
def test_utf_16_is_scrubbed_in_its_own_encoding(tmp_path: Path, encoding: str, mark: bytes) -> None:
    path = tmp_path / "wide.txt"
    path.write_bytes(mark + f"Grüße 😀\r\nGITHUB_TOKEN={TOKEN}\r\n".encode(encoding))
    assert scrub("--check", str(path)).returncode == 1
    assert scrub("--yes", str(path)).returncode == 0
    assert path.read_bytes() == mark + "Grüße 😀\r\nGITHUB_TOKEN=[redacted:github-token]\r\n".encode(encoding)


def test_half_a_character_at_the_end_of_utf_16_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "wide.txt"
    path.write_bytes(f"\ufefftoken={TOKEN}\n".encode("utf-16-le") + b"x")
    assert scrub("--yes", str(path)).returncode == 0
    assert path.read_bytes() == "\ufefftoken=[redacted:github-token]\n".encode("utf-16-le") + b"x"


@pytest.mark.parametrize(
    "data",
    [
        b"plain text first\n" * 400 + f"token={TOKEN}\n".encode("utf-16-le"),
        f"\ufefftoken={TOKEN}\n".encode("utf-32-le"),
        f"token={TOKEN}\n".encode("utf-32-be"),
    ],
)
def test_what_cannot_be_looked_into_is_never_called_clean(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "mixed.txt"
    path.write_bytes(data)
    for result in (scrub("--check", str(path)), scrub("-", stdin=data)):
        assert result.returncode == 1
        assert b"UTF-16 or UTF-32" in result.stderr
        assert TOKEN.encode() not in result.stdout
        assert b"No secrets" not in result.stdout + result.stderr


def test_a_closed_input_is_an_expected_failure() -> None:
    done = subprocess.run(["sh", "-c", '"$@" <&-', "sh", *COMMAND, "-"], capture_output=True)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"Standard input is closed.\n")


# --- what it tells ------------------------------------------------------------------------------------------------


def test_the_diff_tells_little_of_a_long_secret_and_nothing_of_a_short_one(tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_text(f"password=hunter2222\nGITHUB_TOKEN={TOKEN}\n")
    shown = scrub(str(path)).stdout.decode()
    assert "-password=…(less than 20 characters)\n" in shown
    assert "-GITHUB_TOKEN=gh…(about 40 characters)\n" in shown


def test_other_names_of_the_file_are_told_to_keep_the_secret(tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_text(f"GITHUB_TOKEN={TOKEN}\n")
    for name in ("second", "third"):
        (tmp_path / name).hardlink_to(path)
    assert b"2 other hard links of it still have the secrets." in scrub("--yes", str(path)).stdout
    assert json.loads(scrub("--yes", "--json", str(tmp_path / "third")).stdout)["other_links"] == 1
    assert TOKEN not in path.read_text() + (tmp_path / "third").read_text()
    assert TOKEN in (tmp_path / "second").read_text()
