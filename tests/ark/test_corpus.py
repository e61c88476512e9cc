"""Real transcripts: archived, their originals deleted, restored byte for byte."""

import hashlib
import shutil
from pathlib import Path

import pytest

from tests.ark.sessions import SHELF, find_stored, find_used
from thruline.ark.entry import Source
from thruline.ark.store import Ark

SHARED = Path(__file__).parents[3] / "shared"


@pytest.mark.shared
def test_every_transcript_of_the_corpus_comes_back_as_it_was(tmp_path: Path) -> None:
    ark = Ark(str(tmp_path / "ark"))
    files = [path for top in ("corpus", "corpus-compacted", "fixtures") for path in (SHARED / top).rglob("*.jsonl")]
    assert len(files) > 50
    digests = {}
    total = 0
    for number, path in enumerate(sorted(files)):
        name = f"{number}-{path.stem}"
        copy = tmp_path / "client" / name / path.name
        copy.parent.mkdir(parents=True)
        shutil.copyfile(path, copy)
        digests[name] = (hashlib.sha256(copy.read_bytes()).hexdigest(), str(copy))
        total += copy.stat().st_size
        ark.archive(SHELF, name, [Source(str(copy), "session", path.stem, grows=True)])
    shutil.rmtree(tmp_path / "client")
    ark.collect()
    assert sorted(find_stored(ark)) == sorted(find_used(ark))
    assert ark.find_size() < total / 3
    for name, (digest, path) in digests.items():
        out = tmp_path / "out"
        made = ark.restore(SHELF, name, str(out))
        assert hashlib.sha256(Path(made[path]).read_bytes()).hexdigest() == digest, path
        shutil.rmtree(out)
    ark.forget([(SHELF, name) for name in digests])
    assert find_stored(ark) == []
