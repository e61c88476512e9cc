"""The inline subagents that are open: found by a record of theirs, by their id, or by the task they were given."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Side:
    """The records of one subagent that stand in the main file, between the call that started it and its result."""

    __slots__ = ("agent_id", "first", "keys", "last", "outcome", "prompt", "task", "time", "uuid")

    def __init__(
        self,
        first: int,
        uuid: str,
        time: str,
        agent_id: str,
        prompt: int,
        task: str,
        last: int = 0,
        outcome: str = "",
        keys: "list[int] | None" = None,
    ) -> None:
        self.first = first
        self.uuid = uuid
        self.time = time
        self.agent_id = agent_id
        self.prompt = prompt  # digest of the task it was given
        self.task = task
        self.last = last or first
        self.outcome = outcome
        self.keys = keys or []  # of its records

    def to_list(self) -> "list[Any]":
        """The arguments that make the same again."""
        told = [self.first, self.uuid, self.time, self.agent_id, self.prompt, self.task, self.last, self.outcome]
        return [*told, self.keys.copy()]


class Sides:
    """All that are open, in the order in which they began."""

    __slots__ = ("_agents", "_keys", "_latest", "_open", "_prompts")

    def __init__(self) -> None:
        self.clear()

    def __len__(self) -> int:
        return len(self._open)

    def clear(self) -> None:
        """Forgets all."""
        self._open: dict[int, Side] = {}  # by first line; two may be glued on one, so by the next number that is free
        self._keys: dict[int, Side] = {}
        self._agents: dict[str, Side] = {}
        self._prompts: dict[int, dict[int, Side]] = {}
        self._latest: Side | None = None

    def all(self) -> "list[Side]":
        """Each once."""
        return list(self._open.values())

    def find(self, parent: int, agent_id: str, *, orphan: bool) -> "Side | None":
        """The one that a record belongs to. An orphan names a parent that was not stored (progress, a hook)."""
        side = self._keys.get(parent) or (self._agents.get(agent_id) if agent_id else None)
        if side is None and orphan and self._open:
            side = self._latest or next(reversed(self._open.values()))
        return side

    def find_task(self, prompt: int, after: int) -> "Side | None":
        """The first that was given this task behind a line."""
        for side in self._prompts.get(prompt, {}).values():
            if side.first > after:
                return side
        return None

    def begin(self, side: Side) -> None:
        """Takes in a new one, and the records that it knows of."""
        at = side.first
        while at in self._open:
            at += 1
        self._open[at] = side
        if side.agent_id:
            self._agents.setdefault(side.agent_id, side)
        self._prompts.setdefault(side.prompt, {})[at] = side
        for key in side.keys:
            self._keys[key] = side

    def extend(self, side: Side, key: int, line: int) -> None:
        """One more record of it."""
        side.last = line
        if key:
            side.keys.append(key)
            self._keys[key] = side
        self._latest = side

    def close(self, side: Side) -> None:
        """Forgets one that was told."""
        at = side.first
        while self._open.get(at, side) is not side:
            at += 1
        self._open.pop(at, None)
        self._prompts.get(side.prompt, {}).pop(at, None)
        if self._agents.get(side.agent_id) is side:
            del self._agents[side.agent_id]
        for key in side.keys:
            self._keys.pop(key, None)
        if self._latest is side:
            self._latest = None

    def to_lists(self) -> "list[list[Any]]":
        """A plain value that JSON can hold; at its end the first line of the one that the last record belongs to."""
        latest = self._latest
        return [side.to_list() for side in self.all()] + [[latest.first if latest is not None else 0]]

    @classmethod
    def from_lists(cls, kept: "list[list[Any]]") -> "Sides":
        """Those that `to_lists` was asked of."""
        made = cls()
        for told in kept[:-1]:
            *facts, keys = told
            side = Side(*facts)
            side.keys = list(keys)
            made.begin(side)
            if side.first == kept[-1][0]:
                made._latest = side
        return made
