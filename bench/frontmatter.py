"""Front matter against the plain reading of the same files: the bar is < 20 times."""

import os

from bench import Context, Row
from bench.race import Entrant, race
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


def run(context: Context) -> list[Row]:
    """Reading with values and headings, against the plain reading of the same files."""
    paths = write_samples(str(context.folder), 100 if context.quick else FILES)
    entrants = [
        Entrant(f"read {len(paths):,} files", lambda: read_all(paths)),
        Entrant(f"read and parse {len(paths):,} files", lambda: parse_all(paths), BAR),
    ]
    return race(entrants, rounds=context.rounds)
