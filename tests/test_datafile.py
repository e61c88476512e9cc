"""Data files of the package are read as TOML would read them."""

import tomllib
from pathlib import Path

import pytest

import thruline
from thruline.datafile import parse_data, read_data

FILES = sorted(Path(thruline.__file__).parent.rglob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_data_file_is_read_as_toml_would_read_it(path: Path) -> None:
    assert read_data(str(path)) == tomllib.loads(path.read_text(encoding="utf-8"))


def test_every_form_that_we_use_is_read() -> None:
    text = """# a comment
flat = true

[one]
words = ["a", "b # no comment"]
lines = [
    "a ] b",
    "c",
]
[[rule]]
plain = '\\bno\\b "quoted"'
[[rule]]
several = '''it's \\d'''
number = 3
"""
    assert parse_data(text) == tomllib.loads(text)
