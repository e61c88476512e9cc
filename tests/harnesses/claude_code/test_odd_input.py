"""Transcripts as they really lie on disks: broken, glued, cut, padded."""

import json
from typing import Any

import pytest

from thruline.harnesses import line_reader
from thruline.harnesses.claude_code.reader import Reader
from thruline.session.parts import Said


@pytest.fixture(params=["fast", "slow"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both decoders: the typed one of large files, the plain one of small ones."""
    monkeypatch.setattr(line_reader, "FAST_FROM_BYTES", -1 if request.param == "fast" else 1 << 60)


def texts(reader: Reader) -> list[str]:
    return [part.text for part in reader if isinstance(part, Said)]


@pytest.mark.usefixtures("way")
def test_bad_lines_are_problems_and_the_rest_arrives(transcript: Any) -> None:
    transcript.user("one")
    transcript.raw(b"not json at all\n")
    transcript.raw(b"[1, 2]\n")
    transcript.raw(b"\n")
    transcript.user("two")
    reader = Reader(str(transcript.path))
    assert texts(reader) == ["one", "two"]
    assert [(problem.line, problem.kind) for problem in reader.problems] == [(2, "json"), (3, "shape")]


@pytest.mark.usefixtures("way")
def test_two_records_glued_on_one_line_are_both_read(transcript: Any) -> None:
    transcript.user("one")
    transcript.user("two")
    transcript.path.write_bytes(transcript.path.read_bytes().replace(b"}\n{", b"}{", 1))
    reader = Reader(str(transcript.path))
    assert texts(reader) == ["one", "two"]
    assert [problem.kind for problem in reader.problems] == ["glued"]


@pytest.mark.usefixtures("way")
def test_a_record_glued_to_progress_is_not_skipped_with_it(transcript: Any) -> None:
    transcript.record("progress", data={"type": "hook_progress"})
    transcript.user("two")
    transcript.path.write_bytes(transcript.path.read_bytes().replace(b"}\n{", b"}{", 1))
    assert texts(Reader(str(transcript.path))) == ["two"]


@pytest.mark.usefixtures("way")
def test_a_cut_last_line_is_told_or_left_for_later(transcript: Any) -> None:
    transcript.user("one")
    whole = transcript.path.read_bytes()
    transcript.user("two")
    transcript.path.write_bytes(transcript.path.read_bytes()[: len(whole) + 30])
    reader = Reader(str(transcript.path))
    assert texts(reader) == ["one"]
    assert [(problem.line, problem.kind) for problem in reader.problems] == [(2, "cut")]
    live = Reader(str(transcript.path), live=True)
    assert texts(live) == ["one"]
    assert live.problems == []
    assert live.checkpoint()["offset"] == len(whole)


@pytest.mark.usefixtures("way")
def test_bytes_that_are_not_utf8_halves_of_emoji_and_nuls_survive(transcript: Any) -> None:
    transcript.user("caf\u00e9 one")
    transcript.user("half \ud83d end")
    data = transcript.path.read_bytes().replace(b"caf\\u00e9", b"caf\xe9")
    transcript.path.write_bytes(b"\x00\x00" + data)
    reader = Reader(str(transcript.path))
    assert texts(reader) == ["caf\ufffd one", "half \ufffd end"]
    assert [(problem.line, problem.kind) for problem in reader.problems] == [
        (1, "encoding"),
        (1, "nul"),
        (2, "encoding"),
    ]
    assert "half a surrogate pair" in reader.problems[2].what


@pytest.mark.usefixtures("way")
def test_blocks_of_a_kind_that_nobody_knows_are_counted(transcript: Any) -> None:
    transcript.user([{"type": "hologram", "text": "words"}, {"type": "text", "text": "one"}])
    reader = Reader(str(transcript.path))
    assert texts(reader) == ["one"]
    assert reader.counts["user block hologram"] == 1


@pytest.mark.usefixtures("way")
def test_empty_files_and_files_of_summaries_are_sessions_without_words(transcript: Any) -> None:
    reader = Reader(str(transcript.path))
    assert list(reader) == []
    assert reader.problems == []
    transcript.note(type="summary", summary="Another session", leafUuid="0b0b0b0b-0000-4000-8000-000000000000")
    reader = Reader(str(transcript.path))
    assert list(reader) == []
    assert reader.counts == {"summary": 1}


@pytest.mark.usefixtures("way")
def test_a_summary_of_a_record_in_this_file_is_its_title(transcript: Any) -> None:
    leaf = transcript.user("one")
    transcript.note(type="summary", summary="Leaks in the cache", leafUuid=leaf)
    told = [part.value for part in Reader(str(transcript.path)) if getattr(part, "name", "") == "title"]
    assert told == ["Leaks in the cache"]


@pytest.mark.usefixtures("way")
def test_unknown_kinds_are_counted(transcript: Any) -> None:
    transcript.note(type="hologram", shape="cube")
    transcript.raw(b'{"no":"type"}\n{"type":7}\n')
    reader = Reader(str(transcript.path))
    assert list(reader) == []
    assert reader.counts == {"hologram": 1, "none": 2, "unknown": 3}
    assert reader.problems == []


@pytest.mark.usefixtures("way")
def test_type_may_come_after_message(transcript: Any) -> None:
    record = {"message": {"role": "user", "content": "late"}, "uuid": "u1", "type": "user"}
    transcript.raw(json.dumps(record).encode() + b"\n")
    assert texts(Reader(str(transcript.path))) == ["late"]


@pytest.mark.usefixtures("way")
def test_text_that_mentions_a_skipped_kind_is_not_skipped(transcript: Any) -> None:
    transcript.user('why {"type":"progress","data":{} here?')
    transcript.call("t1", "Bash", command='echo {"type":"file-history-snapshot",')
    reader = Reader(str(transcript.path))
    assert len(list(reader)) > 2
    assert set(reader.counts) == {"user", "assistant"}


def test_one_huge_line_is_read(transcript: Any) -> None:
    transcript.call("t1", "Bash", command="cat big")
    transcript.result("t1", "x" * (8 << 20))
    transcript.user("after")
    assert texts(Reader(str(transcript.path))) == ["after"]


@pytest.mark.usefixtures("way")
def test_other_words_under_a_known_id_are_told_and_copies_are_not(transcript: Any) -> None:
    uuid = transcript.user("one")
    transcript.agent("answer", uuid="aa")
    transcript.user("one", uuid=uuid, version="2.1.198")
    transcript.user("two", uuid=uuid)
    transcript.agent("answer", uuid="aa")
    transcript.agent("another", uuid="aa")
    path = transcript.path
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[0])
    reader = Reader(str(path))
    assert texts(reader) == ["one", "answer", "two", "another"]
    assert reader.counts["copy"] == 3
    assert reader.counts["id used twice"] == 2


def test_many_copies_in_one_file_cost_one_look_at_each(transcript: Any) -> None:
    transcript.raw(
        b"".join(
            json.dumps({"type": "user", "uuid": f"{n:08x}", "message": {"content": f"say {n}"}}).encode() + b"\n"
            for n in range(3000)
        )
    )
    transcript.path.write_bytes(transcript.path.read_bytes() * 2)
    reader = Reader(str(transcript.path))
    assert len(texts(reader)) == 3000
    assert reader.counts["copy"] == 3000
