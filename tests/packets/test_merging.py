"""Packets of parallel sessions joined: nothing lost, every quotation still proved, contradictions shown with both."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from tests.packets.conftest import commit
from tests.packets.projects import THEN, Project
from tests.sample import SAMPLE
from thruline.artifacts.packet import NEXT_PROMPT
from thruline.clock import stopped_at
from thruline.errors import UsageError
from thruline.operations.packets.contradicting import find_contradictions
from thruline.operations.packets.freshness import check_freshness
from thruline.operations.packets.joined_prompt import CONFLICTS, join_prompts
from thruline.operations.packets.labels import MOST_PACKETS
from thruline.operations.packets.making import make_packet
from thruline.operations.packets.merging import Merged, merge_packets
from thruline.operations.packets.next_prompt import FRAME, MOST_WORDS
from thruline.operations.packets.pickup import pick_up
from thruline.operations.packets.store import read_packet
from thruline.operations.sessions.locate import locate
from thruline.operations.verify import verify_file

OTHER = "6e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34"
# The other session settled on what the first one rejected.
PROPOSED = "I could retry each page with a longer pause next."
SAID = "Last thing for today: let's call the flag --dry-run, not --simulate."
SAYS = "Last thing for today: let's retry each page with a longer pause, always."


@pytest.fixture
def merged(project: Project, tmp_path: Path) -> Merged:
    """The sample and a session that went another way."""
    other = tmp_path / f"{OTHER}.jsonl"
    text = SAMPLE.read_text().replace("5e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34", OTHER).replace(SAID, SAYS)
    assert PROPOSED in text
    other.write_text(text.replace(PROPOSED, "The page could be read in one go next."))
    one = project.hand_off("finish the export")
    with stopped_at(THEN + timedelta(hours=1)):
        two = make_packet(locate(str(other), folder=str(project.root)), project.paths, "retry the pages")
    before = {one.path: Path(one.path).read_bytes(), two.path: Path(two.path).read_bytes()}
    made = merge_packets(project.paths, [one.id, two.id])
    assert {path: Path(path).read_bytes() for path in before} == before
    assert made.merged == (one.id, two.id)
    return made


def test_a_merged_packet_holds_both_and_says_whose_each_part_was(project: Project, merged: Merged) -> None:
    packet = read_packet(project.paths, merged.id)
    assert packet.problems == ()
    assert packet.purpose == "finish the export; retry the pages"
    assert packet.document.get("merged_from") == list(merged.merged)
    assert packet.suggested == ("exporter.py", "test_exporter.py")
    assert packet.validators == ("python3 -m unittest -q",)
    decisions = packet.document.render().decode().partition("## Constraints")[2].partition("## Relevant Files")[0]
    for packet_id in merged.merged:
        assert f"_From `{packet_id}`:_" in decisions
    assert SAID in decisions
    assert SAYS in decisions


def test_every_quotation_of_a_merged_packet_is_proved_in_its_own_session(project: Project, merged: Merged) -> None:
    verified = verify_file(merged.path, folder=str(project.root), project=str(project.root))
    assert verified.ok, verified.report.troubles
    assert "transcript:m0:L" in Path(merged.path).read_text()
    path = Path(merged.path)
    path.write_text(path.read_text().replace(SAYS, SAYS.replace("always", "never")))
    assert not verify_file(merged.path, folder=str(project.root), project=str(project.root)).ok


def test_a_contradiction_is_shown_with_both_quotations(project: Project, merged: Merged) -> None:
    pairs = [{one.one.text, one.other.text} for one in merged.contradictions]
    assert {PROPOSED, SAYS} in pairs
    text = read_packet(project.paths, merged.id).document.read_section("Contradictions", 3) or ""
    assert PROPOSED in text
    assert SAYS in text


def test_packets_that_agree_contradict_each_other_nowhere(project: Project) -> None:
    one = project.hand_off("one")
    two = project.hand_off("two")
    assert merge_packets(project.paths, [one.id, two.id], "both").contradictions == ()


def render_said(title: str, text: str) -> str:
    """A packet in which a person said one thing."""
    return f"## Decisions\n### {title}\n- > user, transcript:L7: `{text}`\n"


@pytest.mark.parametrize(
    ("one", "other", "contradict"),
    [
        ("Do not use Postgres for the queue, use SQLite.", "Don\u2019t use SQLite for the queue; use Postgres.", True),
        ("Take SQLite for the queue, not Postgres.", "Take Postgres for the queue, not SQLite.", True),
        ("Take Postgres for the queue, not SQLite.", "No Postgres for the queue, not even in tests.", True),
        ("Do not use Postgres for the queue.", "Never use Postgres for a queue!", False),
        ("Do not edit src/queue.py, use SQLite.", "Don't edit src/queue.py, use SQLite for all of it.", False),
        ("Do not deploy on Fridays, wait.", "No Postgres for the queue, wait.", False),
    ],
)
@pytest.mark.parametrize("titles", [("Decided", "Decided"), ("Rejected", "Decided"), ("Rejected", "Rejected")])
def test_two_that_say_no_contradict_each_other_where_one_wants_what_the_other_does_not(
    one: str, other: str, contradict: bool, titles: tuple[str, str]
) -> None:
    texts = [render_said(title, text) for title, text in zip(titles, (one, other), strict=True)]
    assert bool(find_contradictions(["a", "b"], texts)) is contradict


def test_one_packet_is_none_to_merge(project: Project) -> None:
    one = project.hand_off("one")
    with pytest.raises(UsageError, match="1 packets cannot be merged"):
        merge_packets(project.paths, [one.id, one.id])


def test_a_merged_prompt_has_one_goal_and_no_more_words_than_any_other(project: Project, merged: Merged) -> None:
    draft = read_packet(project.paths, merged.id).document.read_section("Next Prompt (Draft)", 2)
    assert draft is not None
    assert len(draft.split()) <= 400
    assert draft.count("Goal:") == 1
    assert draft.startswith(f"Goal: {merged.purpose}")
    assert all(f"From `{each}`:" in draft for each in merged.merged)
    assert draft.count(FRAME) == 1
    assert "never change the column order" in draft
    assert "Open first: `exporter.py`, `test_exporter.py`." in draft
    assert "Done when `python3 -m unittest -q` succeeds." in draft
    assert not re.search(r":\n\n(?!.*- |[A-Z][^\n]*:\n)", draft), "a title without items"


def test_a_merged_prompt_tells_what_its_parts_do_not_agree_about(project: Project, merged: Merged) -> None:
    prompt = pick_up(project.paths, merged.id).prompt
    assert merged.contradictions
    one = merged.contradictions[0]
    told = prompt.partition(CONFLICTS)[2]
    assert f"`{one.first}` and `{one.second}`" in told
    assert one.one.text[:40] in told
    assert one.other.text[:40] in told


@pytest.mark.parametrize("parts", [2, 12, MOST_PACKETS])
def test_quotations_of_many_packets_stand_behind_one_frame_and_none_twice(project: Project, parts: int) -> None:
    made = [project.hand_off(f"part {at}", THEN + timedelta(minutes=at)) for at in range(parts)]
    merged = merge_packets(project.paths, [each.id for each in made], "all of it")
    draft = read_packet(project.paths, merged.id).document.read_section("Next Prompt (Draft)", 2) or ""
    assert len(draft.split()) <= 400
    assert draft.count(FRAME) == 1
    assert draft.index(FRAME) < draft.index("> user")
    assert draft.count("never change the column order") == 1
    assert draft.count("No, don't add a pause.") == 1
    assert all(each.id in draft for each in made)
    assert "Done when" in draft
    again = merge_packets(project.paths, [merged.id, made[0].id], "once more")
    draft = read_packet(project.paths, again.id).document.read_section("Next Prompt (Draft)", 2) or ""
    assert (draft.count(FRAME), draft.count("Goal:"), draft.count("Open first:")) == (1, 1, 1)
    assert len(draft.split()) <= 400


def test_what_is_stale_in_a_part_is_stale_in_the_merged_packet(repository: Project) -> None:
    one = repository.hand_off("one")
    first = read_packet(repository.paths, one.id).document.get("commit")
    (repository.root / "exporter.py").write_text("changed since\n")
    commit(repository, "commit", "-qam", "Change it.")
    two = repository.hand_off("two", THEN + timedelta(hours=1))
    merged = merge_packets(repository.paths, [two.id, one.id], "both")
    packet = read_packet(repository.paths, merged.id)
    found = check_freshness(repository.paths, packet)
    assert found.changed == ("exporter.py",)
    assert found.stale
    assert packet.document.get("commit") == first
    assert [subject for _, subject in found.commits] == ["Change it."]
    # Back as the first one knew it: then the second one's claims are about something else.
    (repository.root / "exporter.py").write_text("def fetch_page(): ...\n")
    again = merge_packets(repository.paths, [one.id, two.id], "both again")
    assert check_freshness(repository.paths, read_packet(repository.paths, again.id)).changed == ("exporter.py",)


def test_an_end_that_a_person_wrote_stays_in_the_merged_prompt() -> None:
    prompts = [
        "Goal: one\n\nOpen first: `a.py`.\n\nDone when `make test` succeeds.",
        "Goal: two\n\nOpen first: the design page.\n\nDone when the customer says yes on staging.",
    ]
    joined = join_prompts(["p-1", "p-2"], prompts, ["one", "two"], "both", ["a.py"], ["make test"], [])
    assert joined.count("Done when `make test`") == 1
    assert joined.count("Open first: `a.py`") == 1
    assert "Done when the customer says yes on staging." in joined
    assert "Open first: the design page." in joined


def test_a_goal_that_a_person_wrote_stays_in_the_merged_prompt(project: Project) -> None:
    one, two = project.hand_off("finish the export").id, project.hand_off("retry the pages").id
    path = Path(project.paths.packets, two + ".md")
    told = "Goal: retry three times and no more,\nbefore the auditors come on Friday"
    path.write_text(path.read_text().replace("Goal: retry the pages", told))
    merged = merge_packets(project.paths, [one, two], "both")
    draft = read_packet(project.paths, merged.id).document.read_section(NEXT_PROMPT, 2) or ""
    assert draft.startswith("Goal: both\n")
    assert draft.count("Goal:") == 2  # the first part's was ours, and the merged one says it
    _, _, own = draft.partition(f"From `{two}`:")
    assert told in own
    assert len(draft.split()) <= MOST_WORDS
