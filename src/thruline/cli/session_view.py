"""How one session is shown: to people in a screen, to programs as fields."""

from typing import Any

from thruline.cli.words import render_count
from thruline.operations.sessions.show import SessionView
from thruline.session.ledger import Ledger
from thruline.session.pointer import render_pointer
from thruline.session.summary import Summary

_MOST_ROWS = 12


def view_fields(view: SessionView) -> dict[str, Any]:
    """The session as one JSON object."""
    return {
        "session": view.summary.session_id or view.located.session_id,
        "harness": view.located.harness.name,
        "files": [view.located.shown(path) for path in view.located.files],
        "in_ark_only": view.located.only_kept,
        "subagents": [view.located.shown(found.path) for found in view.located.companions if found.kind == "subagent"],
        "summary": view.summary.to_fields() | {"turns": view.summary.turns},
        "touched": [
            {"path": fact.path, "how": fact.how, "first": fact.first, "last": fact.last, "touches": fact.touches}
            | {"source": fact.source}
            for fact in view.ledger.files.values()
        ],
        "commands": [
            {"command": fact.command, "line": fact.line, "outcome": fact.outcome, "exit_status": fact.exit_status}
            | {"runs": fact.runs, "source": fact.source}
            for fact in view.ledger.commands.values()
        ],
        "commits": [
            {"hash": made.digest, "subject": made.subject, "line": made.line, "source": made.source}
            for made in view.ledger.commits
        ],
        "records": view.counts,
        "problems": [
            {"file": view.located.shown(problem.path), "line": problem.line, "kind": problem.kind, "what": problem.what}
            for problem in view.problems
        ],
    }


def render_view(view: SessionView) -> str:
    """The session in one screen."""
    summary = view.summary
    lines = [summary.title or summary.first_prompt or "(nothing was said)", ""]
    lines += [f"  {name:<10} {value}" for name, value in _facts(view) if value]
    lines += _changed_files(view.ledger) + _commits(view.ledger) + _tasks(summary) + _problems(view)
    return "\n".join(lines) + "\n"


def _facts(view: SessionView) -> list[tuple[str, str]]:
    summary = view.summary
    humans = ", ".join(_count(count, kind) for kind, count in summary.humans.items())
    trouble = ", ".join(
        _count(count, name)
        for name, count in (
            ("error", summary.errors),
            ("refused", summary.refusals),
            ("compaction", summary.compactions),
            ("rewind", summary.rewinds),
        )
        if count
    )
    window = f" of {summary.window:,}" if summary.window else ""
    return [
        ("session", summary.session_id or view.located.session_id),
        ("client", f"{view.located.harness.title} {', '.join(summary.versions)}".strip()),
        ("folder", summary.cwd),
        ("branch", summary.branch),
        ("forked from", summary.parent),
        ("model", ", ".join(summary.models)),
        ("time", f"{summary.first_time} to {summary.last_time}" if summary.first_time else ""),
        ("state", summary.state),
        ("people", humans),
        ("agent", _agent(summary)),
        ("trouble", trouble),
        ("unknown", _unknown(view.counts.get("unknown", 0))),
        ("context", f"{summary.context:,}{window} tokens at the end" if summary.context else ""),
        ("file", view.located.shown(view.located.files[0]) + ("  (only in the ark)" if view.located.only_kept else "")),
    ]


def _unknown(count: int) -> str:
    return f"{render_count(count, 'record')} of a kind not known here; --json counts each kind" if count else ""


def _agent(summary: Summary) -> str:
    done = ((summary.agent_texts, "message"), (summary.calls, "tool call"), (summary.subagents, "subagent"))
    return ", ".join(_count(count, what) for count, what in done if count)


def _count(count: int, what: str) -> str:
    return f"{count:,} {what}" if what in ("queued", "refused") else render_count(count, what)


def _changed_files(ledger: Ledger) -> list[str]:
    changed = [fact for fact in ledger.files.values() if fact.how != ["read"]]
    changed.sort(key=lambda fact: fact.last, reverse=True)
    rows = [
        f"  {'+'.join(how for how in fact.how if how != 'read'):<16} {fact.path}  {_place(fact.last, fact.source)}"
        for fact in changed
    ]
    return _section(f"files changed ({len(changed)})", rows)


def _commits(ledger: Ledger) -> list[str]:
    rows = [f"  {made.digest}  {made.subject}  {_place(made.line, made.source)}" for made in ledger.commits]
    away = ledger.commits_elsewhere
    rows += [f"  {made.digest}  {made.subject}  {_place(made.line, made.source)}, in another folder" for made in away]
    return _section("commits", rows)


def _place(line: int, source: str) -> str:
    return render_pointer(line, source=source).removeprefix("transcript:")


def _tasks(summary: Summary) -> list[str]:
    return _section("tasks as last seen", [f"  {status:<12} {text}" for text, status in summary.tasks])


def _problems(view: SessionView) -> list[str]:
    rows = [f"  L{problem.line} {problem.kind}: {problem.what}" for problem in view.problems]
    return _section("problems", rows)


def _section(title: str, rows: list[str]) -> list[str]:
    if not rows:
        return []
    more = [f"  … {len(rows) - _MOST_ROWS} more; --json has all"] if len(rows) > _MOST_ROWS else []
    return ["", title, *rows[:_MOST_ROWS], *more]
