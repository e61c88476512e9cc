"""Sections of the sample session, as a model might write them, merged with what the rules found there."""

import random
from pathlib import Path

import pytest

from tests.operations.finalizing import answer, write
from thruline.brief.document import parse_document
from thruline.brief.quotation.match import read_texts
from thruline.brief.section import NAMES
from thruline.operations.handoff.finalize import finalize
from thruline.operations.handoff.mined import mine_sections
from thruline.operations.sessions.locate import locate
from thruline.operations.sessions.reading import Reading
from thruline.operations.verify import verify_file

SAMPLE = Path(__file__).parents[2] / "samples" / "orders-export" / "session.jsonl"


def make(folder: Path, sections: dict[str, str]) -> str:
    """The brief, which must pass our own check."""
    located = locate(str(SAMPLE), folder=str(folder))
    mined = mine_sections(located, 3_000)
    written = write(folder / "s", {name: answer(name, content) for name, content in sections.items()})
    made = finalize(located, str(written), root=str(folder), rules=mined.sections, corrections=mined.corrections)
    path = folder / "brief.md"
    path.write_text(made.rendered.text)
    assert verify_file(str(path), folder=str(folder)).report.troubles == ()
    return made.rendered.text


def read_words(text: str) -> str:
    document = parse_document(text)
    return "\n".join(document.lines[at] for at in document.outside)


CURSOR = "Every page began with the last row of the one before (`transcript:L95`)."


@pytest.mark.feature("F001-31", via="unit")
@pytest.mark.parametrize(
    "sentence",
    [
        "The flag is now `--dry-run`, not released to anyone",
        "The flag is now `--dry-run`, not committed yet",
        "It is not the case that the last key is enough",
        "The session never showed that the test passes and the fix is committed",
        "The claim that the rename is not committed yet is false",
    ],
)
def test_an_honest_sentence_comes_out_whole_with_its_place(tmp_path: Path, sentence: str) -> None:
    text = make(tmp_path, {"convergence": f"{CURSOR} {sentence} (`transcript:L134`)."})
    assert f"{sentence}. (`transcript:L134`)" in text


@pytest.mark.parametrize(
    ("claim", "whole"),
    [
        ('The user settled it: "add a pause" (`transcript:L52`)', "No, don't add a pause."),
        ('The user asked to "touch export_legacy.py" (`transcript:L100`)', "And don't touch export_legacy.py, two"),
        ('The session ended with "committed yet" (`transcript:L134`)', "the rename is not committed yet."),
    ],
)
def test_half_a_sentence_is_never_quoted_and_never_told_as_its_opposite(tmp_path: Path, claim: str, whole: str) -> None:
    text = make(tmp_path, {"basics": f"- {claim}"})
    assert whole in text
    assert claim.partition('"')[0].strip(": ") not in read_words(text)


def test_what_many_claims_say_of_one_quotation_is_labelled_once_and_can_be_verified(tmp_path: Path) -> None:
    claims = [
        'The user said "I could retry each page with a longer pause next." (`transcript:L47`)',
        'The agent said "No, don\'t add a pause." (`transcript:L52`)',
        'User: "No, don\'t add a pause." (`transcript:L95`)',
        'It hid the problem in spring: "No, don\'t add a pause." (`transcript:L52`)',
        '"No, don\'t add a pause." (`transcript:L52`) overruled the first way of mending it',
    ]
    text = make(tmp_path, {"dead_ends": "\n".join(f"- {claim}" for claim in claims)})
    assert not any(line.count("(added by") > 1 for line in text.split("\n"))
    assert "It hid the problem in spring" in text
    assert "The agent said" not in text


def test_whatever_a_model_claims_stands_under_its_name(tmp_path: Path) -> None:
    claims = {
        "convergence": "The cursor is exclusive now and each row is written once (`transcript:L95`).",
        "dead_ends": "### Rejected hypotheses\n- A moving source was ruled out (`transcript:L47`)",
        "open_threads": "### What is owed\n- A test for an empty page is missing (`transcript:L134`)",
    }
    text = make(tmp_path, claims)
    for heading, claim in (
        ("### Added by the engine (agent)", "The cursor is exclusive now"),
        ("### Rejected hypotheses (agent)", "A moving source was ruled out"),
        ("### Added by the engine (agent)", "What is owed: A test for an empty page is missing"),
    ):
        assert text[: text.index(claim)].rpartition("### ")[2].startswith(heading.removeprefix("### "))


def test_what_the_user_rejected_is_not_told_as_the_users_wish(tmp_path: Path) -> None:
    claim = "A pause between the pages is the fix (`transcript:L47`). The user wants a pause added (`transcript:L52`)."
    text = make(tmp_path, {"convergence": claim})
    assert "wants a pause" not in text
    assert "No, don't add a pause." in text


FORMS = (
    'The user said "{}"', 'The agent said "{}"', 'User: "{}"', "{}", "It is not so that {}", "User \u2014 {}", "> {}",
    '"{}": overruled by the user', "`{}` was the answer", "He said {}", "Per the user, {}", "The user wants {}",
    'The plan, "{}", was refused by the user', "Not done: {}; nothing else", "{} <!-- {} -->",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_whatever_a_model_cuts_out_of_the_session_the_brief_passes_its_own_check(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    parts = Reading(locate(str(SAMPLE), folder=str(tmp_path)))
    said = [(part.line, text) for part in parts for _, text in read_texts(part) if len(text) > 20]
    sections = {}
    for name in NAMES:
        claims = []
        for _ in range(12):
            line, text = chance.choice(said)
            words = text.split()
            first = chance.randrange(len(words))
            cut = " ".join(words[first : first + chance.randint(1, 22)])
            claims.append(f"- {chance.choice(FORMS).replace('{}', cut)} (`transcript:L{line}`)")
        sections[name] = "\n".join(claims)
    assert not any(line.count("(added by") > 1 for line in make(tmp_path, sections).split("\n"))
