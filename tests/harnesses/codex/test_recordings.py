"""Real sessions: the labelled one of the corpus, and what the client wrote in the rig."""

import json
from pathlib import Path

import pytest

from thruline.harnesses.codex.reader import Reader
from thruline.session.parts import Call, Result, Said


@pytest.mark.shared
@pytest.mark.usefixtures("way")
def test_every_labelled_message_is_found_and_nothing_else(shared: Path) -> None:
    labels: dict[str, dict[tuple[int, str, str], str]] = {}
    for text in (shared / "corpus" / "labels.jsonl").read_text().splitlines():
        row = json.loads(text)
        if row["harness"] == "codex":
            place = (row["line"], row["uuid"] or "", row["kind"])
            labels.setdefault(row["file"], {})[place] = row["text_prefix"].strip()
    assert sum(map(len, labels.values())) == 58
    for name, wanted in labels.items():
        human = {
            (part.line, part.uuid, part.kind): part.text
            for part in Reader(str(shared / "corpus" / name))
            if isinstance(part, Said) and part.by == "human"
        }
        assert human.keys() == wanted.keys()
        assert all(human[place].startswith(words) for place, words in wanted.items())


@pytest.mark.shared
def test_every_call_of_a_real_session_has_one_end(shared: Path) -> None:
    for path in [*shared.glob("fixtures/codex/**/rollout-*.jsonl"), *shared.glob("corpus/*/019dc0d3*.jsonl")]:
        parts = list(Reader(str(path)))
        calls = [part.call_id for part in parts if isinstance(part, Call)]
        ends = [part.call_id for part in parts if isinstance(part, Result)]
        assert sorted(calls) == sorted(ends)
        assert len(calls) == len(set(calls))


@pytest.mark.shared
def test_every_answer_of_a_real_session_is_told_once(shared: Path) -> None:
    for path in [*shared.glob("fixtures/codex/**/rollout-*.jsonl"), *shared.glob("corpus/*/019dc0d3*.jsonl")]:
        reader = Reader(str(path))
        said = [part for part in reader if isinstance(part, Said) and part.by == "agent"]
        hidden = reader.counts.get("answer that was not shown", 0)
        records = [json.loads(line)["payload"] for line in path.read_text().splitlines()]
        assert len(said) + hidden == sum(record.get("role") == "assistant" for record in records)


@pytest.mark.shared
def test_reading_on_gives_what_one_reading_gives(shared: Path, tmp_path: Path) -> None:
    (path,) = shared.glob("corpus/*/019dc0d3*.jsonl")
    data = path.read_bytes().splitlines(keepends=True)
    whole = [repr(part) for part in Reader(str(path))]
    copy = tmp_path / path.name
    for cut in range(1, len(data), 397):
        copy.write_bytes(b"".join(data[:cut]))
        first = Reader(str(copy), live=True)
        begun = [repr(part) for part in first]
        state = json.loads(json.dumps(first.checkpoint()))
        copy.write_bytes(b"".join(data))
        assert begun + [repr(part) for part in Reader(str(copy), checkpoint=state)] == whole, f"cut behind line {cut}"
