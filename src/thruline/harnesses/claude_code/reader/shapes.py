"""The fields of a record that the reader looks at, typed for msgspec.

Everything not named here is skipped at memory speed; what is `Raw` is kept as bytes and decoded only where a fact is
needed from it. A record in which a named field has another type is refused and takes the slow way (harnesses/jsonl.py),
which is right, only slower. Imported for large files alone: msgspec and typing cost more than they save on small ones.
"""

from typing import TypedDict

import msgspec

from thruline.harnesses.typed import decode_raw


# Fields stand in the order in which the client writes them: msgspec looks for the next key behind the last one.
class Usage(TypedDict, total=False):
    input_tokens: int | None
    cache_creation_input_tokens: int | None
    cache_read_input_tokens: int | None
    output_tokens: int | None


class Block(TypedDict, total=False):
    tool_use_id: str
    type: str
    text: str
    thinking: str
    id: str
    name: str
    input: msgspec.Raw
    content: msgspec.Raw
    is_error: bool | None


class Words(TypedDict, total=False):
    model: str | None
    content: str | list[Block] | None


class Message(Words, total=False):
    id: str | None
    usage: Usage | None


class _Around(TypedDict, total=False):
    parentUuid: str | None
    isSidechain: bool
    agentId: str | None
    cwd: str
    sessionId: str
    version: str
    gitBranch: str | None
    type: str
    subtype: str | None
    isMeta: bool | None
    uuid: str
    timestamp: str
    toolUseResult: msgspec.Raw
    toolDenialKind: str | None
    isCompactSummary: bool | None
    isVisibleInTranscriptOnly: bool | None
    isApiErrorMessage: bool | None
    origin: msgspec.Raw
    promptSource: str | None
    planContent: str | None
    permissionMode: str | None
    forkedFrom: msgspec.Raw
    # Records of other kinds
    attachment: msgspec.Raw
    content: msgspec.Raw
    compactMetadata: msgspec.Raw
    operation: str
    summary: str
    leafUuid: str | None
    customTitle: str | None
    aiTitle: str | None


class Record(_Around, total=False):
    message: Message


class Spoken(_Around, total=False):
    """A record whose tokens nobody asks for."""

    message: Words


class Said(msgspec.Struct, frozen=True, gc=False):
    """What `originals` compares of two records, as it stands in the line."""

    content: msgspec.Raw = msgspec.Raw()


class Told(msgspec.Struct, frozen=True, gc=False):
    """The same of the record around it."""

    uuid: str = ""
    type: msgspec.Raw = msgspec.Raw()
    message: Said = Said()
    content: msgspec.Raw = msgspec.Raw()
    attachment: msgspec.Raw = msgspec.Raw()
    operation: msgspec.Raw = msgspec.Raw()


__all__ = ["decode_raw", "decode_record", "decode_spoken", "decode_told"]

decode_record = msgspec.json.Decoder(Record).decode
decode_spoken = msgspec.json.Decoder(Spoken).decode
decode_told = msgspec.json.Decoder(Told).decode
