"""The transcripts that a brief is made from, described so that they are found again (`source.py`).

Apart from that half, which opens the ark: a brief is made often and read again seldom.
"""

import os
from collections.abc import Sequence

from thruline.brief.section import Source
from thruline.operations.sessions.locate import Located
from thruline.operations.sessions.measure import digest_file, measure_file
from thruline.value import replace

_BLOCK = 1 << 20


def describe_sources(
    located: Located, *, session: str, leaf: str, labels: Sequence[str] = (), project: str = ""
) -> tuple[Source, ...]:
    """The session's own file, and those of `labels` (subagents, copies) that a brief points into."""
    files = located.sources()
    own = _describe(located, files[""])
    own = replace(own, session=session or located.session_id, harness=located.harness.name, leaf=leaf, project=project)
    others = [
        replace(_describe(located, files[label]), label=label)
        for label in sorted(set(labels))
        if label in files and label
    ]
    return own, *others


def _describe(located: Located, path: str) -> Source:
    found = measure_file(located, path)
    return Source(path=found.path, size=found.size, digest=found.digest)


def is_same(source: Source, path: str) -> bool:
    """Whether the file at `path` still begins with what `source` describes: it may have grown, nothing else."""
    try:
        return os.path.getsize(path) >= source.size and digest_file(path, source.size) == source.digest
    except OSError:
        return False


def find_last_line(source: Source, path: str) -> int:
    """The last line that the file at `path` had when `source` was described; 0 where it did not grow since."""
    try:
        if os.path.getsize(path) <= source.size or not is_same(source, path):
            return 0
        with open(path, "rb") as file:
            left, lines, last = source.size, 0, b"\n"
            while left and (block := file.read(min(left, _BLOCK))):
                left -= len(block)
                lines += block.count(b"\n")
                last = block[-1:]
    except OSError:
        return 0
    return lines + (last != b"\n")
