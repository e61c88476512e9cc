"""A session read on from where the last reading stopped: the same as read whole, and only of the same file."""

import io
import pickle
import time
from pathlib import Path

import pytest

from tests.operations.delegating import write_session
from tests.sample import SAMPLE
from tests.work.shop import CORRECTION, FIRST, Shop
from thruline.engines.rules import GitState
from thruline.operations.handoff.brief import build_brief, read_facts
from thruline.operations.sessions.locate import locate
from thruline.operations.sessions.side_files import SideReading
from thruline.operations.work.jobs import _PAUSE
from thruline.operations.work.reading import Folds, _Values, read_on

NOT_ASKED = GitState("Not asked.")


def make_notes(path: Path, kept: Path) -> str:
    located = locate(str(path), folder=str(path.parent))
    folds = read_on(located, str(kept))
    return build_brief(located, folds.finish(NOT_ASKED), folds.watch, 2_000)[1].text


def make_whole(path: Path) -> str:
    located = locate(str(path), folder=str(path.parent))
    facts, watch, _ = read_facts(located, NOT_ASKED)
    return build_brief(located, facts, watch, 2_000)[1].text


def test_read_on_line_by_line_is_the_same_as_read_whole(tmp_path: Path) -> None:
    path, kept = tmp_path / f"{FIRST}.jsonl", tmp_path / "kept"
    lines = SAMPLE.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]))
    for start in range(3, len(lines), 5):
        with path.open("ab") as file:
            file.write(b"".join(lines[start : start + 5]))
        assert make_notes(path, kept) == make_whole(path), start


def test_a_line_that_is_being_written_counts_once_when_it_is_whole(tmp_path: Path) -> None:
    path, kept = tmp_path / f"{FIRST}.jsonl", tmp_path / "kept"
    data = SAMPLE.read_bytes().rstrip(b"\n")
    for size in (len(data) // 2, len(data) - 10, len(data)):
        path.write_bytes(data[:size])
        assert make_notes(path, kept) == make_whole(path)


@pytest.mark.parametrize("grows", [False, True])
def test_a_word_masked_in_the_middle_is_not_told_again(tmp_path: Path, grows: bool) -> None:
    path, kept = tmp_path / f"{FIRST}.jsonl", tmp_path / "kept"
    data = SAMPLE.read_bytes()
    assert data.find(b"40 million rows") > 4096
    path.write_bytes(data)
    assert "40 million rows" in make_notes(path, kept)
    masked = data.replace(b"40 million", b"** ***lion")
    path.write_bytes(masked + (data.splitlines(keepends=True)[-1] if grows else b""))
    assert "40 million rows" not in make_notes(path, kept)


def test_only_what_was_added_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, kept = tmp_path / f"{FIRST}.jsonl", tmp_path / "kept"
    data = SAMPLE.read_bytes()
    cut = data.rfind(b"\n", 0, len(data) - 2000) + 1
    path.write_bytes(data[:cut])
    make_notes(path, kept)
    with path.open("ab") as file:
        file.write(data[cut:])
    seen: list[int] = []
    real = Folds.see_all
    monkeypatch.setattr(
        Folds, "see_all", lambda self, found: (seen.extend(part.line for part in found), real(self, found))
    )
    make_notes(path, kept)
    assert seen
    # One of the lines before may still wait for its answer.
    assert sum(line <= data[:cut].count(b"\n") for line in seen) <= 1


def test_a_subagent_s_transcript_is_read_once_and_again_only_when_it_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, kept = write_session(tmp_path), tmp_path / "kept"
    read: list[str] = []
    real = SideReading.read
    monkeypatch.setattr(
        SideReading, "read", lambda self, label, file: (read.append(Path(file).stem), real(self, label, file))[1]
    )
    whole = make_whole(path)
    assert "subagents created `docs/" in whole
    read.clear()
    assert make_notes(path, kept) == whole
    assert sorted(read) == ["agent-quays", "agent-tides"]
    assert make_notes(path, kept) == whole
    assert len(read) == 2
    last = path.with_suffix("") / "subagents" / f"{read[-1]}.jsonl"
    last.write_text(last.read_text().replace(f"docs/{last.stem[6:]}.md", "docs/piers.md"))
    assert "piers.md" in make_notes(path, kept)


def test_a_file_written_anew_is_read_whole(tmp_path: Path) -> None:
    path, kept = tmp_path / f"{FIRST}.jsonl", tmp_path / "kept"
    data = SAMPLE.read_bytes()
    path.write_bytes(data)
    make_notes(path, kept)
    other = data.replace(b"pause", b"delay").replace(b"2026-11-16", b"2026-11-15")
    path.write_bytes(other + other.splitlines(keepends=True)[-1])
    text = make_notes(path, kept)
    assert "pause" not in text
    assert text == make_whole(path)


class Evil:
    """What a pickle could run."""

    def __reduce__(self) -> tuple[object, tuple[str, ...]]:
        return Path, ("/",)


@pytest.mark.parametrize("data", [b"", b"no pickle", pickle.dumps(Evil()), pickle.dumps({"maker": "x"})])
def test_what_is_no_fold_of_ours_is_not_let_in(tmp_path: Path, data: bytes) -> None:
    path, kept = tmp_path / f"{FIRST}.jsonl", tmp_path / "kept"
    path.write_bytes(SAMPLE.read_bytes())
    kept.write_bytes(data)
    assert CORRECTION in make_notes(path, kept)


def test_a_pickle_that_would_run_something_is_refused() -> None:
    with pytest.raises(pickle.UnpicklingError):
        _Values(io.BytesIO(pickle.dumps(Evil()))).load()


def read_said(path: Path) -> str:
    return read_on(locate(str(path), folder=str(path.parent)), str(path) + ".kept").last_said


def test_the_last_words_are_waited_for(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client writes its last words after the hook ran."""
    path = shop.put()
    data = path.read_bytes()
    said = read_said(path)
    size = len(data)
    while read_said(path) == said:
        size = data.rfind(b"\n", 0, size - 1) + 1
        path.write_bytes(data[:size])
    pauses: list[float] = []
    real = time.sleep

    def write_rest(seconds: float) -> None:
        if seconds != _PAUSE:
            real(seconds)  # who waits for git
            return
        pauses.append(seconds)
        if len(pauses) == 2:
            path.write_bytes(data)

    monkeypatch.setattr("thruline.operations.work.jobs.time.sleep", write_rest)
    shop.spool("turn_end", said=said)
    shop.work()
    assert len(pauses) == 2
