"""Files that a client would misread in silence are told, ours and users' own."""

import re
from pathlib import Path

import pytest

from thruline.brief.section import NAMES
from thruline.cli.door import main_command
from thruline.cli.table import COMMANDS
from thruline.extract.prompt import CHUNK, read_prompt, render_instruction
from thruline.harnesses.installing import find_installers
from thruline.layout import find_user_paths
from thruline.operations.handoff.tasks import PREFIX, SUMMARIZER
from thruline.operations.install.roster import build_roster
from thruline.roster import Rules, check_text, read_roster
from thruline.roster.entry import find_entries
from tools.docs.commands import check_example

OURS = Rules(tools=("Agent", "Bash", "Read", "Task", "Write"), verbs=tuple(COMMANDS), strict=True)
CLIENT = next(module for _, module in find_installers() if module.MODELS)
THEIRS = Rules(models=CLIENT.MODELS, tools=("Bash", "Read"), verbs=("handoff",), ids=CLIENT.MODEL_ID)
GOOD = "---\nname: {name}\ndescription: Does it.\n---\nDo it.\n"
# For a terminal, or for programs of ours: a model has no use for them.
NOT_IN_CLIENTS = {
    "statusline",
    "bench",
    "completion",
    "config",
    "install",
    "uninstall",
    "off",
    "on",
    "roster",
    "receipt",
    "injected",
    "migrate",
}


def check(text: str, kind: str = "commands", path: str = "it.md", rules: Rules = THEIRS) -> list[str]:
    return [f"{each.line}: {each.what} {each.fix}" for each in check_text(text, path, kind, rules)]


@pytest.mark.parametrize("path", find_entries(), ids=lambda path: Path(path).stem)
def test_each_file_of_ours_is_in_order(path: str) -> None:
    kind = Path(path).parent.name
    assert check(Path(path).read_text(encoding="utf-8"), kind, path, OURS) == []


@pytest.mark.feature("F001-37", via="unit")
def test_every_agent_that_a_task_names_is_there_with_its_whole_prompt() -> None:
    entries = {entry.name: entry for entry in build_roster(find_user_paths()) if entry.kind == "agents"}
    named = {SUMMARIZER: CHUNK} | {PREFIX + name.replace("_", "-"): name for name in NAMES}
    for name, prompt in named.items():
        assert entries[name].prompt == prompt
        assert entries[name].body.strip() == render_instruction(read_prompt(prompt, "agent")).strip()


def test_every_verb_of_the_table_is_in_the_roster_or_for_terminals_only() -> None:
    commands = {entry.name for entry in read_roster() if entry.kind == "commands"}
    assert commands <= set(COMMANDS)
    assert not commands & NOT_IN_CLIENTS
    missing = set(COMMANDS) - commands - NOT_IN_CLIENTS
    assert missing == set(), "add roster/commands/VERB.md, or the verb to NOT_IN_CLIENTS here"


def test_every_example_in_the_roster_is_a_line_that_the_command_takes() -> None:
    for entry in read_roster():
        if entry.kind != "commands":
            continue
        examples = entry.body.partition("## Examples")[2].partition("## ")[0]
        lines = re.findall(r"^- `([^`]+)`", examples, re.MULTILINE)
        assert len(lines) >= 3
        for line in lines:
            assert check_example(f"thruline {line}", main_command) == "", line


@pytest.mark.feature("F002-20", via="unit")
@pytest.mark.parametrize("model", ["claude-sonnet-4-5", "fable", "gpt-5.5", "Opus", ""])
def test_ours_take_aliases_only(model: str) -> None:
    text = f"---\nname: it\ndescription: Does it.\nmodel: {model}\n---\nDo it.\n"
    assert any("No client knows the model" in each for each in check(text, rules=OURS))


@pytest.mark.parametrize(
    "model",
    [
        "opus",
        "fable",
        "inherit",
        "default",
        "opusplan",
        "sonnet[1m]",
        "opus[1m]",
        "claude-opus-4-8",
        "claude-sonnet-5[1m]",
        "claude-opus-4-20250514",
        "claude-haiku-4-5@20251001",
        "claude-3-5-sonnet-v2@20241022",
        "claude-3-7-sonnet-latest",
        "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "anthropic.claude-opus-5-5",
    ],
)
def test_theirs_may_name_what_the_client_knows(model: str) -> None:
    assert check(f"---\ndescription: Does it.\nmodel: {model}\n---\nDo it.\n") == []


