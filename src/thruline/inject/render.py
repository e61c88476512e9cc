"""The texts themselves, each within what its client takes at once."""

import hashlib
from collections.abc import Callable

from thruline.artifacts.last_session import LastSession
from thruline.brief.attempts.inert import escape_odd, render_span
from thruline.brief.attempts.injection import find_in_name
from thruline.brief.claims.names import WITHHELD, encode_name, render_path, render_time
from thruline.brief.quotation.quote import CUT
from thruline.inject.choose import MOST_OTHERS, Choice, Waiting
from thruline.inject.templates import fill_template
from thruline.redact import redact

# The longest frame around the notes; and what a hook prints beside them: the start's own line, the one about learning.
FRAME_BYTES = 1_700
START_BYTES = 600
_NAME = 80
_FILE = 500  # a path that lost its beginning cannot be opened; where it makes the frame too long, the notes give way


def measure_notes(limit: int) -> int:
    """How many bytes of notes fit a client that takes texts of this length."""
    return max(0, limit - FRAME_BYTES - START_BYTES)


def render_resume(choice: Choice, notes: str, limit: int, measure: Callable[[str], int] = len) -> str:
    """What the next session is told about earlier ones; where it would be too long, where it can be read.

    `measure` counts a text as the client does.
    """
    holes = {
        "SESSION": _render_session(choice.full),
        "PATH": _render_place(choice.full),
        "OTHERS": _render_others(choice.others),
    }
    # The notes cannot hold their own digest, so nothing in them can pass for the end of the frame.
    mark = hashlib.sha256(notes.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    text = fill_template("resume", **holes, MARK=mark, NOTES=notes.strip("\n"))
    if measure(text) > limit - START_BYTES:
        text = fill_template("pointer", **holes)
    return text.rstrip("\n")


def render_start(last: LastSession) -> str:
    """The one line about the last session."""
    return fill_template(
        "start",
        STATE="ended" if last.ended else "had its last turn",
        TIME=render_time(last.ended_at),
        BRANCH=f"on branch {render_path(last.branch, _NAME)}" if last.branch else "on no branch",
        CHANGES=render_said(last.git) if last.git else render_changes(last.uncommitted_changes),
        TASK=f"; what it worked on, in its own words: {render_said(last.forge_task)}" if last.forge_task else "",
        DRIFT=f" It wrote mostly into another project, {render_path(last.drift)}." if last.drift else "",
    )


def render_learn() -> str:
    """That there is something to learn, told once."""
    return fill_template("learn")


def render_dirty(last: LastSession) -> str:
    """What the person is told of changes that are not committed."""
    branch = f" on {render_path(last.branch, _NAME)}" if last.branch else ""
    return fill_template("dirty", CHANGES=render_changes(last.uncommitted_changes), BRANCH=branch)


def render_changes(count: int) -> str:
    """`3 uncommitted changes`."""
    return "1 uncommitted change" if count == 1 else f"{count} uncommitted changes"


def render_said(text: str) -> str:
    """Somebody's few words in a code span, one line, secrets redacted; what reads like an instruction is withheld."""
    flat = " ".join(text.split())
    if find_in_name(flat):
        return WITHHELD
    safe = escape_odd(redact(flat).text)
    return render_span(safe[: _NAME - 1].rstrip() + CUT if len(safe) > _NAME else safe) if safe else "(no words)"


def _render_session(one: Waiting) -> str:
    words = [f"{render_path(one.session, _NAME)} ({one.harness})"]
    words.append(f"{'ended' if one.ended else 'last heard of'} {render_time(one.at)}")
    if one.branch:
        words.append(f"on branch {render_path(one.branch, _NAME)}")
    return ", ".join(words)


def _render_place(one: Waiting) -> str:
    return f" Its whole brief is in {_render_file(one.handoff)}." if one.handoff else ""


def _render_file(path: str) -> str:
    # Blanks alone stay as they are, or a file below `Application Support` could not be opened by what is told.
    if encode_name(path) == path.replace(" ", "%20") and len(path) <= _FILE:
        return render_span(path)
    return render_path(path, _FILE)


def _render_others(others: tuple[Waiting, ...]) -> str:
    rows = [
        f"- an older one, ended {render_time(one.at)}, which began with {render_said(one.title)}: "
        f"its brief is in {_render_file(one.handoff)}"
        for one in others[:MOST_OTHERS]
    ]
    more = len(others) - MOST_OTHERS
    rows += [f"- {more} older ones beside the last of these files"] if more > 0 else []
    return "".join(row + "\n" for row in rows)
