"""The roster: what people and models can call inside a client, written once and rendered into each.

One markdown file a command, agent or skill, in the folder of its kind. Its front matter is ours and flat; `install`
gives it to the client's own `install.py`, which turns it into that client's form. A new verb joins by adding its file:
nothing else lists them. docs/design/0018-roster.md says what a file must have; `thruline roster check` holds it to it.
"""

from thruline.roster.check import Rules, check_text
from thruline.roster.entry import Entry, parse_entry, read_roster

__all__ = ["Entry", "Rules", "check_text", "parse_entry", "read_roster"]
