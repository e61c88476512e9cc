"""Packets on disk: named by id or words of it, never by a path; kept whole; dropped is not deleted."""

import os
from datetime import timedelta
from pathlib import Path

import pytest

from tests.packets.projects import THEN, Project
from thruline.errors import FormatError, NotFound, Refused, UsageError
from thruline.operations.packets.listing import list_packets
from thruline.operations.packets.store import find_current, find_packet
from thruline.operations.packets.verbs import edit_packet, move_packet, remove_packet

HOSTILE = ["../x", "/etc/passwd", "--help", "-C", "a/b", "a\\b", "", ".", "a b", "a\x00b", "caf\u00e9", "a\n"]


@pytest.mark.parametrize("ref", HOSTILE)
def test_an_id_that_looks_like_a_path_or_a_flag_is_refused(project: Project, ref: str) -> None:
    project.put("finish the export")
    before = project.snapshot()
    for verb in (find_packet, remove_packet, lambda paths, one: move_packet(paths, one, "active")):
        with pytest.raises(Refused) as caught:
            verb(project.paths, ref)
        assert caught.value.next == "thruline packet list"
    assert project.snapshot() == before


def test_a_packet_is_named_by_its_id_a_beginning_or_words_of_its_purpose(project: Project) -> None:
    one = project.put("finish the export")
    two = project.put("finish the import", THEN + timedelta(days=1))
    for ref in (one, one[:8], "the-export", "export"):
        assert find_packet(project.paths, ref).id == one
    with pytest.raises(NotFound, match="names 2 packets") as caught:
        find_packet(project.paths, "finish")
    assert one in caught.value.next
    assert two in caught.value.next
    with pytest.raises(NotFound, match='No packet "nothing"'):
        find_packet(project.paths, "nothing")


def test_the_list_begins_with_what_changed_last_and_tells_what_is_none(project: Project) -> None:
    one = project.put("one")
    two = project.put("two", THEN + timedelta(hours=1))
    Path(project.paths.packets, "20261116-000000-torn.md").write_bytes(b"---\nid: x\n")
    Path(project.paths.packets, "readme.md").write_bytes(b"not one of ours")
    found = list_packets(project.paths)
    assert [head.id for head in found.heads] == [two, one]
    assert found.problems == ("20261116-000000-torn: Front matter is never closed.",)
    move_packet(project.paths, one, "active")
    assert [head.id for head in list_packets(project.paths).heads] == [one, two]


def test_a_packet_without_a_purpose_is_not_written(project: Project) -> None:
    before = project.snapshot()
    for purpose in ("", " \r\n", "\u2003"):
        with pytest.raises(UsageError, match="needs a purpose"):
            project.put(purpose)
    assert project.snapshot() == before


def test_two_packets_of_one_second_are_two_files(project: Project) -> None:
    assert project.put("same") != project.put("same")
    assert len(list_packets(project.paths).heads) == 2


def test_without_an_id_it_is_the_newest_active_else_the_newest_draft(project: Project) -> None:
    with pytest.raises(NotFound, match="No packet of this project waits"):
        find_current(project.paths)
    one = project.put("one")
    two = project.put("two", THEN + timedelta(hours=1))
    assert find_current(project.paths).id == two
    move_packet(project.paths, one, "active")
    assert find_current(project.paths).id == one
    move_packet(project.paths, one, "done")
    assert find_current(project.paths).id == two
    move_packet(project.paths, two, "blocked")
    with pytest.raises(NotFound):
        find_current(project.paths)


def test_a_refused_transition_leaves_the_file_as_it_was(project: Project) -> None:
    made = project.put("x")
    before = project.read(made)
    with pytest.raises(Refused) as caught:
        move_packet(project.paths, made, "done")
    assert caught.value.what
    assert caught.value.where.endswith(made + ".md")
    assert caught.value.next
    assert project.read(made) == before


def test_a_newer_schema_is_shown_and_never_changed(project: Project) -> None:
    made = project.put("x", schema=2)
    before = project.read(made)
    assert list_packets(project.paths).heads[0].newer
    for verb in (
        lambda: move_packet(project.paths, made, "active"),
        lambda: edit_packet(project.paths, made, "plan", "- a"),
        lambda: remove_packet(project.paths, made),
    ):
        with pytest.raises(Refused, match="newer thruline"):
            verb()
    assert project.read(made) == before


def drop_time(data: bytes) -> list[bytes]:
    return [line for line in data.splitlines() if not line.startswith(b"updated_at")]


def test_an_edit_changes_its_section_and_the_time(project: Project) -> None:
    made = project.hand_off()
    before = Path(made.path).read_bytes()
    edit_packet(project.paths, made.id, "plan", "- rename the flag\n- run it")
    after = Path(made.path).read_bytes()
    head, _, rest = before.partition(b"## Plan\n")
    tail = rest[rest.index(b"## Validators") :]
    assert drop_time(after.partition(b"## Plan\n")[0]) == drop_time(head)
    assert after.endswith(b"## Plan\n- rename the flag\n- run it\n\n" + tail)


@pytest.mark.parametrize("text", ["```\nopen", "## Notes\nmine", "<!-- open", "# Top"])
def test_an_edit_that_would_change_other_headings_is_refused(project: Project, text: str) -> None:
    made = project.put("x")
    before = project.read(made)
    with pytest.raises(FormatError, match="headings around it"):
        edit_packet(project.paths, made, "Plan", text)
    assert project.read(made) == before


def test_a_section_that_is_none_and_a_secret_do_not_get_in(project: Project) -> None:
    made = project.put("x")
    with pytest.raises(UsageError, match='no section "Plans"'):
        edit_packet(project.paths, made, "Plans", "- a")
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    edit_packet(project.paths, made, "Plan", f"- use {secret}")
    assert secret.encode() not in project.read(made)


def test_a_dropped_packet_lies_aside_byte_for_byte_also_the_second_of_its_name(project: Project) -> None:
    made = project.put("x")
    before = project.read(made)
    first = remove_packet(project.paths, made).path
    assert list_packets(project.paths).heads == ()
    assert Path(first).read_bytes() == before
    project.put("x", other="field")
    second = remove_packet(project.paths, made).path
    assert second != first
    assert Path(first).read_bytes() == before


def test_a_link_out_of_the_project_is_not_followed(project: Project, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    os.symlink(elsewhere, project.paths.packets)
    with pytest.raises(Refused, match="leads out of the project"):
        project.put("x")
    (elsewhere / "20261116-000000-x.md").write_text("---\nid: x\n---\n")
    with pytest.raises(Refused):
        list_packets(project.paths)
    assert len(list(elsewhere.iterdir())) == 1
