"""Verify over briefs of real sessions: nothing true is blamed, and no changed character passes."""

import json
import os
import random
from dataclasses import replace
from pathlib import Path

import pytest

from tests.operations.mutations import SOMETIMES, UNNOTICED, mutate
from thruline.brief.check import check_document
from thruline.brief.claims.claimed import find_wanted
from thruline.brief.document import Document, parse_document
from thruline.brief.quotation.evidence import Evidence
from thruline.brief.quotation.quote import Quote, render_quote
from thruline.brief.wording import NO_ROOM
from thruline.operations.facts import ProjectFacts
from thruline.operations.handoff.brief import make_brief
from thruline.operations.sessions.locate import Located, locate
from thruline.operations.sessions.reading import Reading
from thruline.operations.verify import verify_file
from thruline.spine.budget import BYTES_PER_TOKEN

SHARED = Path(__file__).parents[2].parent / "shared"
QUOTES = 200


def make_briefs(folder: Path) -> list[tuple[Located, Document]]:
    """Briefs of real sessions until there are enough quotations in them."""
    made: list[tuple[Located, Document]] = []
    count = 0
    for path in sorted((SHARED / "corpus").rglob("*.jsonl"), key=lambda path: path.name):
        if path.stat().st_size < 50_000 or path.name.startswith(("agent-", "labels", "probes", "manifest")):
            continue
        located = locate(str(path), folder=str(folder))
        document = parse_document(make_brief(located, None, budget=2_000).text)
        made.append((located, document))
        count += len(document.quotes)
        if count >= QUOTES:
            break
    return made


def change(quote: Quote, draw: random.Random) -> Quote:
    """The quotation with one character changed."""
    at = draw.choice([at for at, letter in enumerate(quote.text) if not letter.isspace()])
    new = draw.choice([letter for letter in "eaotxqZ7.!" if letter != quote.text[at]])
    return replace(quote, text=quote.text[:at] + new + quote.text[at + 1 :])


@pytest.mark.shared
def test_200_changed_quotations_of_real_briefs_are_all_found_and_no_untouched_one_is_blamed(tmp_path: Path) -> None:
    if not (SHARED / "corpus").is_dir() and os.environ.get("CI") != "true":
        pytest.skip("needs ../shared")
    draw = random.Random(11)
    checked = missed = 0
    for located, document in make_briefs(tmp_path):
        changed = parse_document(
            "\n".join(line for placed in document.quotes for line in render_quote(change(placed.quote, draw)))
        )
        evidence = Evidence(*find_wanted(document))
        doubted = Evidence(*find_wanted(changed))
        for part in Reading(located):
            evidence.see(part)
            doubted.see(part)
        facts = ProjectFacts(str(tmp_path))
        assert check_document(document, evidence, facts).troubles == (), located.files
        report = check_document(changed, doubted, facts)
        checked += len(document.quotes)
        missed += report.quotes["ok"] + report.quotes["unchecked"]
    assert checked >= QUOTES
    assert missed == 0


@pytest.mark.shared
def test_no_brief_of_any_real_session_is_blamed(tmp_path: Path) -> None:
    if not (SHARED / "corpus").is_dir() and os.environ.get("CI") != "true":
        pytest.skip("needs ../shared")
    blamed: dict[str, object] = {}
    count = 0
    for path in sorted((SHARED / "corpus").rglob("*.jsonl")):
        if path.stat().st_size < 1_000 or path.name in ("labels.jsonl", "probes.jsonl", "manifest.jsonl"):
            continue
        for budget in (1_000, 3_000):
            brief = tmp_path / "brief.md"
            brief.write_text(make_brief(locate(str(path), folder=str(tmp_path)), None, budget=budget).text)
            troubles = verify_file(str(brief), folder=str(tmp_path)).report.troubles
            count += 1
            if troubles:
                blamed[f"{path.name} at {budget}"] = troubles
    assert count > 100
    assert blamed == {}


@pytest.mark.shared
def test_no_brief_of_a_real_session_cut_short_is_blamed(tmp_path: Path) -> None:
    """Cut behind the words of a person, as where a client dies: then the last words are not answered."""
    if not (SHARED / "corpus").is_dir() and os.environ.get("CI") != "true":
        pytest.skip("needs ../shared")
    blamed: dict[str, object] = {}
    count = 0
    for name, last in find_cuts():
        cut = tmp_path / "cut.jsonl"
        cut.write_bytes(b"\n".join((SHARED / "corpus" / name).read_bytes().split(b"\n")[:last]) + b"\n")
        for budget in (1_000, 3_000):
            brief = tmp_path / "brief.md"
            text = make_brief(locate(str(cut), folder=str(tmp_path)), None, budget=budget).text
            brief.write_text(text)
            troubles = verify_file(str(brief), folder=str(tmp_path)).report.troubles
            count += 1
            # What has no room is told of briefs that are full.
            if troubles or (NO_ROOM in text and len(text.encode()) < budget * BYTES_PER_TOKEN * 0.9):
                blamed[f"{name} to line {last} at {budget}"] = troubles
    assert count > 250
    assert blamed == {}


def find_cuts() -> list[tuple[str, int]]:
    """Where to cut: the file and the last line of every correction, and of every sixth message that is none."""
    labels = [json.loads(line) for line in (SHARED / "corpus" / "labels.jsonl").read_text().splitlines()]
    there = [one for one in labels if (SHARED / "corpus" / one["file"]).is_file()]
    others = [one for one in there if not one["correction"]][::6]
    return [(one["file"], one["line"]) for one in (*(one for one in there if one["correction"]), *others)]


@pytest.mark.shared
def test_a_changed_statement_of_a_real_brief_is_noticed_wherever_the_transcript_can_tell(tmp_path: Path) -> None:
    if not (SHARED / "corpus").is_dir() and os.environ.get("CI") != "true":
        pytest.skip("needs ../shared")
    tried: dict[str, list[bool]] = {}
    for path in sorted((SHARED / "corpus").rglob("*.jsonl"), key=lambda path: path.stat().st_size):
        if path.stat().st_size < 20_000 or path.name.startswith(("agent-", "labels", "probes", "manifest")):
            continue
        made = make_brief(locate(str(path), folder=str(tmp_path)), None, budget=3_000).text.split("\n")
        fitting = {name: (at, changed) for name, at, changed in mutate(made) if len(tried.get(name, ())) < 2}
        for name, (at, changed) in fitting.items():
            brief = tmp_path / "changed.md"
            brief.write_text("\n".join(changed))
            verified = verify_file(str(brief), folder=str(tmp_path))
            tried.setdefault(name, []).append(not verified.ok)
            assert verified.ok or all(one.section or one.line == 1 for one in verified.report.troubles), (name, at)
    assert len(tried) > 40
    assert {name for name, noticed in tried.items() if not all(noticed)} <= UNNOTICED | SOMETIMES
    # A row that is noticed after all belongs to the others.
    assert {name for name in UNNOTICED & tried.keys() if any(tried[name])} == set()
