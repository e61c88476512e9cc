"""What one part of a session leaves in the spine: words whole, a call in one line, payloads never."""

from thruline.session import parts
from thruline.spine.entry import Entry, cut, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Longer targets (a heredoc, a script) say nothing more; the label opens the record.
TARGET_LIMIT = 160
OUTCOME_LIMIT = 300
# What failed stands at the head of an error or at its end, seldom between.
ERROR_LIMIT = 800

# Client text that carries meaning for the next session; the rest only looks human and is dropped.
_KEPT_CLIENT_KINDS = {
    "summary": "summary by the client",
    "command": "slash command",
    "interrupt": "interrupted by the user",
}
_CLIENT_LIMIT = 200


def strip_said(part: "parts.Said") -> "Entry | None":
    """Words: whole where a person or the agent said them, one line where the client did."""
    if part.by == "human":
        about = f" · {one_line(part.about, TARGET_LIMIT)}" if part.about else ""
        return Entry(part.line, part.source, f"human {part.kind}{about}", part.text, turn=part.kind == "turn")
    if part.by == "agent":
        return Entry(part.line, part.source, "agent", part.text) if part.text.strip() else None
    if part.kind == "summary":
        return Entry(part.line, part.source, f"summary by the client · {len(part.text):,} characters")
    if part.kind == "command" and part.about:
        # What was typed behind the command is the person's.
        return Entry(part.line, part.source, f"slash command · {one_line(part.text, _CLIENT_LIMIT)}", part.about)
    if part.kind in _KEPT_CLIENT_KINDS:
        return Entry(part.line, part.source, f"{_KEPT_CLIENT_KINDS[part.kind]} · {one_line(part.text, _CLIENT_LIMIT)}")
    if part.kind == "error":
        return Entry(part.line, part.source, f"client error · {one_line(part.text, _CLIENT_LIMIT)}")
    return None


def strip_call(call: "parts.Call", result: "parts.Result | None", bare: bool = False) -> Entry:
    """One line: name, target, outcome; the text of an error or a refusal below it, unless it is to be `bare`."""
    target = f" {cut(call.target, TARGET_LIMIT)}" if call.target else ""  # one line, as its reader made it
    if result is None:
        return Entry(call.line, call.source, f"{call.name}{target} · no result")
    outcome = result.outcome
    if result.exit_status:
        outcome += f", exit {result.exit_status}"
    if result.commits:
        outcome += "; commit " + ", ".join(f"{hash_} {one_line(subject, 80)}" for hash_, subject in result.commits)
    # What a subagent found is told by its own line, with the pointer to it.
    body = _shorten(result.text.strip("\n")) if result.outcome != parts.OK and not bare else ""
    return Entry(call.line, call.source, f"{call.name}{target} · {outcome}", body)


def _shorten(text: str) -> str:
    if len(text) <= ERROR_LIMIT:
        return text
    half = ERROR_LIMIT // 2
    head, tail = text[:half], text[-half:]
    # At a line end, unless a line is so long that little would be left.
    head = head[: head.rfind("\n")] if head.rfind("\n") > half // 2 else head
    tail = tail[tail.find("\n") + 1 :] if -1 < tail.find("\n") < half // 2 else tail
    return f"{head}\n… {len(text) - len(head) - len(tail):,} characters …\n{tail}"


def strip_late(call: "parts.Call", result: "parts.Result") -> "Entry | None":
    """A result that came after its call was already told: only trouble is worth a line of its own."""
    if result.outcome == parts.OK and not result.commits:
        return None
    told = strip_call(call, result)
    return Entry(result.line, result.source, f"later, of {told.label}: {told.head}", told.body)


def strip_other(part: "parts.Part") -> "Entry | None":
    """Everything that is neither words nor a call."""
    build = _BUILDERS.get(type(part))
    return build(part) if build else None


def _thought(part: "parts.Thought") -> "Entry | None":
    return Entry(part.line, part.source, "thought", part.text) if part.text.strip() else None


def _asked(part: "parts.Asked") -> Entry:
    options = f" [{' | '.join(part.options)}]" if part.options else ""
    return Entry(part.line, part.source, "agent asks", f"{part.question}{options}\n→ {part.answer or '(no answer)'}")


def _planned(part: "parts.Planned") -> Entry:
    return Entry(part.line, part.source, f"plan {part.verdict}", part.text if part.verdict == "proposed" else "")


def _tasks(part: "parts.Tasks") -> Entry:
    counts: dict[str, int] = {}
    for _, status in part.items:
        counts[status] = counts.get(status, 0) + 1
    current = next((text for text, status in part.items if status == "in_progress"), "")
    tally = ", ".join(f"{count} {status}" for status, count in counts.items())
    return Entry(part.line, part.source, f"tasks · {tally}" + (f" · now: {one_line(current, 120)}" if current else ""))


def _compacted(part: "parts.Compacted") -> Entry:
    after = f"{part.tokens_after:,}" if part.tokens_after and part.tokens_after > 0 else "?"
    sizes = f", {part.tokens_before:,} → {after} tokens" if part.tokens_before and part.tokens_before > 0 else ""
    return Entry(part.line, part.source, f"compacted ({part.trigger or 'unknown'}{sizes})")


def _rewound(part: "parts.Rewound") -> Entry:
    return Entry(part.line, part.source, f"rewound: L{part.first}-L{part.last} were left behind")


def _delegated(part: "parts.Delegated") -> Entry:
    from thruline.session.pointer import render_pointer  # here: what reads a few records on meets no subagent

    kind = f" {part.agent_kind}" if part.agent_kind else ""
    task = f" {one_line(part.task, 120)}" if part.task else ""
    where = render_pointer(1 if part.label else part.line, part.last, part.label or part.source)
    outcome = one_line(part.outcome, OUTCOME_LIMIT) or "no outcome"
    return Entry(part.line, part.source, f"subagent{kind}{task} · {outcome} ({where})")


def _changed(part: "parts.Changed") -> "Entry | None":
    if part.name not in ("cwd", "branch", "folder", "parent"):
        return None
    return Entry(part.line, part.source, f"{part.name} · {one_line(part.value, 200)}")


_BUILDERS: "dict[type[parts.Part], Callable[[Any], Entry | None]]" = {
    parts.Thought: _thought,
    parts.Asked: _asked,
    parts.Planned: _planned,
    parts.Tasks: _tasks,
    parts.Compacted: _compacted,
    parts.Rewound: _rewound,
    parts.Delegated: _delegated,
    parts.Changed: _changed,
}

OTHER_KINDS = tuple(_BUILDERS)
