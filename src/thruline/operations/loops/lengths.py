"""Whether a loop's prompt reaches its session whole: a client may cut what keeps a turn going, and tell nobody."""

from thruline.artifacts.frontmatter import parse_document
from thruline.artifacts.loop_step import ROOM, render_prompt
from thruline.errors import Refused
from thruline.harnesses.registry import HARNESSES
from thruline.harnesses.telling import find_block_limit, measure_text


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
            next="put the text into a file of the project, and let the prompt name that file",
        )
