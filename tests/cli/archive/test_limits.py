"""What the ark does not take, or drops again: exclusions, days, bytes."""

import json
import os
import time
from pathlib import Path

import pytest

from tests.cli.archive.sessions import find_ark, put_another, put_noise
from tests.cli.kept import ask, turn_on
from tests.sample import SESSION
from thruline.disk.atomic import build_temp_name


def test_what_is_excluded_is_not_archived(
    home: Path, kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    put_another(home, 1, cwd="/home/dev/secret-thing")
    put_another(home, 2, cwd="/srv/work/deep/down")
    project = tmp_path / "own"
    (project / ".agent" / "context").mkdir(parents=True)
    (project / ".agent" / "context" / "root.json").write_text('{"project_id":"p","schema":1}')
    (project / ".agent" / "context" / "config.toml").write_text('[ark]\nexclude = ["*"]\n')
    put_another(home, 3, cwd=str(project))
    ask(capsys, "config", "set", "ark.exclude", "secret-*,/srv/work")
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    # The project's own glob fits every session, and holds for its own alone.
    assert (done["archived"], done["excluded"]) == ([SESSION], 3)
    said = ask(capsys, "archive", "00000001", code=1)
    assert "secret-*" in said


def test_what_is_excluded_is_not_archived_where_its_folder_stands_behind_a_long_record(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    path = put_another(home, 1, cwd="/home/dev/secret-thing")
    path.write_text(json.dumps({"type": "mode", "n": "x" * 70_000}) + "\n" + path.read_text())
    ask(capsys, "config", "set", "ark.exclude", "secret-*")
    assert json.loads(ask(capsys, "archive", "--all", "--json"))["excluded"] == 1


def test_sessions_older_than_keep_days_are_dropped_and_not_taken(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    young, old = put_another(home, 1), put_another(home, 2, age_days=40)
    assert len(json.loads(ask(capsys, "archive", "--all", "--json"))["archived"]) == 2
    ask(capsys, "config", "set", "ark.keep_days", "30")
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert [each["session"] for each in done["dropped"]] == [old.stem]
    assert (done["too_old"], done["unchanged"]) == (1, 1)
    assert [name for _, name in find_ark().entries.find_names()] == [young.stem]
    assert "keep_days" in ask(capsys, "archive", old.stem, code=1)


def test_over_max_bytes_the_oldest_sessions_are_dropped_and_named(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    paths = []
    for number in range(1, 5):
        paths.append(put_another(home, number))
        with paths[-1].open("ab") as file:
            file.write(os.urandom(30_000).hex().encode() + b"\n")
        stamp = time.time() - number * 1000
        os.utime(paths[-1], (stamp, stamp))
    ask(capsys, "config", "set", "ark.max_bytes", "120000")
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert done["size"] <= 120_000
    left = sorted(name for _, name in find_ark().entries.find_names())
    assert left == [path.stem for path in paths[: len(left)]]
    assert 0 < len(left) < 4
    assert done["dropped"]
    assert done["dropped"][0]["why"].startswith("the ark is over")


def test_a_session_larger_than_the_whole_ark_is_refused_and_costs_no_other(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    small = [put_noise(home, number, 20_000, age=number * 1000) for number in range(1, 5)]
    ask(capsys, "archive", "--all")
    for path in small[1:]:
        path.unlink()
    large = put_noise(home, 9, 600_000, age=1)
    ask(capsys, "config", "set", "ark.max_bytes", "200000")
    done = json.loads(ask(capsys, "archive", "--all", "--json", code=1))
    assert done["dropped"] == []
    assert [each["path"] for each in done["problems"]] == [str(large)]
    assert "larger than the ark may be" in done["problems"][0]["what"]
    assert sorted(name for _, name in find_ark().entries.find_names()) == [path.stem for path in small]


def test_large_companions_count_and_are_refused_with_their_session(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    (kept.parent / SESSION / "tool-results" / "out.txt").write_bytes(os.urandom(300_000))
    ask(capsys, "config", "set", "ark.max_bytes", "200000")
    done = json.loads(ask(capsys, "archive", "--all", "--json", code=1))
    assert (done["archived"], len(done["problems"])) == ([], 1)
    assert done["size"] < 1000


def test_what_only_the_ark_has_is_dropped_last_and_nothing_more_than_needed(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    only, had, tiny = (put_noise(home, n, size, age=n * 1000) for n, size in ((3, 60_000), (2, 60_000), (4, 2_000)))
    ask(capsys, "archive", "--all")
    only.unlink()
    new = put_noise(home, 1, 60_000, age=1)
    ask(capsys, "config", "set", "ark.max_bytes", str(find_ark().find_size() + 1000))
    done = json.loads(ask(capsys, "archive", new.stem, "--json"))
    # The oldest that its client has would go first, but without it the next is still too much: it may stay.
    assert [each["session"] for each in done["dropped"]] == [had.stem]
    assert sorted(name for _, name in find_ark().entries.find_names()) == sorted([new.stem, only.stem, tiny.stem])


def test_what_another_process_is_writing_does_not_count(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn_on(capsys)
    paths = [put_noise(home, number, 20_000, age=number) for number in (1, 2)]
    ask(capsys, "archive", paths[0].stem)
    theirs = Path(find_ark().packs.folder, build_temp_name())
    theirs.write_bytes(bytes(500_000))
    ask(capsys, "config", "set", "ark.max_bytes", "300000")
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert (done["archived"], done["dropped"]) == ([paths[1].stem], [])
    assert theirs.exists()


def test_what_was_archived_before_it_was_excluded_is_named_and_not_taken_again(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    ask(capsys, "archive", SESSION)
    ask(capsys, "config", "set", "ark.exclude", "orders-*")
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert (done["unchanged"], done["excluded"], done["excluded_kept"]) == (0, 1, [SESSION])
    said = ask(capsys, "archive", "--all")
    assert "thruline forget" in said
    assert SESSION in said
