"""The frame of a pickup prompt, so that it is known again in the transcript of the session that was given it.

The client keeps it as the person's message. Its words are ours and those of an earlier session: taken for the person's
own, an old agent's sentence would be quoted as the user's. What the person wrote after it is theirs.
"""

_START, _MIDDLE = "Continue the packet `", "`"
# What may stand before it; whoever says something is asked this, so the whole text is not read for it.
MOST_BLANK = 400
_END = "End of the packet `{}`."


def frame_prompt(packet_id: str, status: str, place: str, blocks: list[str]) -> str:
    """The prompt, from its first line to its last."""
    head = f"{_START}{packet_id}{_MIDDLE} ({status}), which is in {place}."
    return "\n\n".join([head, *blocks, _END.format(packet_id)]) + "\n"


def split_prompt(text: str) -> tuple[str, str]:
    """The packet that a message continues, and what stands behind the prompt; ("", text) where it is none."""
    if _START not in text[:MOST_BLANK]:
        return "", text
    if not text.lstrip().startswith(_START):
        return "", text
    packet_id = text.lstrip()[len(_START) :].partition(_MIDDLE)[0]
    _, ended, rest = text.rpartition(_END.format(packet_id))
    # A prompt that was cut off somewhere ends with the message.
    return packet_id, rest.strip() if ended else ""
