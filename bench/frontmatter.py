"""Front matter against the plain reading of the same files: the bar is < 20 times."""

import os
import statistics
import tempfile
import time
from collections.abc import Callable

from thruline.artifacts.frontmatter import parse_document

FILES = 1_000
BAR = 20.0
_HEAD = """---
id: 2026-11-16-sample-{number:06x}
status: brief              # reserved | brief | result
spawned_at: "2026-11-16T02:00:00Z"
launched_at: null          # set when the child opens
source_dir: /home/someone/projects/memory
dest_dir: /home/someone/projects/other
slug: sample
tags: ["one", "two", three]
done_when:                 # what the child must show
  - "The page exists and names every key"
  - Review integrated
---

# Brief: sample {number}
"""
_SECTION = """
## Part {part}
Some text that a person wrote, with `code` and a list:

- one
- two

```sh
# not a heading
make test
```
"""


def write_samples(folder: str, count: int = FILES) -> list[str]:
    """Paths of `count` files of about 2.5 KB, shaped like a fork."""
    paths = []
    for number in range(count):
        path = os.path.join(folder, f"{number:04}.md")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(_HEAD.format(number=number) + "".join(_SECTION.format(part=part) for part in range(15)))
        paths.append(path)
    return paths


def read_all(paths: list[str]) -> int:
    """Reads every file and does nothing with it."""
    total = 0
    for path in paths:
        with open(path, "rb") as file:
            total += len(file.read())
    return total


def parse_all(paths: list[str]) -> int:
    """Reads every file, its values and its headings."""
    total = 0
    for path in paths:
        with open(path, "rb") as file:
            document = parse_document(file.read(), path)
        total += len(document.values) + len(document.sections)
    return total


def _seconds(work: Callable[[list[str]], int], paths: list[str]) -> float:
    start = time.perf_counter()
    work(paths)
    return time.perf_counter() - start


def measure(rounds: int = 9) -> dict[str, float]:
    """Median seconds of both, taken in turns so that drift hits them alike, and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        paths = write_samples(folder)
        read_all(paths)
        pairs = [(_seconds(read_all, paths), _seconds(parse_all, paths)) for _ in range(rounds)]
    reading = statistics.median(pair[0] for pair in pairs)
    parsing = statistics.median(pair[1] for pair in pairs)
    ratio = statistics.median(pair[1] / pair[0] for pair in pairs)
    return {"files": FILES, "read_seconds": reading, "parse_seconds": parsing, "ratio": ratio, "bar": BAR}


if __name__ == "__main__":
    print(measure())
