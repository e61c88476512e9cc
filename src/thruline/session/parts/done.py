"""What was done, how it ended, and what changed around it."""

from thruline.session.parts.said import Part

# (from, to, whether that is certainly its new name, whether git did it); else `to` may be a folder that it went into.
Move = tuple[str, str, bool, bool]


class Call(Part):
    """A tool call: what was asked for. How it ended is in the `Result` with the same `call_id`.

    `target` is one line: the command, the path, the pattern, the address, the task. `paths` are the files it names, as
    written. `before` and `after` are CRC-32 of the replaced and the new text of an edit (0 where there is none), so
    that an edit undone can be seen without keeping either. `symbols` are the definitions in an
    edit, each with how it was touched (session/symbols.py). `background` is true where the call returned before the
    work was done.
    """

    __slots__ = ("action", "after", "background", "before", "call_id", "name", "paths", "symbols", "target")

    def __init__(
        self,
        line: int,
        call_id: str,
        name: str,
        action: str,
        target: str,
        uuid: str = "",
        time: str = "",
        source: str = "",
        paths: tuple[str, ...] = (),
        before: int = 0,
        after: int = 0,
        background: bool = False,
        symbols: tuple[tuple[str, int], ...] = (),
    ) -> None:
        self.line = line
        self.uuid = uuid
        self.time = time
        self.source = source
        self.call_id = call_id
        self.name = name
        self.action = action
        self.target = target
        self.paths = paths
        self.before = before
        self.after = after
        self.background = background
        self.symbols = symbols


class Result(Part):
    """How a tool call ended. `size` is what the tool returned, in bytes of the record.

    `text` is kept only where it tells why (an error, a refusal, at most 2,000 characters) or where it is the outcome
    itself (a subagent's last words, at most 500). `exit_status` is None where the client does not tell. `changes` are
    (path, how) with how one of created, edited, deleted, read; only for what really happened. `commits` are
    (hash, subject) of commits this call made, `logged` of those that it listed, as they stand in the output; `pushed`
    are (name, how) of what git told to have sent, with how one of sent, tag, current, refused. `moves` tells which of
    the changes belong together: a file that was moved is deleted and created.
    """

    __slots__ = ("call_id", "changes", "commits", "exit_status", "logged", "moves", "outcome", "pushed", "size", "text")

    def __init__(
        self,
        line: int,
        call_id: str,
        outcome: str,
        size: int,
        uuid: str = "",
        time: str = "",
        source: str = "",
        text: str = "",
        exit_status: int | None = None,
        changes: tuple[tuple[str, str], ...] = (),
        commits: tuple[tuple[str, str], ...] = (),
        logged: tuple[tuple[str, str], ...] = (),
        pushed: tuple[tuple[str, str], ...] = (),
        moves: tuple[Move, ...] = (),
    ) -> None:
        self.line = line
        self.uuid = uuid
        self.time = time
        self.source = source
        self.call_id = call_id
        self.outcome = outcome
        self.size = size
        self.text = text
        self.exit_status = exit_status
        self.changes = changes
        self.commits = commits
        self.logged = logged
        self.pushed = pushed
        self.moves = moves


class Tasks(Part):
    """The agent's task list as it stands after this record: (text, status).

    Status is pending, in_progress, completed or deleted.
    """

    __slots__ = ("items",)

    def __init__(
        self, line: int, items: tuple[tuple[str, str], ...], *, uuid: str = "", time: str = "", source: str = ""
    ) -> None:
        super().__init__(line, uuid, time, source)
        self.items = items


class Delegated(Part):
    """A subagent and the call that started it. `path` is where its own transcript is, or was; "" where none can be.

    `outcome` is one line: the last thing it said. `label` is the source label of its lines.
    """

    __slots__ = ("agent_id", "agent_kind", "call_id", "label", "last", "outcome", "path", "task")

    def __init__(
        self,
        line: int,
        agent_id: str,
        *,
        agent_kind: str = "",
        task: str = "",
        call_id: str = "",
        path: str = "",
        label: str = "",
        outcome: str = "",
        last: int = 0,
        uuid: str = "",
        time: str = "",
        source: str = "",
    ) -> None:
        super().__init__(line, uuid, time, source)
        self.agent_id = agent_id
        self.agent_kind = agent_kind
        self.task = task
        self.call_id = call_id
        self.path = path
        self.label = label
        self.outcome = outcome
        self.last = last

    @property
    def is_lost(self) -> bool:
        """Whether its records are nowhere: neither in a file that has a label nor among the session's own."""
        return not self.label and not self.last


class Compacted(Part):
    """The client replaced the conversation so far by a summary. Tokens are None where the client does not tell.

    `retained` are words of people that the client carries over beside the summary, as they were.
    """

    __slots__ = ("retained", "tokens_after", "tokens_before", "trigger")

    def __init__(
        self,
        line: int,
        trigger: str,
        *,
        tokens_before: int | None = None,
        tokens_after: int | None = None,
        retained: str = "",
        uuid: str = "",
        time: str = "",
        source: str = "",
    ) -> None:
        super().__init__(line, uuid, time, source)
        self.retained = retained
        self.trigger = trigger
        self.tokens_before = tokens_before
        self.tokens_after = tokens_after


class Rewound(Part):
    """The user went back: the lines `first` to `last` were left behind, a dead end that stays readable."""

    __slots__ = ("first", "last")

    def __init__(self, line: int, first: int, last: int, *, uuid: str = "", time: str = "", source: str = "") -> None:
        super().__init__(line, uuid, time, source)
        self.first = first
        self.last = last


class Used(Part):
    """Tokens of one answer of the model; counted once per answer. `context` is what the model was sent in all."""

    __slots__ = ("context", "input_tokens", "model", "output_tokens", "window")

    def __init__(
        self,
        line: int,
        model: str,
        input_tokens: int,
        output_tokens: int,
        context: int,
        window: int = 0,
        uuid: str = "",
        time: str = "",
        source: str = "",
    ) -> None:
        self.line = line
        self.uuid = uuid
        self.time = time
        self.source = source
        self.model = model
        self.input_tokens = input_tokens
        self.output_tokens = output_tokens
        self.context = context
        self.window = window


class Changed(Part):
    """A fact about the session changed: `name` is session_id, title, cwd, branch, model, version, mode, folder, pull,
    parent or starter.

    `folder` is a directory added to the session, `pull` the address of a pull request that it opened, `parent` the
    session it was forked from, `starter` the one that started it as a subagent. Told once per change.
    """

    __slots__ = ("name", "value")

    def __init__(self, line: int, name: str, value: str, *, uuid: str = "", time: str = "", source: str = "") -> None:
        super().__init__(line, uuid, time, source)
        self.name = name
        self.value = value


class Problem:
    """Something of a transcript that could not be read, and where. `kind` can be counted, `what` is for people.

    What is of a `MENDED` kind was read all the same: two records on one line, bad bytes replaced, NUL bytes passed,
    a number left out.
    """

    MENDED = ("encoding", "glued", "nul", "number")

    __slots__ = ("kind", "line", "path", "what")

    def __init__(self, path: str, line: int, kind: str, what: str) -> None:
        self.path = path
        self.line = line
        self.kind = kind
        self.what = what
