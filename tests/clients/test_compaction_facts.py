"""What our compaction rests on, asked of the real clients: when each event comes, what it carries, where answers go.

No code of ours runs here. A client that changes one of these makes a test fail before a user loses something.
"""

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.clients.compacting import FULL, WINDOW
from tests.clients.heard import read_strings
from tests.clients.terminal import ENTER, Terminal
from tests.clients.waiting import PATIENCE, wait_until
from tests.clients.world import MakeWorld, World

pytestmark = pytest.mark.client

RECORDER = Path(__file__).with_name("recorder.py")
EVENTS = ("PreCompact", "SessionStart", "PostCompact", "UserPromptSubmit", "SubagentStop")
KEEP = "KEEP-LIST-7311: the port is 8437."
FROM_START, FROM_POST = "CONTEXT-FROM-START-2", "CONTEXT-FROM-POST-3"
SUMMARY = "Stub summary."  # what the scripted model says when it is asked for one
ASKS = "create a detailed summary of"
TALK = ("Look at the export.", "Look at the import.", "Look at the tests.")
COMPACT = "/compact"
AFTER = ("Go on with it.", "And now finish it.")


def build_context(event: str, text: str) -> str:
    return json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})


class Seen:
    """A world whose hooks are recorders, and what they noted."""

    def __init__(self, world: World, **answers: str) -> None:
        self.world = world
        self.folder = world.root / "seen"
        self.folder.mkdir()
        for event, answer in answers.items():
            (self.folder / f"{event}.out").write_text(answer)
        line = shlex.join([sys.executable, "-I", str(RECORDER), str(self.folder)])
        world.settings(hooks={event: f"{line} {event}" for event in EVENTS})

    def rows(self) -> list[dict[str, Any]]:
        path = self.folder / "seen.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def around(self) -> list[dict[str, Any]]:
        """The calls from the announcement of a compaction to the word that it is done."""
        rows = self.rows()
        names = [row["event"] for row in rows]
        return rows[names.index("PreCompact") : names.index("PostCompact") + 1]

    def sent(self, lane: str) -> list[str]:
        """What the model was sent: asked for a summary, or in the conversation."""
        return [read_strings(record["body"]) for record in self.world.model.records() if record["lane"] == lane]

    def find_heard(self) -> str:
        """What the model was sent with the last words of the person; a title for them is another, shorter request."""
        return max((sent for sent in self.sent("main") if AFTER[-1] in sent), key=len)


def compact_headless(seen: Seen) -> None:
    world = seen.world
    assert world.ask(TALK[0]).code == 0
    session = world.read_session_id(world.transcripts()[-1])
    for words in (*TALK[1:], COMPACT, *AFTER):
        assert world.ask(words, resume=session).code == 0


def compact_on_a_screen(seen: Seen) -> None:
    world = seen.world
    world.let_in()
    with Terminal(world.binary, cwd=world.project, env=world.environment()) as screen:

        def say(words: str, is_answered: Callable[[], bool]) -> None:
            screen.press(words.encode(), words)
            screen.send_when_quiet(ENTER)
            wait_until(lambda: screen.look() or is_answered())

        screen.wait_for("❯", PATIENCE)
        for words in TALK:
            say(words, lambda words=words: any(words in sent for sent in seen.sent("main")))  # type: ignore[misc]
        say(COMPACT, lambda: "PostCompact" in [row["event"] for row in seen.rows()])
        for words in AFTER:
            say(words, lambda words=words: any(words in sent for sent in seen.sent("main")))  # type: ignore[misc]


