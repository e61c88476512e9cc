"""Which earlier sessions are told, and how that is remembered."""

from thruline.inject.choose import Choice, Waiting, build_id, choose, parse_id


def wait(session: str, at: str, *, ended: bool = True, handoff: str = "/h.md") -> Waiting:
    return Waiting("some-client", session, 3, at, ended, pid=0 if ended else 7, handoff=handoff if ended else "")


def test_nothing_waits_and_nothing_is_told() -> None:
    assert choose([]) is None


def test_the_newest_that_ended_is_told_and_older_ones_are_named() -> None:
    old, new = wait("old", "2026-11-16T08:00:00Z"), wait("new", "2026-11-16T09:00:00Z")
    assert choose([old, new]) == choose([new, old]) == Choice(new, (old,))


def test_what_ended_comes_before_what_runs() -> None:
    ended, runs = wait("old", "2026-11-16T08:00:00Z"), wait("new", "2026-11-16T09:00:00Z", ended=False)
    assert choose([runs, ended]) == Choice(ended)
    assert choose([runs]) == Choice(runs)


def test_one_without_a_brief_to_open_is_not_named() -> None:
    old, new = wait("old", "2026-11-16T08:00:00Z", handoff=""), wait("new", "2026-11-16T09:00:00Z")
    assert choose([old, new]) == Choice(new)


def test_an_id_tells_every_session_and_how_far_it_had_come() -> None:
    choice = Choice(wait("new", "t"), (wait("old-1", "t"),))
    assert parse_id(build_id(choice)) == [("some-client", "new", 3), ("some-client", "old-1", 3)]


def test_an_id_of_something_else_tells_none() -> None:
    for odd in ("", "start a:b:3", "resume", "resume a:b", "resume a:b:x", "dirty a:b:3"):
        assert list(parse_id(odd)) == []
