"""A packet made from a session: each claim below its heading, people's words exact, a prompt that can be pasted."""

import json
from pathlib import Path

import pytest

from tests.packets.projects import Project
from tests.sample import SAMPLE
from thruline.artifacts.packet import CONSTRAINTS, CONTEXT, DECISIONS, NEXT_PROMPT, PLAN, QUESTIONS, VALIDATORS
from thruline.operations.packets.making import make_packet
from thruline.operations.packets.next_prompt import FRAME, MOST_WORDS
from thruline.operations.packets.store import read_packet
from thruline.operations.sessions.locate import locate
from thruline.operations.verify import verify_file

RULES = "never change the column order, old consumers read by position."
CORRECTION = "No, don't add a pause. We tried that in spring and it only hid the problem."
CHOICE = "let's call the flag --dry-run, not --simulate."


def sections(project: Project, purpose: str = "finish the export") -> dict[str, str]:
    packet = read_packet(project.paths, project.hand_off(purpose).id)
    return {one.title: packet.document.read_section(one.title, 2) or "" for one in packet.document.sections}


@pytest.mark.feature("F003-09", via="unit")
def test_each_claim_stands_below_its_heading_and_nowhere_else(project: Project) -> None:
    found = sections(project)
    assert RULES in found[CONSTRAINTS]
    assert RULES not in found[DECISIONS] + found[CONTEXT]
    decided, _, rejected = found[DECISIONS].partition("### Rejected")
    assert CHOICE in decided
    assert CORRECTION in rejected
    assert CORRECTION not in decided + found[CONTEXT] + found[CONSTRAINTS]
    assert "the cursor was inclusive" in found[CONTEXT]
    assert "nothing was run against staging" in found[PLAN]
    assert "not committed by the session" in found[QUESTIONS]


@pytest.mark.feature("F003-08", via="unit")
@pytest.mark.parametrize("purpose", ["finish the export", "word " * 500])
def test_the_next_prompt_says_what_a_person_would_paste_in_four_hundred_words(project: Project, purpose: str) -> None:
    prompt = sections(project, purpose)[NEXT_PROMPT]
    assert len(prompt.split()) <= MOST_WORDS
    assert prompt.startswith("Goal: " + purpose[:15].strip())
    assert FRAME in prompt
    assert prompt.index(FRAME) < prompt.index(CORRECTION)
    for words in ("Where we are:", RULES, "Open first: `exporter.py`", "Done when `python3 -m unittest -q` succeeds."):
        assert words in prompt


@pytest.mark.feature("F003-09", via="unit")
@pytest.mark.feature("F003-20", via="unit")
def test_both_lists_of_files_and_the_validators_are_filled_and_usable_by_programs(project: Project) -> None:
    packet = read_packet(project.paths, project.hand_off().id)
    assert (packet.status, packet.confirmed) == ("draft", ())
    assert packet.suggested == ("exporter.py", "test_exporter.py")
    assert packet.validators == ("python3 -m unittest -q",)
    assert packet.problems == ()
    text = packet.document.read_section("Relevant Files", 2) or ""
    assert "### Confirmed" in text
    assert "- `exporter.py` (edited)" in text.partition("### Suggested")[2]


def make_of(project: Project, tmp_path: Path, *changes: tuple[str, str]) -> dict[str, str]:
    """The packet's sections, of the sample with other words in it."""
    text = SAMPLE.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    other = tmp_path / SAMPLE.name
    other.write_text(text)
    made = make_packet(locate(str(other), folder=str(project.root)), project.paths, "finish the export")
    verified = verify_file(made.path, folder=str(project.root), project=str(project.root))
    assert verified.ok, verified.report.troubles
    packet = read_packet(project.paths, made.id)
    return {one.title: packet.document.read_section(one.title, 2) or "" for one in packet.document.sections}


def test_the_next_prompt_says_what_the_user_said_last_unless_it_stands_elsewhere(
    project: Project, tmp_path: Path
) -> None:
    assert "What the user said last:" not in sections(project)[NEXT_PROMPT]
    prompt = make_of(project, tmp_path, (f"Last thing for today: {CHOICE}", "ok, works. great"))[NEXT_PROMPT]
    assert "What the user said last:\n- > user, transcript:L" in prompt
    assert "`ok, works. great`" in prompt


def test_a_first_request_that_is_long_is_told_by_its_beginning(project: Project, tmp_path: Path) -> None:
    first = next(json.loads(line) for line in SAMPLE.read_text().splitlines() if '"user"' in line)["message"]["content"]
    long = first + " It matters to a great many people." * 40
    prompt = make_of(project, tmp_path, (json.dumps(first), json.dumps(long)))[NEXT_PROMPT]
    told = prompt.partition("What was asked at first:\n- > user, transcript:L")[2].partition(": ")[2]
    assert told.lstrip("`").startswith(first[:40])
    assert len(prompt.split()) <= MOST_WORDS


def test_a_validator_is_run_in_the_root_and_proves_something(project: Project, tmp_path: Path) -> None:
    command = "python3 -m unittest -q"
    text = SAMPLE.read_text()
    cwd = next(json.loads(line)["cwd"] for line in text.splitlines() if '"cwd"' in line)
    found = make_of(project, tmp_path, (command, f"pytest -q {cwd}/test_exporter.py"))
    assert "- `pytest -q test_exporter.py`" in found[VALIDATORS]
    assert cwd not in found[VALIDATORS]
    for command_that_looks in ("pytest --collect-only -q", "ruff format exporter.py", "pytest --markers"):
        assert command_that_looks not in make_of(project, tmp_path, (command, command_that_looks))[VALIDATORS]


def test_verify_proves_a_packet(project: Project) -> None:
    made = project.hand_off()
    verified = verify_file(made.path, folder=str(project.root), project=str(project.root))
    assert verified.ok, verified.report.troubles
    Path(made.path).write_text(Path(made.path).read_text().replace("don't add a pause", "do add a pause"))
    assert not verify_file(made.path, folder=str(project.root), project=str(project.root)).ok


def test_a_secret_in_the_purpose_does_not_get_into_git(project: Project) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    made = project.hand_off(f"use {secret} for the export")
    assert secret not in Path(made.path).read_text()
    assert secret.lower() not in made.id
    assert SAMPLE.is_file()
