"""What a session must not lose: a person's words by what they meant, nothing twice, nothing pasted."""

from thruline.brief.kept.remember import Fact, find_facts
from thruline.signals.signal import Signal


def signal(kind: str, quote: str, line: int = 5, **fields: object) -> Signal:
    return Signal(kind, "human", quote, line, **fields)  # type: ignore[arg-type]


def test_what_weighs_more_comes_first_and_each_sentence_stands_alone() -> None:
    found = find_facts(
        [
            signal("decision", "Let's go with approach B."),
            signal("correction", "No, not that file. Use the staging one.", 7),
        ],
        [("The demo is on Thursday.", 9)],
        [("write the docs", "pending"), ("done already", "completed")],
    )
    assert [(fact.kind, fact.text) for fact in found] == [
        ("correction", "No, not that file."),
        ("correction", "Use the staging one."),
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
    pasted = "Please look at the parser output. " + "x = {1: 'a'}; y[2] -> foo(bar, baz)\n" * 40
    assert [fact.text for fact in find_facts([], [(pasted, 3)])] == ["Please look at the parser output."]


def test_what_says_nothing_to_somebody_who_was_not_there_is_no_fact() -> None:
    signals = [
        signal("decision", "yes, let's do it", 3),
        signal("decision", "fix it up", 4),
        signal("correction", "are you sure?", 5),
        signal("correction", "Instead of lines 235-236:", 6),
        signal("correction", "Feb 8 22:02:21.647 |INFO| end component=hooks type=agent id=28c304f6-3c5f-4539", 7),
    ]
    assert find_facts(signals, [("now can you go on?", 8), ("This is the console output:", 9)]) == []


def test_a_short_word_of_the_person_counts_where_it_rules_something() -> None:
    kept = ["Use cents.", "No, don't add a pause.", "不要使用浮点数", "Nein, nimm UTC."]
    signals = [signal("correction", quote, at) for at, quote in enumerate(kept, 1)]
    assert [fact.text for fact in find_facts(signals, [])] == kept


def test_a_sentence_that_means_nothing_without_its_neighbour_stays_beside_it() -> None:
    quote = "No, not that file. Use the other one."
    assert [fact.text for fact in find_facts([signal("correction", quote)], [])] == [quote]


def test_a_command_that_failed_until_it_passed_was_not_given_up_and_what_was_is_told_whole() -> None:
    failed = Signal("dead_end", "agent", "make lint 2>&1", 3, strength=0.5, variety="command")
    undone = Signal("dead_end", "agent", "git checkout -- . && git clean -fd", 4, strength=0.6, variety="reverted")
    assert find_facts([failed, undone], []) == [Fact("dead_end", "git checkout -- . && git clean -fd", 4)]