@pytest.mark.parametrize("compact", [compact_headless, compact_on_a_screen], ids=["headless", "interactive"])
def test_a_compaction_comes_in_three_events_and_the_summary_with_the_last(
    claude_world: MakeWorld, compact: Callable[[Seen], None]
) -> None:
    seen = Seen(
        claude_world(*("On it." for _ in (*TALK, *AFTER))),
        PreCompact=KEEP,
        SessionStart=build_context("SessionStart", FROM_START),
        PostCompact=build_context("PostCompact", FROM_POST),
    )
    compact(seen)
    check_events(seen, "manual")

    # What is printed before it stands in the prompt that asks for the summary, behind the client's own words.
    (asked,) = seen.sent("compact")
    assert 0 < asked.index(ASKS) < asked.index(KEEP)

    # What the start says is context, behind the summary. What is printed before and after a compaction that a person
    # asked for is shown as the output of their command, and the model is sent that; it is no context (an answer that
    # means to be one is refused).
    heard = seen.find_heard()
    assert SUMMARY in heard
    assert FROM_START in heard
    shown = heard[heard.index("<local-command-stdout>") : heard.index("</local-command-stdout>")]
    assert f"completed successfully: {KEEP}" in shown
    assert "PostCompact" in shown
    assert "validation failed" in shown
    assert FROM_POST not in heard.replace(shown, "")


def test_where_the_window_was_full_the_model_hears_neither_what_was_printed_before_nor_after(
    claude_world: MakeWorld,
) -> None:
    full = {"text": "On it.", "usage": {"input_tokens": FULL}}
    world = claude_world(*("On it." for _ in TALK[1:]), full, *("On it." for _ in AFTER))
    variables = {**world.variables(), **WINDOW}
    world.variables = lambda: variables
    seen = Seen(world, PreCompact=KEEP, PostCompact=build_context("PostCompact", FROM_POST))
    assert world.ask(TALK[0]).code == 0
    session = world.read_session_id(world.transcripts()[-1])
    for words in (*TALK[1:], *AFTER):
        assert world.ask(words, resume=session).code == 0
    check_events(seen, "auto")
    assert KEEP in seen.sent("compact")[0]
    heard = seen.find_heard()
    assert SUMMARY in heard
    assert KEEP not in heard
    assert FROM_POST not in heard


def check_events(seen: Seen, trigger: str) -> None:
    """The order of the events, and which of them has the summary."""
    rows = {row["event"]: row for row in seen.around()}
    order = [row["event"] for row in seen.around() if row["event"] != "SubagentStop"]
    assert order == ["PreCompact", "SessionStart", "PostCompact"]
    payloads = {event: rows[event]["payload"] for event in order}
    assert payloads["SessionStart"]["source"] == "compact"
    assert [payloads[event]["trigger"] for event in ("PreCompact", "PostCompact")] == [trigger] * 2
    # The client's own summariser ends as an agent without a name.
    assert rows.get("SubagentStop", {}).get("payload", {}).get("agent_type", "") == ""
    # The summary is in the last payload, in no other, and not yet in the transcript.
    assert SUMMARY in payloads["PostCompact"]["compact_summary"]
    assert SUMMARY not in json.dumps([rows["PreCompact"], rows["SessionStart"]])
    assert [rows[event]["summary_in_transcript"] for event in order] == [False] * 3


def test_the_other_client_announces_it_hears_nothing_then_and_leaves_the_summary_in_its_transcript(
    codex_world: MakeWorld,
) -> None:
    full = {"text": "I looked.", "usage": {"input": 90_000}}
    world = codex_world(full, f"SUMMARY: {SUMMARY}", "On it.", "Still on it.")
    seen = Seen(world, PreCompact=KEEP, PostCompact=build_context("PostCompact", FROM_POST))
    config = world.config / "config.toml"
    config.write_text("model_auto_compact_token_limit = 20000\n" + config.read_text())
    assert world.ask(TALK[0]).code == 0
    transcript = world.transcripts()[-1]
    session = world.read_session_id(transcript)
    for words in AFTER:
        assert world.ask(words, resume=session).code == 0
    order = [row["event"] for row in seen.around()]
    assert [each for each in order if each.endswith("Compact")] == ["PreCompact", "PostCompact"]
    payloads = {row["event"]: row["payload"] for row in seen.around()}
    assert payloads["PreCompact"]["trigger"] == payloads["PostCompact"]["trigger"] == "auto"
    assert SUMMARY not in json.dumps(payloads)
    assert f"SUMMARY: {SUMMARY}" in transcript.read_text(encoding="utf-8")
    sent = json.dumps(world.requests(), ensure_ascii=False)
    assert TALK[0] in json.dumps(world.requests()[-1])  # it carries over what people said
    assert KEEP not in sent
    assert FROM_POST not in sent
