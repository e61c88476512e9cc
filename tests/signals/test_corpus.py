"""Over every real session there is: each quote stands, word for word, in the record that it names."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from thruline.errors import ThrulineError
from thruline.harnesses.transcripts import open_reader, recognise
from thruline.signals.miner import mine
from thruline.signals.quote import LONGEST
from thruline.signals.signal import CORRECTION_KINDS, KINDS

SHARED = Path(__file__).resolve().parents[3] / "shared"
FILES = sorted([*SHARED.glob("corpus/**/*.jsonl"), *SHARED.glob("corpus-compacted/*-*.jsonl")])
TRANSCRIPTS = [path for path in FILES if path.name not in ("labels.jsonl", "manifest.jsonl", "probes.jsonl")]

pytestmark = [pytest.mark.shared, pytest.mark.skipif(not TRANSCRIPTS, reason="needs ../shared")]


def find_strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from find_strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from find_strings(inner)


def read_records(raw: str) -> Iterator[Any]:
    decoder, at = json.JSONDecoder(), 0
    while at < len(raw.rstrip()):
        record, at = decoder.raw_decode(raw, at)
        yield record


def test_every_quote_is_an_exact_part_of_the_record_it_points_to() -> None:
    counts = dict.fromkeys(KINDS, 0)
    wrong = []
    for path in TRANSCRIPTS:
        try:
            harness = recognise(str(path))
        except ThrulineError:
            continue  # empty files
        lines = path.read_text(encoding="utf-8").split("\n")
        for signal in mine(open_reader(harness, str(path))):
            counts[signal.kind] += 1
            assert len(signal.quote) <= LONGEST or signal.kind == "file"
            assert 0 < signal.strength <= 1
            assert signal.why
            assert (signal.kind == "correction") == (signal.variety in CORRECTION_KINDS)
            texts = [text for record in read_records(lines[signal.line - 1]) for text in find_strings(record)]
            if not any(signal.quote in text for text in texts):
                wrong.append((path.name, signal.line, signal.kind, signal.quote))
    assert wrong == []
    assert [kind for kind, count in counts.items() if count < 5] == []
