"""`thruline handoff prepare`: a plan, and the files it names."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.monster import write_monster
from tests.sample import SAMPLE
from thruline.cli.door import run
from thruline.spine.entry import parse_entries


def prepare(out: Path, transcript: Path, *more: str) -> dict[str, object]:
    assert run(["handoff", "prepare", str(transcript), "--out", str(out), *more]) == 0
    plan: dict[str, object] = json.loads((out / "plan.json").read_text())
    return plan


@pytest.mark.feature("F001-02", via="cli")
def test_a_small_session_is_one_spine(tmp_path: Path) -> None:
    plan = prepare(tmp_path / "out dir", SAMPLE)
    assert plan["mode"] == "direct"
    assert plan["chunks"] == []
    assert plan["source_files"] == [str(SAMPLE)]
    leaf = [json.loads(line).get("uuid") for line in SAMPLE.read_text().splitlines()]
    assert plan["leaf_uuid"] in leaf
    assert "No, don't add a pause." in Path(str(plan["spine"])).read_text()


@pytest.mark.feature("F001-04", via="cli")
@pytest.mark.feature("F001-07", via="cli")
def test_every_word_of_a_monster_is_in_its_spine_once_and_no_payload(tmp_path: Path) -> None:
    monster = tmp_path / "monster.jsonl"
    marks = write_monster(monster, 6)
    plan = prepare(tmp_path / "out", monster, "--budget", "2000", "--direct", "1000")
    spine = Path(str(plan["spine"])).read_text()
    for number in range(1, marks.humans + 1):
        assert spine.count(f"U{number:06d} ") == 1
    for number in range(1, marks.agents + 1):
        assert spine.count(f"A{number:06d} ") == 1
    assert not any(f"T{number:06d} " in spine for number in range(1, marks.tools + 1))


def test_chunks_hold_the_budget_and_the_labels_of_the_transcript(tmp_path: Path) -> None:
    monster = tmp_path / "monster.jsonl"
    write_monster(monster, 3)
    plan = prepare(tmp_path / "out", monster, "--budget", "2000", "--direct", "1000")
    assert plan["mode"] == "chunked"
    labels: list[str] = []
    chunks = plan["chunks"]
    assert isinstance(chunks, list)
    for chunk in chunks:
        text = Path(chunk["path"]).read_bytes()
        assert len(text) == chunk["bytes"] <= 2000 * 4
        lines = [line + "\n" for line in text.decode().split("\n")[:-1]]
        labels += [entry.label for entry in parse_entries(lines)]
    spine = [line + "\n" for line in Path(str(plan["spine"])).read_text().split("\n")[:-1]]
    wanted = [entry.label for entry in parse_entries(spine)]
    assert list(dict.fromkeys(labels)) == list(dict.fromkeys(wanted))


def test_places_that_were_read_all_the_same_are_not_told_as_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = SAMPLE.read_text().splitlines()
    assert "{" == lines[3][0] == lines[4][0]
    glued = tmp_path / "glued.jsonl"
    glued.write_text("\n".join([*lines[:3], lines[3] + lines[4], *lines[5:]]) + "\n")
    plan = prepare(tmp_path / "out", glued)
    assert [problem["kind"] for problem in plan["stats"]["problems"]] == ["glued"]  # type: ignore[index]
    told = capsys.readouterr().out
    assert "  1 place was damaged, and read all the same\n" in told
    assert "could not be read" not in told
    glued.write_text("\n".join([*lines[:3], "{", "{", *lines[3:]]) + "\n")
    prepare(tmp_path / "out", glued)
    assert "  2 places could not be read; the plan lists them\n" in capsys.readouterr().out


def test_one_turn_is_told_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    short = tmp_path / "short.jsonl"
    lines = SAMPLE.read_text().splitlines(keepends=True)
    end = next(at for at, line in enumerate(lines) if '"role":"assistant"' in line.replace(" ", ""))
    short.write_text("".join(lines[:end]))
    prepare(tmp_path / "out", short)
    assert ", 1 turn\n" in capsys.readouterr().out


def test_what_a_fork_goes_back_to_counts_as_transcript(tmp_path: Path) -> None:
    ids = ["019a0000-0000-7000-8000-000000000001", "019a0000-0001-7000-8000-000000000002"]
    for number, thread in enumerate(ids):
        base = {"history_base": {"thread_id": ids[0], "end_ordinal_exclusive": 2}} if number else {}
        meta = {"type": "session_meta", "payload": {"id": thread, "cwd": "/home/dev/x", **base}}
        said = {"type": "event_msg", "payload": {"type": "user_message", "message": f"Way {number}"}}
        rollout = tmp_path / f"rollout-2026-11-16T10-0{number}-00-{thread}.jsonl"
        rollout.write_text(json.dumps(meta) + "\n" + json.dumps(said) + "\n")
    plan = prepare(tmp_path / "out", rollout)
    sources = plan["source_files"]
    assert isinstance(sources, list)
    assert len(sources) == 2
    assert plan["stats"]["transcript_bytes"] == sum(Path(path).stat().st_size for path in sources)  # type: ignore[index]


def test_the_same_session_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        prepare(tmp_path / name, SAMPLE)
    assert (tmp_path / "one" / "spine.txt").read_bytes() == (tmp_path / "two" / "spine.txt").read_bytes()


def test_a_shorter_run_leaves_no_chunk_of_a_longer_one(tmp_path: Path) -> None:
    monster = tmp_path / "monster.jsonl"
    write_monster(monster, 2)
    prepare(tmp_path / "out", monster, "--budget", "600", "--direct", "0")
    prepare(tmp_path / "out", SAMPLE)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["plan.json", "spine.txt"]


@pytest.mark.parametrize("text", ['{"name": "my own"}', "[1]", "{"])
def test_a_plan_that_no_handoff_wrote_is_not_overwritten_unasked(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plan.json").write_text(text)
    assert run(["handoff", "prepare", str(SAMPLE), "--out", str(tmp_path)]) == 1
    assert "--force" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["plan.json"]
    assert (tmp_path / "plan.json").read_text() == text
    assert prepare(tmp_path, SAMPLE, "--force")["mode"] == "direct"
    prepare(tmp_path, SAMPLE)


@pytest.mark.parametrize("name", ["spine.txt", "chunk-000.txt", "chunk-007.txt", "chunk-1000.txt"])
def test_a_text_that_no_handoff_wrote_is_neither_overwritten_nor_deleted_unasked(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text("precious\n")
    for more in ((), ("--direct", "0", "--budget", "600")):
        assert run(["handoff", "prepare", str(SAMPLE), "--out", str(tmp_path), *more]) == 1
        told = capsys.readouterr().err
        assert name in told
        assert "--force" in told
        assert [path.name for path in tmp_path.iterdir()] == [name]
        assert (tmp_path / name).read_text() == "precious\n"
    prepare(tmp_path, SAMPLE, "--force")
    # What --force was given for is overwritten; what the plan does not name is still not ours to delete.
    assert (tmp_path / name).exists()
    assert ("precious" in (tmp_path / name).read_text()) == (name != "spine.txt")


def test_a_folder_that_stands_where_the_spine_should_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "spine.txt").mkdir()
    assert run(["handoff", "prepare", str(SAMPLE), "--out", str(tmp_path)]) == 1
    assert "no handoff wrote" in capsys.readouterr().err


def test_what_a_killed_handoff_left_without_a_plan_is_overwritten(tmp_path: Path) -> None:
    prepare(tmp_path, SAMPLE, "--direct", "0", "--budget", "600")
    (tmp_path / "plan.json").unlink()
    assert prepare(tmp_path, SAMPLE)["mode"] == "direct"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plan.json", "spine.txt"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x")
    assert run(["handoff", "prepare", str(SAMPLE), "--out", str(tmp_path / "file" / "out")]) == 1
    assert "Cannot make the folder" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
@pytest.mark.feature("F001-34", via="cli")
def test_a_session_of_89_mb_is_prepared_in_little_memory(tmp_path: Path) -> None:
    monster = tmp_path / "monster.jsonl"
    marks = write_monster(monster, 89)
    code = (
        "import sys\n"
        "from thruline.cli.door import run\n"
        "code = run(['handoff', 'prepare', sys.argv[1], '--out', sys.argv[2]])\n"
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))\n"
        "sys.exit(code)"
    )
    # VmHWM and not ru_maxrss, which a child inherits from the process that forked it.
    done = subprocess.run(
        [sys.executable, "-c", code, str(monster), str(tmp_path / "out")], capture_output=True, text=True, check=True
    )
    assert int(done.stdout.split()[-1]) < 96 * 1024
    spine = (tmp_path / "out" / "spine.txt").read_text()
    assert all(spine.count(f"U{number:06d} ") == 1 for number in range(1, marks.humans + 1))


def test_two_at_once_into_one_folder_leave_one_plan_over_its_own_text(tmp_path: Path) -> None:
    out, monster = tmp_path / "out", tmp_path / "monster.jsonl"
    write_monster(monster, 2)
    line = [
        sys.executable,
        "-m",
        "thruline",
        "handoff",
        "prepare",
        "--out",
        str(out),
        "--direct",
        "0",
        "--budget",
        "600",
    ]
    for _ in range(4):
        running = [
            subprocess.Popen([*line, str(each)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            for each in (SAMPLE, monster)
        ]
        told = [each.communicate(timeout=60)[1] for each in running]
        assert [each.returncode for each in running] == [0, 0], told
        check_plan(out)
        assert sorted(path.name for path in out.iterdir()) == sorted(
            ["plan.json", "spine.txt", *(Path(one["path"]).name for one in read_plan(out)["chunks"])]
        )


def read_plan(out: Path) -> Any:
    return json.loads((out / "plan.json").read_text())


def check_plan(out: Path) -> None:
    """A plan, if there is one, names the text that it was made for."""
    if not (out / "plan.json").exists():
        return
    plan = read_plan(out)
    spine = Path(plan["spine"]).read_bytes()
    assert len(spine) == plan["stats"]["spine_bytes"]
    assert [len(Path(chunk["path"]).read_bytes()) for chunk in plan["chunks"]] == [
        one["bytes"] for one in plan["chunks"]
    ]
    told = b"".join(Path(chunk["path"]).read_bytes() for chunk in plan["chunks"])
    mine = b"No, don't add a pause." in spine
    assert (b"U000001 " in told) != mine


@pytest.mark.parametrize("call", range(1, 60, 2))
def test_killed_at_any_call_it_leaves_a_true_plan_or_none(tmp_path: Path, call: int) -> None:
    out, monster = tmp_path / "out", tmp_path / "monster.jsonl"
    write_monster(monster, 1)
    prepare(out, SAMPLE, "--direct", "0", "--budget", "600")
    dying = f"""
import os, sys
from thruline.cli.door import run
left = [{call}]
for name in ("replace", "remove", "unlink", "open", "rename"):
    def die(*given, _plain=getattr(os, name), **more):
        made = any("{out}" in str(one) for one in given)
        left[0] -= made
        if made and left[0] <= 0:
            os._exit(9)
        return _plain(*given, **more)
    setattr(os, name, die)
sys.exit(run(["handoff", "prepare", "{monster}", "--out", "{out}", "--direct", "0", "--budget", "600"]))
"""
    done = subprocess.run([sys.executable, "-c", dying], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode in (0, 9), done.stderr
    check_plan(out)
    prepare(out, SAMPLE, "--direct", "0", "--budget", "600")
    assert not [path for path in out.iterdir() if path.name.startswith(".thruline")]
