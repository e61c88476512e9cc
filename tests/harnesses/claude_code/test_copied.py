"""What `/branch` adds to copied records, as the real client writes it."""

from pathlib import Path

import pytest

from thruline.ark.marks import Marks
from thruline.harnesses.claude_code.copied import read_mark

PARENT = "a0000000-0000-4000-8000-000000000001"
FORK = "b6fe6eef-2cb3-4a70-9bdf-507a17bea951"


@pytest.mark.shared
def test_copied_records_become_their_originals(shared: Path) -> None:
    folder = next(shared.glob(f"fixtures/claude/**/{FORK}.jsonl")).parent
    fork, parent = (folder / f"{name}.jsonl" for name in (FORK, PARENT))
    mark = read_mark(str(fork))
    assert mark == f',"forkedFrom":{{"sessionId":"{PARENT}","messageUuid":"'
    assert read_mark(str(parent)) == ""
    marks = Marks(mark)
    left = b"".join(marks.take_out([fork.read_bytes()])).replace(FORK.encode(), PARENT.encode())
    assert marks.runs == (1, 23)
    originals = set(parent.read_bytes().splitlines())
    # Two of them differ otherwise: the client hung them elsewhere when it copied them.
    assert sum(line in originals for line in left.splitlines()[:23]) == 21


@pytest.mark.parametrize(
    "text",
    [
        "",
        '{"a":1}\n',
        '{"a":1,"forkedFrom":{"sessionId":"x"}}\n',
        '{"a":1,"forkedFrom":{"sessionId":"' + "x" * 900 + '","messageUuid":"u"}}',
    ],
)
def test_a_file_without_copies_has_no_mark(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    assert read_mark(str(path)) == ""
    assert read_mark(str(tmp_path / "gone.jsonl")) == ""
