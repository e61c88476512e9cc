"""The examples of format pages, which are the fixtures of their tests."""

import re
from pathlib import Path

FORMATS = Path(__file__).parents[2] / "docs" / "formats"


def read_example(page: str) -> str:
    """The first code block of a format's page."""
    found = re.search(r"^(`{3,})\w*\n(.*?)^\1$", (FORMATS / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert found, page
    return found[2]
