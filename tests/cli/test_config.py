"""`thruline config` from the command line: what it prints, writes and refuses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from thruline.cli.door import run
from thruline.config.schema import find_settings
from thruline.disk.atomic import Lock
from thruline.layout import find_user_paths


@pytest.fixture
def file() -> Path:
    """The user's config file, which does not exist yet."""
    return Path(find_user_paths().config_file)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a marker, as the working folder."""
    root = tmp_path / "project"
    (root / ".agent" / "context").mkdir(parents=True)
    (root / ".agent" / "context" / "root.json").write_text("{}")
    monkeypatch.chdir(root)
    return root


def told(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert run(["config", *words]) == code
    out, err = capsys.readouterr()
    return out + err


def test_list_shows_every_value_with_its_origin(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told(capsys, "set", "git.timeout_seconds", "3")
    monkeypatch.setenv("THRULINE_REDACT_ENTROPY", "no")
    rows = [line.rsplit("  ", 1) for line in told(capsys, "list").splitlines()]
    assert [pair.split(" = ")[0] for pair, _ in rows] == [setting.key for setting in find_settings()]
    assert len({len(pair) for pair, _ in rows}) == 1, "the origins stand in one column"
    origins = {pair.rstrip(): origin for pair, origin in rows}
    assert origins["git.timeout_seconds = 3.0"] == f"{file}:2"
    assert origins["redact.entropy = false"] == "THRULINE_REDACT_ENTROPY"
    assert origins["ark.exclude = []"] == "default"
    found = json.loads(told(capsys, "list", "--json"))
    assert found["settings"][0]["origin"] == {"kind": "user", "where": str(file), "line": 2}


def test_a_key_is_kept_private_and_never_shown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secret = "sk-" + "never-to-be-shown"
    said = told(capsys, "set", "models.openai_key", secret)
    said += told(capsys, "list") + told(capsys, "list", "--json") + told(capsys, "get", "models.openai_key")
    assert secret not in said
    assert said.count("(set; not shown)") == 4
    assert file.stat().st_mode & 0o077 == 0
    assert secret in file.read_text()


def test_set_creates_the_file_get_reads_it_and_unset_takes_it_out(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not file.parent.exists()
    assert f"Wrote {file}" in told(capsys, "set", "ark.enabled", "on")
    assert file.read_text() == "[ark]\nenabled = true\n"
    assert told(capsys, "get", "ark.enabled") == "true\n"
    assert "in force  ark.enabled = false  default" in told(capsys, "unset", "ark.enabled")
    assert "Nothing to change" in told(capsys, "unset", "ark.enabled")


def test_set_keeps_comments_order_and_other_keys(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.parent.mkdir(parents=True)
    file.write_bytes(b"# mine\r\n[git]  # g\r\ntimeout_seconds = 4 # slow disk\r\n[disk]\r\nlock_seconds=3\r\n")
    told(capsys, "set", "git.timeout_seconds", "2.5")
    assert file.read_bytes() == (
        b"# mine\r\n[git]  # g\r\ntimeout_seconds = 2.5 # slow disk\r\n[disk]\r\nlock_seconds=3\r\n"
    )


def test_set_says_when_another_source_outranks_the_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THRULINE_GIT_TIMEOUT_SECONDS", "1")
    out = told(capsys, "set", "git.timeout_seconds", "9")
    assert "in force  git.timeout_seconds = 1.0  THRULINE_GIT_TIMEOUT_SECONDS" in out


def test_a_project_file_is_written_where_it_narrows(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "set", "--project", "git.timeout_seconds", "1")
    file = project / ".agent" / "context" / "config.toml"
    assert file.read_text() == "[git]\ntimeout_seconds = 1.0\n"
    assert told(capsys, "get", "git.timeout_seconds") == "1.0\n"


@pytest.mark.parametrize("words", [("git.timeout_seconds", "6"), ("redact.entropy", "false"), ("ark.enabled", "true")])
def test_a_project_file_is_not_written_where_it_would_widen(
    words: tuple[str, str], project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "A project may" in told(capsys, "set", "--project", *words, code=1)
    assert not (project / ".agent" / "context" / "config.toml").exists()


def test_what_the_users_own_file_lowered_a_project_may_not_raise(capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "set", "git.timeout_seconds", "2")
    told(capsys, "set", "--project", "git.timeout_seconds", "3", code=1)


def test_a_projects_file_that_leads_elsewhere_is_not_written_through(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = tmp_path / "elsewhere.toml"
    elsewhere.write_text("")
    (project / ".agent" / "context" / "config.toml").symlink_to(elsewhere)
    for words in (("set", "--project", "disk.lock_seconds", "5"), ("unset", "--project", "disk.lock_seconds")):
        told(capsys, *words, code=1)
    assert elsewhere.read_text() == ""


def test_a_project_without_a_marker_gets_no_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".agent" / "context" / "root.json").unlink()
    assert "thruline context init" in told(capsys, "set", "--project", "git.timeout_seconds", "1", code=1)
    assert os.listdir(project / ".agent" / "context") == []
    assert "project  none" in told(capsys, "path")


def test_a_widening_project_shows_as_a_warning_with_its_line(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = project / ".agent" / "context" / "config.toml"
    file.write_text("[ark]\nenabled = true\n")
    assert f"warning: {file}:2: A project may do nothing to ark.enabled. Ignored." in told(capsys, "list")


@pytest.mark.parametrize("text", ["[git\n", "[git]\na = 1\na = 2\n", "disk = 3\n"])
def test_a_broken_file_is_shown_and_never_touched(text: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(text)
    line = text.count("\n")
    assert f"error: {file}:{line}: " in told(capsys, "list")
    assert f"{file}:{line}" in told(capsys, "get", "disk.lock_seconds")
    assert f"{file}:{line}" in told(capsys, "set", "disk.lock_seconds", "2", code=1)
    assert file.read_text() == text


def test_set_mends_its_own_key(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.parent.mkdir(parents=True)
    file.write_text('[git]\ntimeout_seconds = "3" # slow\n')
    assert "error" not in told(capsys, "set", "git.timeout_seconds", "4")
    assert file.read_text() == "[git]\ntimeout_seconds = 4.0 # slow\n"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("[git]\nfoo = 1\ntimeout_seconds = 3\n", "[git]\ntimeout_seconds = 3\n"),
        ("[git]\ntimeout_seconds = 'x'\n", ""),
        ("[gti]\ntimeout_seconds = 3\n", ""),
    ],
)
def test_the_advice_given_takes_a_wrong_key_out(
    text: str, after: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(text)
    key = "gti.timeout_seconds" if "gti" in text else "git.foo" if "foo" in text else "git.timeout_seconds"
    assert f"thruline config unset {key}" in told(capsys, "list") or "gti" in text
    assert "error" not in told(capsys, "unset", key)
    assert file.read_text() == after


def test_the_advice_for_a_projects_file_names_that_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = project / ".agent" / "context" / "config.toml"
    file.write_text("[git]\nfoo = 1\n")
    assert "thruline config unset git.foo --project" in told(capsys, "list")
    told(capsys, "unset", "git.foo", "--project")
    assert file.read_text() == ""


def test_what_is_wrong_with_other_keys_is_told_and_stays(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.parent.mkdir(parents=True)
    file.write_text("[git]\nfoo = 1\n")
    said = told(capsys, "set", "disk.lock_seconds", "2")
    assert f'error: {file}:2: There is no setting "git.foo".' in said
    assert f"Wrote {file}" in said
    assert file.read_text() == "[git]\nfoo = 1\n\n[disk]\nlock_seconds = 2.0\n"
    assert json.loads(told(capsys, "unset", "disk.lock_seconds", "--json"))["problems"][0]["line"] == 2


def test_get_prints_the_value_alone_on_its_own_stream(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.parent.mkdir(parents=True)
    file.write_text("nonsense")
    assert run(["config", "get", "git.timeout_seconds"]) == 0
    assert capsys.readouterr().out == "5.0\n"


@pytest.mark.parametrize(
    ("words", "code", "hint"),
    [
        (("get", "git.timeout"), 2, "did you mean git.timeout_seconds?"),
        (("set", "git.timeout", "3"), 2, "did you mean git.timeout_seconds?"),
        (("unset", "git.timeout"), 2, "did you mean git.timeout_seconds?"),
        (("unset", "git"), 2, "There is no setting"),
        (("set", "git.timeout_seconds", "-1"), 2, "between 0.1 and 600"),
        (("set", "git.timeout_seconds", "soon"), 2, "must be a number"),
        (("set", "git.timeout_seconds", "nan"), 2, "between 0.1 and 600"),
        (("set", "ark.enabled", "maybe"), 2, "must be true or false"),
    ],
)
def test_a_wrong_key_or_value_is_told_before_anything_is_written(
    words: tuple[str, ...], code: int, hint: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hint in told(capsys, *words, code=code)
    assert not file.exists()


def test_a_writer_waits_for_the_one_before_it(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = find_user_paths().config_lock
    os.makedirs(os.path.dirname(lock))
    monkeypatch.setenv("THRULINE_DISK_LOCK_SECONDS", "0.1")
    with Lock(lock):
        assert lock in told(capsys, "set", "ark.enabled", "true", code=1)
    assert not file.exists()


def test_a_state_folder_that_cannot_be_made_is_an_expected_failure(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taken").write_text("a file")
    monkeypatch.setenv("THRULINE_HOME", str(tmp_path / "taken"))
    assert str(tmp_path / "taken") in told(capsys, "set", "ark.enabled", "true", code=1)
    assert not file.exists()


def test_two_writers_at_once_lose_nothing(file: Path, project: Path) -> None:
    keys = [("git.timeout_seconds", "1"), ("disk.lock_seconds", "2"), ("redact.entropy", "no"), ("ark.enabled", "yes")]
    line = [sys.executable, "-m", "thruline.cli.entry", "config", "set"]
    running = [subprocess.Popen([*line, *pair], cwd=project, stdout=subprocess.DEVNULL) for pair in keys]
    assert [each.wait() for each in running] == [0, 0, 0, 0]
    assert [name.split(".")[1] in file.read_text() for name, _ in keys] == [True] * 4


@pytest.mark.parametrize(("text", "made"), [("a,b", ["a", "b"]), ('["a", "b"]', ["a", "b"]), ("[]", []), ("", [])])
def test_a_list_is_given_by_commas_or_as_it_stands_in_the_file(
    capsys: pytest.CaptureFixture[str], text: str, made: list[str]
) -> None:
    assert run(["config", "set", "ark.exclude", text]) == 0
    capsys.readouterr()
    assert run(["config", "get", "ark.exclude", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["setting"]["value"] == made


@pytest.mark.parametrize("text", ['["a", 1]', '["a"', "[a]"])
def test_what_looks_like_a_list_and_is_none_is_refused(capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert run(["config", "set", "ark.exclude", text]) == 2
    assert "ark.exclude must be a list of texts" in capsys.readouterr().err
