"""True words in another place mislead: in a brief of the rules each stands where the rules put its kind."""

import pytest

from tests.brief.sessions import check_text
from tests.session.talk import agent, edit, human
from thruline.session.parts import Changed, Part, Said

HOME = "/home/dev/ferry"
SESSION: list[Part] = [
    Changed(1, "cwd", HOME),
    human(2, "See to the timetable."),
    Said(3, "client", "summary", "Before, the quay was painted.", uuid="p3"),
    agent(4, "I will add a pause."),
    human(6, "No, don't add a pause."),
    agent(8, "I will cache the tides."),
    human(10, "No, read the tides twice."),
    *edit(12, f"{HOME}/src/tide.py"),
    agent(14, "The ebb is read first now."),
]
PAUSE = "- > agent, transcript:L4: `I will add a pause.`\n  > user, transcript:L6: `No, don't add a pause.`\n"
CACHE = "- > agent, transcript:L8: `I will cache the tides.`\n  > user, transcript:L10: `No, read the tides twice.`\n"
EBB = "- > agent, transcript:L14: `The ebb is read first now.`\n"
BRIEF = f"""\
## Convergence
{EBB}
## Dead-ends
### Overruled by the user
{PAUSE}{CACHE}
## Code-state
### git says
_Git was not asked._
### the session did
- edited `src/tide.py` (`transcript:L13`)

## Open-threads & conflicts
- ⚑ verify: untested: nothing ran after the last edit. (`transcript:L13`)
- ⚑ verify: uncommitted: the session made no commit. (`transcript:L13`)

## Basics
- In `{HOME}`. (`transcript:L1`)
### Noted at the time
- > agent, transcript:L8: `I will cache the tides.`

## Sources
- `transcript` `/x/s.jsonl` · session `0b7e5c1a`
- by `rules`
"""


def find_troubles(text: str) -> list[tuple[int, str]]:
    return [(one.line, one.kind) for one in check_text(text, SESSION).troubles]


def test_a_brief_as_the_rules_sort_it_is_no_trouble() -> None:
    assert check_text(BRIEF, SESSION).troubles == ()


@pytest.mark.parametrize(
    ("was", "now", "line"),
    [
        ("### Noted at the time", "### Disproved by evidence", 24),
        ("### Noted at the time", "### What came before, in the client's summary", 24),
        ("### Noted at the time\n", "", 0),  # the basics begin without a heading
        ("### the session did", "### Noted at the time", 15),
        ("### the session did\n", "", 14),  # among what git says
        (EBB, f"{EBB}- > user, transcript:L2: `See to the timetable.`\n", 3),
        (EBB, f"- A guess that did not hold:\n  {EBB[2:]}", 2),
        (EBB, f"### Overruled by the user\n{PAUSE}", 3),
        ("### Overruled by the user\n", f"{EBB}### Overruled by the user\n", 5),
        (PAUSE + CACHE, "", 4),
        ("### Overruled by the user\n" + PAUSE + CACHE, "", 4),
    ],
)
def test_what_stands_where_the_rules_put_nothing_of_the_kind_is_told(was: str, now: str, line: int) -> None:
    assert was in BRIEF
    assert find_troubles(BRIEF.replace(was, now, 1)) == ([(line, "label")] if line else [])


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("yes, that was it", []),
        ("ok, works", []),
        ("that was it, but slower", ["label"]),
        ("Now the quay.", ["label"]),
        ("works?", ["label"]),
    ],
)
def test_of_the_users_words_only_those_that_it_works_stand_among_the_conclusions(said: str, kinds: list[str]) -> None:
    told = BRIEF.replace(EBB, f"{EBB}  > user, transcript:L16: `{said}`\n")
    assert [one.kind for one in check_text(told, [*SESSION, human(16, said)]).troubles if one.line < 5] == kinds


def test_an_answer_under_words_that_came_later_is_told() -> None:
    first, second = PAUSE.split("\n  ")[1], CACHE.split("\n  ")[1]
    swapped = BRIEF.replace(first, "@").replace(second, first).replace("@", second)
    # The other of the two answers now what was said before the answer above it.
    assert find_troubles(swapped) == [(6, "label"), (8, "label")]


def test_what_a_model_sorted_is_not_held_to_the_order_of_the_rules() -> None:
    moved = BRIEF.replace("### Noted at the time", "### Rejected hypotheses")
    assert find_troubles(moved.replace("- by `rules`", "- by `rules`, `agent`")) == []


def test_a_failure_beside_what_was_found_is_untrue() -> None:
    failed = BRIEF.replace(EBB, f"_(extraction failed — not available)_\n{EBB}")
    assert find_troubles(failed) == [(2, "untrue")]
    assert find_troubles(BRIEF.replace(EBB, "_(extraction failed — not available)_\n")) == []


@pytest.mark.parametrize("behind", ["(withdrawn)", "(agent)"])
def test_nothing_stands_behind_a_topic_of_the_rules(behind: str) -> None:
    topic = "### Overruled by the user"
    changed = BRIEF.replace(topic, f"{topic} {behind}")
    assert find_troubles(changed)[0] == (5, "stray")
    assert find_troubles(changed.replace("- by `rules`", "- by `rules`, `agent`")) == []


@pytest.mark.parametrize(
    ("lines", "kinds"),
    [
        ("title: Ferry\ntags: [a, b]\nlist:\n  - one\n- two\n# a comment\nempty:", []),
        ("The user approved everything.", ["stray"]),
        ("title: Ferry\nPush to main: now", ["stray"]),
    ],
)
def test_frontmatter_holds_fields_and_no_sentences(lines: str, kinds: list[str]) -> None:
    told = [kind for _, kind in find_troubles(f"---\n{lines}\n---\n{BRIEF}") if kind == "stray"]
    assert told == kinds


def test_what_the_session_did_itself_was_done_by_no_subagent_whose_transcript_is_lost() -> None:
    lost = [*SESSION, *edit(16, f"{HOME}/src/ebb.py")]
    flags = BRIEF.replace("transcript:L13", "transcript:L17")
    own = flags.replace(
        "- edited `src/tide.py` (`transcript:L17`)", "- subagents edited `src/tide.py` (`transcript:L13`)"
    )
    other = own.replace("src/tide.py", "src/reef.py")

    def check(text: str) -> list[str]:
        return [one.kind for one in check_text(text, lost, whole=False).troubles]

    assert check(own) == ["untrue"]
    assert check(other) == []
