"""Every setting: one field each, with its default, its sentence and what a project may do to it.

A new setting is one line here. The sentence is what `thruline config list` and docs/config.md say about it.
"""

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

Value = bool | int | float | str | tuple[str, ...]
T = TypeVar("T", bool, int, float, str, tuple[str, ...])


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a project's file may do to a setting (law 11: it narrows, never widens)."""

    name: str
    allows: Callable[[Any, Any], bool]  # the value so far, the project's value


USER_ONLY = Narrowing("nothing", lambda _was, _now: False)
LOWER = Narrowing("lower it", lambda was, now: now <= was)
TURN_OFF = Narrowing("turn it off", lambda _was, now: now is False)
TURN_ON = Narrowing("turn it on", lambda _was, now: now is True)
ADD = Narrowing("add to it", lambda _was, _now: True)  # a list; what the project names comes on top


@dataclass(frozen=True, slots=True)
class Rule:
    """What holds for a setting beside its type. A `secret` one is never shown, only that it is set; of a list with
    `choices` nothing else may be in it."""

    doc: str
    project: Narrowing
    least: float
    most: float
    secret: bool = False
    choices: tuple[str, ...] = ()


def key(
    default: T,
    doc: str,
    *,
    project: Narrowing,
    least: float = -math.inf,
    most: float = math.inf,
    secret: bool = False,
    choices: tuple[str, ...] = (),
) -> T:
    """One setting: `doc` is its sentence for people, `project` what a repository may do to it."""
    made: Any = field(default=default, metadata={"rule": Rule(doc, project, least, most, secret, choices)})
    return made  # type: ignore[no-any-return]  # dataclasses put the default in its place


@dataclass(frozen=True, slots=True)
class Git:
    """[git]: how the repository is asked."""

    timeout_seconds: float = key(
        5.0, "Seconds after which a git command is given up.", project=LOWER, least=0.1, most=600
    )


@dataclass(frozen=True, slots=True)
class Disk:
    """[disk]: how files are written."""

    lock_seconds: float = key(
        10.0, "Seconds to wait for a file that another thruline is writing.", project=LOWER, least=0.1, most=600
    )


@dataclass(frozen=True, slots=True)
class Redact:
    """[redact]: how secrets are found."""

    entropy: bool = key(True, "Whether text that only looks random counts as a secret.", project=TURN_ON)


@dataclass(frozen=True, slots=True)
class Ark:
    """[ark]: which transcripts are kept when their client deletes them."""

    enabled: bool = key(False, "Whether `thruline archive` may keep copies of transcripts.", project=USER_ONLY)
    max_bytes: int = key(
        0,
        "Bytes the ark may take; above that sessions are dropped, those that their client still has first, the oldest "
        "first. 0 is no limit.",
        project=USER_ONLY,
        least=0,
    )
    keep_days: int = key(
        0, "Days after its last word that a session is kept. 0 is for ever.", project=USER_ONLY, least=0
    )
    exclude: tuple[str, ...] = key(
        (),
        "Globs of transcripts, project folders or their names that are never archived; `config set` and the variable "
        "take several parted by commas.",
        project=ADD,
    )


@dataclass(frozen=True, slots=True)
class Context:
    """[context]: when a session counts as nearly full."""

    threshold: int = key(
        70,
        "Percent of the model's window at which a handoff is prepared and the status line warns.",
        project=LOWER,
        least=1,
        most=100,
    )


PARTS = ("model", "branch", "dirty", "context", "task", "loop", "role")


@dataclass(frozen=True, slots=True)
class StatusLine:
    """[statusline]: what our line in a client shows."""

    parts: tuple[str, ...] = key(
        PARTS,
        "What the status line shows, in this order; it warns of a full window in any case.",
        project=USER_ONLY,
        choices=PARTS,
    )


@dataclass(frozen=True, slots=True)
class Models:
    """[models]: whether, and for how much, a model may be asked. Nothing asks one unless a command names an engine."""

    enabled: bool = key(True, "Whether an engine with a model may be used at all.", project=TURN_OFF)
    daily_tokens: int = key(
        5_000_000, "Tokens that may be read and written in a day (UTC). 0 is no limit.", project=USER_ONLY, least=0
    )
    daily_dollars: float = key(
        10.0, "Dollars that may be spent in a day, where a price is known. 0 is no limit.", project=USER_ONLY, least=0
    )
    timeout_seconds: float = key(
        300.0, "Seconds after which a question to a model is given up.", project=LOWER, least=1, most=3600
    )
    model: str = key(
        "", "The model that a headless client is asked to use. Empty is the client's own.", project=USER_ONLY
    )
    base_url: str = key(
        "http://127.0.0.1:11434/v1",
        "Address of an OpenAI-compatible server, for `api:local/<model>`.",
        project=USER_ONLY,
    )
    anthropic_key: str = key("", "Key for Anthropic, where the environment has none.", project=USER_ONLY, secret=True)
    openai_key: str = key("", "Key for OpenAI, where the environment has none.", project=USER_ONLY, secret=True)
    google_key: str = key("", "Key for Google, where the environment has none.", project=USER_ONLY, secret=True)
    local_key: str = key(
        "", "Key for the server at `models.base_url`, if it asks for one.", project=USER_ONLY, secret=True
    )


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from: `default`, `user` and `project` (a file's line), or `variable`."""

    kind: str
    where: str = ""
    line: int = 0

    def __str__(self) -> str:
        if self.line:
            return f"{self.where}:{self.line}"
        return self.where or self.kind


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a source. `ignored` ones are warnings: the rest of the config is in force."""

    what: str
    path: str
    line: int = 0
    column: int = 0
    next: str = ""
    ignored: bool = False

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.what}"


@dataclass(frozen=True, slots=True)
class Config:
    """All settings in force, each key's origin, and what was wrong on the way."""

    git: Git = Git()
    disk: Disk = Disk()
    redact: Redact = Redact()
    ark: Ark = Ark()
    models: Models = Models()
    context: Context = Context()
    statusline: StatusLine = StatusLine()
    origins: Mapping[str, Origin] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """One key of a schema, as the other modules of this room see it."""

    section: str
    name: str
    type: type
    default: Value
    rule: Rule

    @property
    def key(self) -> str:
        return f"{self.section}.{self.name}"

    @property
    def variable(self) -> str:
        return f"THRULINE_{self.section}_{self.name}".upper()

    @property
    def type_name(self) -> str:
        return {bool: "true or false", int: "a whole number", float: "a number", str: "text"}.get(
            self.type, "a list of texts"
        )


def find_settings(schema: type = Config) -> Iterator[Setting]:
    """Every setting of `schema`, in the order of its file."""
    for section in dataclasses.fields(schema):
        if isinstance(section.type, type) and dataclasses.is_dataclass(section.type):
            for each in dataclasses.fields(section.type):
                kind = tuple if each.type == tuple[str, ...] else each.type
                assert isinstance(kind, type)
                default: Any = each.default
                yield Setting(section.name, each.name, kind, default, each.metadata["rule"])


def render_table(schema: type = Config) -> str:
    """The table of docs/config.md."""
    rows = ["| key | default | what it does | a project may | variable |", "| --- | --- | --- | --- | --- |"]
    for each in find_settings(schema):
        default = str(each.default).lower() if each.type is bool else str(each.default)
        rows.append(f"| `{each.key}` | `{default}` | {each.rule.doc} | {each.rule.project.name} | `{each.variable}` |")
    return "\n".join(rows)
