"""One ready text: its envelope, as hooks read it, and how it is claimed."""

import hashlib
import json
import os
from functools import partial

from thruline.artifacts.lines import parse_row
from thruline.disk.own import read_own
from thruline.errors import ThrulineError
from thruline.harnesses.registry import Harness
from thruline.harnesses.telling import find_limit, measure_text
from thruline.inject.choose import Choice, Waiting
from thruline.inject.render import render_learn, render_resume
from thruline.layout import HookPaths
from thruline.operations.work.budget import build_budget
from thruline.operations.work.place import Place

SCHEMA = 1
LEARN = "+learn"
_LARGEST = 4 << 20


def build_envelope(place: Place, harness: Harness, choice: Choice | None, kind: str, told: str) -> bytes | None:
    """The notes of `choice`, and the line about learning where `told` has that; None where there is neither."""
    limit = find_limit(harness)
    notes = _read_notes(place, choice.full, build_budget(limit)) if choice else None
    texts = []
    if choice is not None and notes is not None:
        texts.append(render_resume(choice, notes, limit, partial(measure_text, harness)))
    if told.endswith(LEARN):
        texts.append(render_learn())
    about = choice.full if choice else Waiting("", "", 0, "", True)
    return render_envelope(told, kind, "\n\n".join(texts), about) if texts else None


def render_envelope(told: str, kind: str, text: str, about: Waiting) -> bytes:
    """The bytes of an envelope; `about` is the session that the text speaks of."""
    fields = {"schema": SCHEMA, "id": told, "kind": kind, "from": about.session, "pid": about.pid, "born": about.born}
    return json.dumps({**fields, "text": text}).encode("ascii") + b"\n"


def _read_notes(place: Place, one: Waiting, budget: int) -> str | None:
    try:
        notes = parse_row(read_own(place.build_kept(one.harness, one.session, "notes.json"), _LARGEST))
    except ThrulineError:
        return None
    text = notes.get(str(budget))
    return text if isinstance(text, str) else None


def digest_envelope(envelope: bytes) -> str:
    """What tells one envelope from another."""
    return hashlib.sha256(envelope).hexdigest()[:16]


def claim(path: str) -> bool:
    """Takes a ready text away as a hook would; False where a hook was first. One that we took before counts too."""
    try:
        os.replace(path, build_claimed(path))
    except FileNotFoundError:
        return os.path.exists(build_claimed(path))
    return True


def take_reopened(path: str) -> None:
    """Makes a text that a hook took back, since its session goes on, one that we claimed, unless a newer lies there."""
    taken = HookPaths.build_reopened(path)
    try:
        if os.path.lexists(path):
            os.unlink(taken)
        else:
            os.replace(taken, build_claimed(path))
    except FileNotFoundError:
        pass  # as nearly always


def build_claimed(path: str) -> str:
    """Where a claimed text lies meanwhile: a name of our own, so that what a killed worker took is known to be ours."""
    return path + ".worker"
