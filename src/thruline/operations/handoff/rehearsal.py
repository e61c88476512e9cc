"""A brief of nothing much, made while the first lines of a long session are still being read by another process.

Patterns are compiled and tables read when they are first used, together thirty milliseconds. Who waits for the session
does that meanwhile, by going through the motions once with a few made-up words: no list of what to prepare could stay
in step with the rules. Only what comes after the reading: what mines a session gets ready while it is read. Nothing of
it is left but what is remembered by word and by sentence. In steps: what was read meanwhile is taken between two.
"""

from collections.abc import Iterator

from thruline.brief.render import render_brief
from thruline.brief.section import Brief, Source
from thruline.engines.rules import Facts, GitState, Material, Rules
from thruline.session.aside import Aside
from thruline.session.ledger import Ledger
from thruline.session.parts import ERROR, OK, Call, Changed, Part, Result, Said
from thruline.session.summary import Summary
from thruline.signals.signal import Signal

_ROOM = 8_000
_FOLDER = "/home/dev/app"
_COMMANDS = (
    ("make test", ERROR, "Exit code 1\nboom.py:3: error"),
    ("git commit -m ready", OK, ""),
    ("make it", OK, ""),
    ("npm install", OK, "added  2 packages"),
)


def rehearse() -> Iterator[None]:
    """Makes a small brief and throws it away, one step after another."""
    summary, ledger, material = Summary(), Ledger(), Material()
    for fold in (summary, ledger, material):
        fold.see_all(_PARTS)
    material.finish()
    yield
    told = [(part.line, part.text) for part in _PARTS if isinstance(part, Said) and part.by == "human"]
    kinds = ("decision", "correction", "constraint", "correction", "constraint")
    signals = [Signal(kind, "human", text, line, strength=0.9) for kind, (line, text) in zip(kinds, told, strict=True)]
    rules = Rules(Facts(summary, ledger, material, tuple(signals), GitState("Not asked."), Aside()))
    yield
    sections = rules.build(_ROOM)
    yield
    source = Source("/home/dev/app/session.jsonl", size=1, digest="0", project=_FOLDER)
    render_brief(Brief(sections, title="Brief: a session", sources=(source,)), _ROOM // 4)


def _make_parts() -> list[Part]:
    found: list[Part] = [
        Changed(1, "cwd", _FOLDER),
        Said(1, "human", "turn", "Make the page `app/main.py` load faster, but keep the old layout!"),
    ]
    for at, (command, outcome, printed) in enumerate(_COMMANDS):
        line = 10 * at + 2
        text = f"{command} shows it. The cause is #12 in `app/main.py`:\n\n- **One:** token 3 is slow.\n- Two\n\nNext?"
        found += [
            Said(line, "agent", "text", text),
            Call(line + 1, f"e{at}", "Edit", "edit", "app/main.py", paths=("app/main.py",), before=1, after=2),
            Result(line + 2, f"e{at}", OK, 9, changes=(("app/main.py", "edited"),)),
            Call(line + 3, f"c{at}", "Bash", "run", command),
            Result(line + 4, f"c{at}", outcome, 9, text=printed, commits=(("1234567", "ready"),) if at == 1 else ()),
            Said(line + 5, "agent", "text", f"You're right, that was not it. I will look at step {at} next."),
            Said(line + 6, "human", "turn", "No, don't do that: I said to keep it. Always ask first, why did you?"),
        ]
    found += [
        Call(97, "e", "Edit", "edit", "app/other.py", paths=("app/other.py",)),
        Result(98, "e", ERROR, 30, text="String to replace was not found in the file."),
        Said(99, "client", "summary", "Summary:\n1. The page loads faster.\n"),
    ]
    return found


_PARTS = _make_parts()
