"""A message waits for its answer, and remembers what it followed."""

from thruline.session import parts
from thruline.session.parts import Call, Result, Said
from thruline.signals.situation import ANSWER_HEAD, ANSWER_TAIL, BEFORE, Situation, SituationBuilder


def fold(*session: parts.Part) -> list[Situation]:
    builder = SituationBuilder()
    found = [done for part in session if (done := builder.see(part)) is not None]
    last = builder.finish()
    return found + ([last] if last is not None else [])


def human(line: int, text: str = "hm", **more: str) -> Said:
    return Said(line, "human", "turn", text, **more)


def agent(line: int, text: str) -> Said:
    return Said(line, "agent", "text", text)


def test_an_answer_ends_where_the_next_person_speaks() -> None:
    first, second = fold(
        human(1), agent(2, "a"), Call(3, "c", "Read", "read", "/x", paths=("/x",)), human(4), agent(5, "b")
    )
    assert [step.text for step in first.after] == ["a", "/x"]
    assert [step.text for step in second.before] == ["a", "/x"]
    assert [step.text for step in second.after] == ["b"]
    assert first.first
    assert not second.first


def test_an_interrupt_belongs_to_the_message_after_it() -> None:
    stopped = Said(2, "client", "interrupt", "[stopped]")
    first, second, third = fold(human(1), stopped, human(3), agent(4, "a"), human(5))
    assert [one.interrupted for one in (first, second, third)] == [False, True, False]
    (_, after) = fold(human(1), Result(2, "c", parts.INTERRUPTED, 1), human(3))
    assert after.interrupted


def test_only_the_ends_of_a_long_answer_are_held() -> None:
    texts = [agent(line, f"t{line}") for line in range(2, 100)]
    first, second = fold(human(1), *texts, human(100))
    assert len(first.after) == ANSWER_HEAD + ANSWER_TAIL
    assert first.after[0].text == "t2"
    assert first.after[-1].text == "t99"
    assert len(second.before) == BEFORE


def test_subagents_are_not_part_of_the_conversation() -> None:
    inside = Said(2, "agent", "text", "inside", source="a1")
    (only,) = fold(human(1), inside, agent(3, "outside"))
    assert [step.text for step in only.after] == ["outside"]
