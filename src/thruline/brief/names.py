"""Names of a session in a claim's words: paths, commands, branches, ids.

A name is transcript text, yet short and needed in a sentence. It stands in a code span, which nothing can leave; one
that reads like an instruction is withheld, and the claim's pointer tells where it stands.
"""

from thruline.brief.inert import escape_odd, render_span
from thruline.brief.injection import find_in_name
from thruline.brief.pointer import encode_path
from thruline.redact import redact

WITHHELD = "(a name that reads like an instruction, withheld)"
LONGEST = 160


def render_name(text: str, most: int = LONGEST) -> str:
    """`text` in a code span, secrets redacted, one line of at most `most` characters."""
    flat = " ".join(text.split())
    if not flat:
        return "(no name)"
    if find_in_name(flat):
        return WITHHELD
    safe = redact(flat).text
    if len(safe) > most:
        safe = safe[: most - 1].rstrip() + "…"
    return render_span(escape_odd(safe))


def render_path(path: str, most: int = LONGEST) -> str:
    """A path in a code span, encoded as in a pointer: blanks and signs cannot make a sentence of it."""
    if find_in_name(path):
        return WITHHELD
    safe = encode_path(redact(path).text)
    return render_span("…" + safe[1 - most :] if len(safe) > most else safe) if safe else "(no name)"