@pytest.mark.parametrize(
    "model", ["sonnet-typo", "opus-latest", "gpt-4", "claude-sonet-4-5", "claude-opus", "inherit[1m]", "sonnet[2m]"]
)
def test_theirs_may_not_name_what_only_looks_like_a_model(model: str) -> None:
    [told] = check(f"---\ndescription: Does it.\nmodel: {model}\n---\nDo it.\n")
    assert told.startswith(f'3: No client knows the model "{model}"')
    assert told.endswith("or the full name of one")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("argument-hint: [topic] [--deep]", 'argument-hint: "[topic] [--deep]"'),
        ("description: Does: it", "a colon in it needs quotes"),
        ('description: "Does" it', "quotes do not close"),
        ("description: 'Does it", "quotes do not close"),
        ("description: @file", 'begin with "@"'),
        ("description: `it`", 'begin with "`"'),
        ("description", "no key: value"),
        ("description: a\ndescription: b", "given twice"),
        ("description: a\nmodel: sonet", 'the model "sonet"'),
        ("description: a\nallowed-tools: Bash(git:*), Raed", 'no tool "Raed"'),
        ("description: a\nallowed-tools: [Bash, Reed]", 'no tool "Reed"'),
        ("description: a\ntools:\n  - Bash\n  - Grap", 'no tool "Grap"'),
        ("argument-hint: x", "no description"),
        (f"description: {'x' * 1100}", "1100 characters"),
    ],
)
def test_bad_front_matter_is_told_with_its_line(line: str, said: str) -> None:
    found = check(f"---\n{line}\n---\nDo it.\n")
    assert any(said in each for each in found), found


@pytest.mark.parametrize(
    "front",
    [
        'argument-hint: "[topic] [--deep]"\ndescription: "Does: it"',
        "argument-hint: [topic]\ndescription: Does it # and says so",
        "description: >\n  Long text: over\n  lines",
        "description: a\nhooks:\n  Stop:\n    - hooks:\n        - type: command",
        "description: a\nallowed-tools: Bash(git add:*), Bash(git commit -m:*), mcp__x__y",
        "description: a\ntools: []",
        "description: It's fine",
    ],
)
def test_good_front_matter_is_praised(front: str) -> None:
    assert check(f"---\n{front}\n---\nDo it.\n") == []


def test_a_dead_reference_is_told_and_a_live_one_is_not(tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("x")
    path = str(tmp_path / "it.md")
    body = "See [a](there.md) and [b](gone.md) and @missing.txt, `[c](code.md)`, [d](https://example.org), @there.md\n"
    found = check(GOOD.format(name="it") + body + "```\n[e](fenced.md)\n```\n", path=path)
    assert [each.split(",")[0] for each in found] == [
        "6: It refers to gone.md",
        "6: It refers to missing.txt",
    ]


def test_a_command_that_thruline_has_not_is_told() -> None:
    found = check(
        GOOD.format(name="it") + "Run `thruline handof latest`, then\n\n    thruline fly\n\nthruline reads.\n"
    )
    assert [each.partition('"thruline ')[2].partition('"')[0] for each in found] == ["handof", "fly"]


@pytest.mark.parametrize(
    ("path", "kind", "text", "said"),
    [
        ("a/release/SKILL.md", "skills", GOOD.format(name="other"), 'named "other" and lies in "release"'),
        ("a/release/SKILL.md", "skills", "---\ndescription: x\n---\n", "no name"),
        ("agents/x.md", "agents", GOOD.format(name="Bad Name"), "is no name"),
        ("agents/x.md", "agents", "Do it.\n", "no front matter"),
        ("x.md", "commands", "---\ndescription: x\n", "not closed"),
        ("x.md", "commands", GOOD.format(name="x") + "y" * 20_000, "bytes, and each call reads them all"),
    ],
)
def test_names_and_sizes_are_looked_at(path: str, kind: str, text: str, said: str) -> None:
    assert any(said in each for each in check(text, kind, path))


def test_a_plain_command_without_front_matter_is_fine_for_users() -> None:
    assert check("Do it.\n") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD.format(name="it"), "declares no arguments"),
        (GOOD.format(name="it"), 'no "## Examples"'),
        (GOOD.format(name="it"), 'no "## When not to use it"'),
        (GOOD.format(name="it") + "## Examples\n\n- one\n\n## When not to use it\n", "1 examples"),
    ],
)
def test_ours_must_have_manners(text: str, said: str) -> None:
    assert any(said in each for each in check(text, rules=OURS))


def test_the_handoff_command_leads_a_model_through_every_step_of_the_agent_engine() -> None:
    command = next(one for one in read_roster() if (one.kind, one.name) == ("commands", "handoff"))
    steps = ["thruline handoff prepare REF --tasks", "ONE block", "ten minutes", "handoff reduce", "handoff finalize"]
    found = [command.body.find(step) for step in steps]
    assert -1 not in found
    assert found == sorted(found)
    assert {"Agent", "Task"} <= set(command.tools)
    assert "A packet is written" in " ".join(command.body.split())


@pytest.mark.parametrize("line", ["[" * 100_000, "- " + " " * 100_000 + "x", "[a](" * 50_000, "`" * 100_000])
def test_a_hostile_line_costs_no_more_than_its_length(line: str) -> None:
    # A quadratic search would run for minutes, and the suite's own limit end it.
    check(f"---\nname: it\ndescription: Does it.\ntools:\n{line}\n---\n{line}\n", "agents")
