"""What was said, thought, asked and planned; and what every part has."""


class Part:
    """Something that stands in one record of the transcript."""

    __slots__ = ("line", "source", "time", "uuid")

    def __init__(self, line: int, uuid: str = "", time: str = "", source: str = "") -> None:
        self.line = line
        self.uuid = uuid
        self.time = time
        self.source = source

    def __repr__(self) -> str:
        names = [name for kind in reversed(type(self).__mro__) for name in getattr(kind, "__slots__", ())]
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"


class Said(Part):
    """Words, verbatim. `by` is `human`, `agent` or `client`.

    Human `kind`: `turn` typed as a prompt, `queued` typed while the agent worked and found nowhere else, `rejection`
    typed when refusing a tool call, `answer` typed as a free-text answer to a question or when allowing a call.
    Client `kind` names text that only looks human: `summary` (of a compaction), `command` (a slash command and its
    wrapper), `notification`, `reminder`, `hook`, `plan`, `loop`, `interrupt`, `subagent`, `error`, `other`.
    Agent `kind` is `text`. `about` is the question answered or the call refused, where there is one; of a
    `command` it is what a person typed behind the command's name.
    """

    __slots__ = ("about", "by", "call_id", "kind", "text")

    def __init__(
        self,
        line: int,
        by: str,
        kind: str,
        text: str,
        uuid: str = "",
        time: str = "",
        source: str = "",
        about: str = "",
        call_id: str = "",
    ) -> None:
        self.line = line
        self.uuid = uuid
        self.time = time
        self.source = source
        self.by = by
        self.kind = kind
        self.text = text
        self.about = about
        self.call_id = call_id


class Thought(Part):
    """What the model thought. `text` is empty when the client stored only a signature.

    Callers never depend on it: corrections and decisions live in what was said.
    """

    __slots__ = ("text",)

    def __init__(self, line: int, text: str, uuid: str = "", time: str = "", source: str = "") -> None:
        self.line = line
        self.uuid = uuid
        self.time = time
        self.source = source
        self.text = text


class Asked(Part):
    """A question the agent put to the user with a tool, its options, and the chosen answers once they are known.

    A free-text answer is also a `Said` of kind `answer`; a picked option is only here: the words are the agent's.
    """

    __slots__ = ("answer", "call_id", "options", "question")

    def __init__(
        self,
        line: int,
        question: str,
        options: tuple[str, ...],
        answer: str,
        *,
        call_id: str = "",
        uuid: str = "",
        time: str = "",
        source: str = "",
    ) -> None:
        super().__init__(line, uuid, time, source)
        self.question = question
        self.options = options
        self.answer = answer
        self.call_id = call_id


class Planned(Part):
    """A plan put before the user. `verdict` is `proposed`, `approved` or `refused`."""

    __slots__ = ("call_id", "text", "verdict")

    def __init__(
        self, line: int, text: str, verdict: str, *, call_id: str = "", uuid: str = "", time: str = "", source: str = ""
    ) -> None:
        super().__init__(line, uuid, time, source)
        self.text = text
        self.verdict = verdict
        self.call_id = call_id
