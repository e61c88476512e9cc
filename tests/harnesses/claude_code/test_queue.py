"""Prompts typed while the agent worked: told once, and only where they never became a prompt of their own."""

from typing import Any

from thruline.harnesses.claude_code.reader import Reader
from thruline.session.parts import Said


def human(transcript: Any, **options: Any) -> list[tuple[int, str, str]]:
    reader = Reader(str(transcript.path), **options)
    return [(part.line, part.kind, part.text) for part in reader if isinstance(part, Said) and part.by == "human"]


def test_a_message_taken_into_the_running_turn_is_queued(transcript: Any) -> None:
    transcript.user("start")
    transcript.queue("enqueue", "also the tests")
    transcript.queue("remove")
    transcript.agent("done")
    assert human(transcript) == [(1, "turn", "start"), (2, "queued", "also the tests")]


def test_a_message_that_became_a_prompt_is_a_turn_only(transcript: Any) -> None:
    transcript.queue("enqueue", "start")
    transcript.queue("dequeue")
    transcript.user("start")
    assert human(transcript) == [(3, "turn", "start")]


def test_several_messages_sent_as_one_prompt_are_that_turn_only(transcript: Any) -> None:
    transcript.queue("enqueue", "first")
    transcript.queue("enqueue", "second")
    transcript.queue("dequeue")
    transcript.queue("dequeue")
    transcript.user("first\nsecond")
    assert human(transcript) == [(5, "turn", "first\nsecond")]


def test_a_message_taken_back_is_queued_unless_it_is_sent_after_all(transcript: Any) -> None:
    transcript.queue("enqueue", "never mind the logs")
    transcript.queue("popAll", "never mind the logs")
    transcript.user("something else")
    transcript.queue("enqueue", "sent again")
    transcript.queue("popAll", "sent again")
    transcript.user("sent again")
    assert human(transcript) == [
        (1, "queued", "never mind the logs"),
        (3, "turn", "something else"),
        (6, "turn", "sent again"),
    ]


def test_the_attachment_of_a_queued_message_does_not_count_twice(transcript: Any) -> None:
    transcript.queue("enqueue", "is the docstring next?")
    transcript.queue("remove")
    held = {"type": "queued_command", "prompt": "is the docstring next?", "commandMode": "prompt"}
    transcript.record("attachment", attachment=held)
    assert human(transcript) == [(1, "queued", "is the docstring next?")]


def test_an_attachment_without_a_queue_record_is_told_where_it_stands(transcript: Any) -> None:
    held = {"type": "queued_command", "prompt": "hurry", "commandMode": "prompt", "origin": {"kind": "human"}}
    transcript.record("attachment", attachment=held)
    note = {"type": "queued_command", "prompt": "<task-notification>x</task-notification>"}
    transcript.record("attachment", attachment=note)
    assert human(transcript) == [(1, "queued", "hurry")]


def test_commands_and_notifications_in_the_queue_are_not_human(transcript: Any) -> None:
    transcript.queue("enqueue", "/theme")
    transcript.queue("popAll", "/theme")
    transcript.queue("enqueue", "<task-notification>\n<task-id>b1</task-id>\n</task-notification>")
    transcript.queue("remove")
    assert human(transcript) == []


def test_what_is_still_queued_waits_while_the_session_lives(transcript: Any) -> None:
    transcript.queue("enqueue", "one more thing")
    assert human(transcript, live=True) == []
    assert human(transcript) == [(1, "queued", "one more thing")]
    reader = Reader(str(transcript.path), live=True)
    list(reader)
    assert [part.text for part in reader.pending() if isinstance(part, Said)] == ["one more thing"]
    assert [part.text for part in reader.pending() if isinstance(part, Said)] == ["one more thing"]


def test_a_path_at_the_start_of_a_queued_message_is_no_command(transcript: Any) -> None:
    for text in ("/tmp is full, clean it up first", "/api returns 500 since the merge", "/home/dev/x.py breaks"):
        transcript.queue("enqueue", text)
        transcript.queue("remove", text)
    held = {"type": "queued_command", "prompt": "Stop hook feedback:\nwhat is it?", "origin": {"kind": "human"}}
    transcript.record("attachment", attachment=held)
    transcript.queue("enqueue", "/review 12 quickly")
    transcript.queue("remove", "/review 12 quickly")
    assert [row[2][:9] for row in human(transcript)] == ["/tmp is f", "/api retu", "/home/dev", "Stop hook"]
