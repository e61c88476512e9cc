"""What a session must not lose: a person's words by what they meant, nothing twice, nothing pasted."""

from thruline.brief.remember import Fact, find_facts
from thruline.signals.signal import Signal


def signal(kind: str, quote: str, line: int = 5, **fields: object) -> Signal:
    return Signal(kind, "human", quote, line, **fields)  # type: ignore[arg-type]


def test_what_weighs_more_comes_first_and_each_sentence_stands_alone() -> None:
    found = find_facts(
        [
            signal("decision", "Let's go with approach B."),
            signal("correction", "No, not that file. Use the other one.", 7),
        ],
        [("The demo is on Thursday.", 9)],
        [("write the docs", "pending"), ("done already", "completed")],
    )
    assert [(fact.kind, fact.text) for fact in found] == [
        ("correction", "No, not that file."),
        ("correction", "Use the other one."),
        ("decision", "Let's go with approach B."),
        ("task", "write the docs"),
        ("said", "The demo is on Thursday."),
    ]


def test_one_sentence_that_means_two_things_is_told_once() -> None:
    quote = "No, never use float for money."
    found = find_facts([signal("constraint", quote), signal("correction", quote)], [(quote, 5)])
    assert found == [Fact("correction", quote, 5)]


def test_what_was_taken_back_a_bare_yes_and_an_agents_own_ruling_are_no_facts() -> None:
    agents = Signal("decision", "agent", "I will use approach B here.", 4)
    assert find_facts([signal("decision", "yes"), signal("refusal", "not now please", withdrawn=9), agents], []) == []


def test_a_command_counts_where_it_was_run_again() -> None:
    once = Signal("command", "agent", "ls -la build", 3, strength=0.5)
    twice = Signal("command", "agent", "make check", 4, strength=0.6)
    assert find_facts([once, twice], []) == [Fact("command", "make check", 4)]


def test_what_was_pasted_is_not_what_was_said() -> None:
    pasted = "Please look at this. " + "x = {1: 'a'}; y[2] -> foo(bar, baz)\n" * 40
    assert [fact.text for fact in find_facts([], [(pasted, 3)])] == ["Please look at this."]


def test_what_stands_before_a_line_can_be_left_out() -> None:
    assert find_facts([signal("correction", "No, not that file.", 5)], [("Say it again please.", 5)], after=5) == []
