"""Whether a loop's prompt reaches its session whole: a client may cut what keeps a turn going, and tell nobody.

And whether what is written of it can be read again: hooks read no more of a file than they expect.
"""

from thruline.artifacts import loop_leave, loop_pointer
from thruline.artifacts.frontmatter import parse_document
from thruline.artifacts.loop_step import ROOM, render_prompt
from thruline.errors import Refused
from thruline.harnesses.registry import HARNESSES
from thruline.harnesses.telling import find_block_limit, measure_text

LARGEST_NEW = loop_pointer.LARGEST - (64 << 10)  # what is left is for its last line and for a person's notes
_NEXT = "put the text into a file of the project, and let the {} name that file"


def check_size(data: bytes) -> None:
    """Raises where the file of a new loop would be too large to be read again after a few turns."""
    if len(data) > LARGEST_NEW:
        raise Refused(
            "The prompt is too long for a loop.",
            where=f"{len(data):,} of {LARGEST_NEW:,} bytes, with what is said around it",
            next=_NEXT.format("prompt"),
        )


def check_until(command: str) -> None:
    """Raises where a hook would not read the whole of a command that decides a promise, and so never run it."""
    size = len(command.encode("utf-8", "surrogatepass"))
    if size > loop_leave.LARGEST:
        raise Refused(
            "The command is too long.",
            where=f"--until, {size:,} of {loop_leave.LARGEST:,} bytes",
            next=_NEXT.format("command"),
        )


def check_length(data: bytes, session: str) -> None:
    """Raises where the client of `session` would cut the prompt of the loop in `data`."""
    harness = next((each for each in HARNESSES if each.name == session.partition(":")[0]), None)
    limit = find_block_limit(harness) if harness else 0
    if harness is None or not limit:
        return
    size = measure_text(harness, render_prompt(parse_document(data))) + ROOM
    if size > limit:
        raise Refused(
            f"The prompt is too long for {harness.title}: it would cut it in the middle.",
            where=f"{size:,} of {limit:,}, with what is said around it",
            next=_NEXT.format("prompt"),
        )
