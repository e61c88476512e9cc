"""No file tells where it was made: no path of a machine, no package index of a workplace, no one's home."""

import re
from pathlib import Path

# Names that stand for anyone in samples and tests.
ANYONE = "a|b|ada|alice|bob|dev|h|me|name|project|someone|test|u|user|x|you"
LARGEST = 1_000_000
BEFORE = r"(?<![\w.~/}$*-])"
PATTERNS = {
    "a path of one machine": re.compile(BEFORE + r"/(?:work|root)/(?=[\w.])"),
    "someone's home": re.compile(BEFORE + rf"/(?:home|Users)/(?!(?:{ANYONE})(?![\w-]))[A-Za-z][\w-]*"),
    "a package index": re.compile(
        r"--(?:extra-)?index-url|https?://[\w.:-]*(?:registry|pypi|artifactory|nexus)[\w.:-]*/"
    ),
}
# Tests may use any place that is gone afterwards.
SCRATCH = re.compile(BEFORE + r"/tmp/(?=\w)")


def check_traces(root: Path, files: list[str]) -> list[str]:
    """Lines that name a machine, a workplace or a person's home."""
    problems = []
    here = str(root.resolve())
    for file in files:
        path = root / file
        if not path.is_file() or path.stat().st_size > LARGEST:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        patterns = dict(PATTERNS)
        if not file.startswith("tests/"):
            patterns["a scratch path"] = SCRATCH
        for number, line in enumerate(text.splitlines(), 1):
            problems += [f"{file}:{number}: names {what}" for what, pattern in patterns.items() if pattern.search(line)]
            if here in line:
                problems.append(f"{file}:{number}: names the folder of this clone")
    return problems
