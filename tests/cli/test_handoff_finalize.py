"""`thruline handoff finalize` and `reduce` from the command line."""

import json
from pathlib import Path

import pytest

from tests.sample import SAMPLE
from thruline.cli.door import run
from thruline.extract.prompt import build_version
from thruline.layout import find_project


def write(folder: Path, **contents: str) -> Path:
    folder.mkdir()
    for name, content in contents.items():
        value = {"section": name, "content": content, "pointers": []}
        (folder / f"{name}.json").write_text(json.dumps(value))
    return folder


@pytest.mark.feature("F001-30", via="cli")
@pytest.mark.feature("F001-31", via="cli")
@pytest.mark.feature("F001-33", via="cli")
def test_the_brief_is_printed_the_failures_are_named_and_it_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = '- > "No, don\'t add a pause." (`transcript:L50`) — waiting only hid it'
    sections = write(
        tmp_path / "s",
        convergence="Pages overlapped by one row (`transcript:L95`).",
        dead_ends=f'{said}\n- "Yes, please add a pause." (L52)',
    )
    (sections / "basics.json").write_text("Sorry, I could not.")
    monkeypatch.chdir(tmp_path)
    assert run(["handoff", "finalize", "--session", str(SAMPLE), "--sections", "s"]) == 0
    told = capsys.readouterr()
    assert "  > user, transcript:L52: `No, don't add a pause." in told.out
    assert "Yes, please" not in told.out
    # What the rules found stands in for the sections that failed.
    assert "extraction failed" not in told.out
    assert "never change the column order" in told.out
    assert [line.split(":")[0] for line in told.err.splitlines()] == [
        "code_state",
        "open_threads",
        "basics",
        "dead_ends",
    ]
    assert "dead_ends: claim 2 (transcript:L52): its quotation is not in the transcript" in told.err
    brief = tmp_path / "brief.md"
    brief.write_text(told.out)
    assert run(["verify", str(brief)]) == 0
    capsys.readouterr()
    assert run(["handoff", "finalize", "--session", str(SAMPLE), "--sections", "s", "--json"]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert (fields["quotes"]["moved"], fields["quotes"]["missing"]) == (1, 1)
    assert [failure["section"] for failure in fields["failures"]] == ["code_state", "open_threads", "basics"]
    assert fields["sections"] == {
        "convergence": "made",
        "dead_ends": "made",
        "code_state": "rules",
        "open_threads": "rules",
        "basics": "rules",
    }
    assert json.loads(Path(fields["cached"]).read_text())["brief"] == told.out


def test_where_every_section_failed_it_fails_says_why_and_keeps_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "basics.json").write_text("Sorry, I could not.")
    assert run(["handoff", "finalize", "--session", str(SAMPLE), "--sections", str(tmp_path / "s")]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "basics: no JSON object in it" in told.err
    assert "thruline handoff <ref>" in told.err
    assert not list(Path(find_project(str(tmp_path)).briefs).glob("*"))


def test_a_folder_that_is_not_there_is_an_expected_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["handoff", "finalize", "--session", str(SAMPLE), "--sections", str(tmp_path / "none")]) == 1
    assert "Cannot read the sections" in capsys.readouterr().err


def test_a_leaf_of_another_day_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sections = write(tmp_path / "s", basics="- x (`transcript:L3`)")
    assert run(["handoff", "finalize", "--session", str(SAMPLE), "--sections", str(sections), "--leaf", "other"]) == 0
    told = capsys.readouterr().err
    assert "has no record other" in told
    assert "has grown" not in told


@pytest.mark.feature("F001-32", via="cli")
def test_a_small_budget_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "\n".join(f"- fact number {n} about thing{n} (`transcript:L{n}`)" for n in range(1, 99))
    sections = write(tmp_path / "s", basics=lines, convergence=lines.replace("fact", "point"))
    arguments = ["handoff", "finalize", "--session", str(SAMPLE), "--sections", str(sections), "--budget", "400"]
    assert run(arguments) == 0
    assert len(capsys.readouterr().out.encode()) <= 1600


@pytest.mark.feature("F001-12", via="cli")
def test_reduce_names_what_failed_and_where_the_spine_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "o"
    assert run(["handoff", "prepare", str(SAMPLE), "--out", str(out), "--budget", "500", "--direct", "0"]) == 0
    summaries = tmp_path / "s"
    summaries.mkdir()
    value = {"chunk_index": 0, "summary": "Read the exporter.", "key_pointers": []}
    (summaries / "a.json").write_text(json.dumps(value))
    capsys.readouterr()
    assert run(["handoff", "reduce", "--plan", str(out / "plan.json"), "--summaries", str(summaries)]) == 0
    told = capsys.readouterr()
    assert "chunk 1: there is no summary; its text is used as it is" in told.err
    assert str(out / "reduced.txt") in told.out
    text = (out / "reduced.txt").read_text()
    assert "No, don't add a pause." in text
    assert "Read the exporter." in text


@pytest.mark.feature("F001-33", via="cli")
def test_the_kept_brief_names_the_prompts_its_sections_were_asked_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "s", convergence="Pages overlapped by one row (`transcript:L95`).")
    monkeypatch.chdir(tmp_path)
    assert run(["handoff", "finalize", "--session", str(SAMPLE), "--sections", "s", "--json"]) == 0
    kept = json.loads(Path(json.loads(capsys.readouterr().out)["cached"]).read_text())
    assert kept["key"]["prompts"] == build_version()


def test_pointers_that_are_none_are_told_with_their_section_which_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sections = write(
        tmp_path / "s", convergence="Pages overlapped by one row (`transcript:L95`).", basics="\\" * 90_000
    )
    value = json.loads((sections / "convergence.json").read_text())
    odd = [
        {"type": "exec", "ref": "rm"},
        {"type": "transcript", "ref": "95"},
        "L95",
        {"type": "transcript", "ref": "L95"},
    ]
    (sections / "convergence.json").write_text(json.dumps(value | {"pointers": odd}))
    monkeypatch.chdir(tmp_path)
    assert run(["handoff", "finalize", "--session", str(SAMPLE), "--sections", "s"]) == 0
    told = capsys.readouterr()
    assert "Pages overlapped by one row" in told.out
    assert "convergence: 3 of 4 pointers cannot be read, and the section is used without them" in told.err
    assert "basics: no claim in its content" in told.err
