"""The words themselves: markdown with `${HOLES}`, one file a text."""

from functools import cache
from importlib.resources import files
from string import Template


@cache
def read_template(name: str) -> Template:
    """The template `name`.md, without its last line end."""
    return Template((files(__package__) / f"{name}.md").read_text(encoding="utf-8").rstrip("\n"))


def fill_template(name: str, **holes: str) -> str:
    """The text of a template; every hole must be given, and what is put in is not looked at for holes again."""
    return read_template(name).substitute(holes)
