"""Files of a packet: confirmed by people, suggested by recency and kind of touch, read again from the logs."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from tests.packets.projects import THEN, Project
from tests.sample import SAMPLE
from thruline.clock import render_time, stopped_at
from thruline.engines.rules.files import Touched
from thruline.errors import NotFound, Refused
from thruline.operations.packets.files import add_files, drop_files, list_files
from thruline.operations.packets.freshness import check_freshness
from thruline.operations.packets.pickup import pick_up
from thruline.operations.packets.store import read_packet
from thruline.operations.packets.suggesting import suggest_files


def log(project: Project, path: str, how: str, days: float, **more: object) -> None:
    """A row of the tool log, so many days before THEN."""
    folder = Path(project.paths.indexes)
    folder.mkdir(parents=True, exist_ok=True)
    row = {"timestamp": render_time(THEN - timedelta(days=days)), "file_path": path, "source": "tool", "how": how}
    with (folder / "relevant-files.jsonl").open("a") as file:
        file.write(json.dumps(row | more) + "\n")


def touch(name: str, how: str, line: int, touches: int = 1) -> Touched:
    return Touched(f"/gone/{name}", name, how, line, touches)


def suggest(project: Project, *touched: Touched) -> list[str]:
    return [each.path for each in suggest_files(project.paths, touched, "/gone", THEN)]


def test_what_was_touched_later_comes_first_and_what_is_gone_not_at_all(project: Project) -> None:
    assert suggest(project, touch("early.py", "edited", 5), touch("late.py", "edited", 90)) == ["late.py", "early.py"]
    assert suggest(project, touch("a.py", "deleted", 9), touch("b.py", "gone", 9), touch("c.py", "created", 1)) == [
        "c.py"
    ]
    assert suggest(project, Touched("/etc/x", "/etc/x", "edited", 9, 1)) == []


@pytest.mark.feature("F003-20", via="unit")
def test_the_log_s_files_come_after_the_session_s_own_the_newest_first(project: Project) -> None:
    log(project, "exporter.py", "edited", 3)
    log(project, "nightly.sh", "edited", 1)
    log(project, "not-there.py", "edited", 0)
    log(project, "test_exporter.py", "edited", 40)
    log(project, "../x", "edited", 0)
    log(project, "/etc/passwd", "edited", 0, outside=True)
    assert suggest(project, touch("own.py", "edited", 1)) == ["own.py", "nightly.sh", "exporter.py"]
    log(project, "nightly.sh", "deleted", 0)
    assert suggest(project) == ["exporter.py"]
    made = project.hand_off()
    assert made.suggested == ("exporter.py", "test_exporter.py")


def test_a_confirmed_file_stands_in_the_field_below_its_heading_and_in_the_log(project: Project) -> None:
    (project.root / "weekly.sh").write_text("true\n")  # no claim names it
    made = project.hand_off()
    before = Path(made.path).read_text().splitlines()
    add_files(project.paths, ["../weekly.sh"], made.id, str(project.root / "below"))
    packet = read_packet(project.paths, made.id)
    assert packet.confirmed == ("weekly.sh",)
    assert packet.document.read_section("Confirmed", 3) == "- `weekly.sh`"
    after = packet.document.render().decode().splitlines()
    new = [line for line in after if line not in before]
    assert [line.split(":")[0] for line in new] == [
        "updated_at", "relevant_files_confirmed", "relevant_files_state", "- `weekly.sh`",
    ]  # fmt: skip
    row = json.loads((Path(project.paths.indexes) / "relevant-files.jsonl").read_text())
    assert (row["file_path"], row["source"], row["packet_id"]) == ("weekly.sh", "user", made.id)
    (project.root / "weekly.sh").write_text("changed\n")
    assert check_freshness(project.paths, packet).changed == ("weekly.sh",)
    assert add_files(project.paths, ["weekly.sh"], made.id, str(project.root)).confirmed == ("weekly.sh",)


def test_a_dropped_file_leaves_other_bullets_and_notes_as_they_are(project: Project) -> None:
    made = project.hand_off()
    add_files(project.paths, ["nightly.sh", "exporter.py"], made.id, str(project.root))
    path = Path(made.path)
    path.write_text(path.read_text().replace("- `nightly.sh`\n", "my own words\n- `nightly.sh` since it is late\n"))
    drop_files(project.paths, ["nightly.sh"], made.id, str(project.root))
    packet = read_packet(project.paths, made.id)
    assert packet.confirmed == ("exporter.py",)
    assert packet.document.read_section("Confirmed", 3) == "my own words\n- `exporter.py`"


@pytest.mark.parametrize(
    ("name", "kind"), [("/etc/passwd", Refused), ("../outside", Refused), ("missing.py", NotFound), (".", Refused)]
)
def test_only_a_file_of_the_project_can_be_confirmed(project: Project, name: str, kind: type[Exception]) -> None:
    made = project.hand_off()
    before = project.snapshot()
    with pytest.raises(kind):
        add_files(project.paths, ["exporter.py", name], made.id, str(project.root))
    with pytest.raises(NotFound, match="is not confirmed"):
        drop_files(project.paths, ["exporter.py"], made.id, str(project.root))
    assert project.snapshot() == before


def test_without_a_packet_s_id_it_is_the_current_one(project: Project) -> None:
    made = project.hand_off()
    assert list_files(project.paths).packet == made.id
    assert list_files(project.paths).suggested == ("exporter.py", "test_exporter.py")


@pytest.mark.feature("F003-28", via="unit")
def test_a_rescan_adds_what_was_touched_since_and_changes_no_packet(project: Project) -> None:
    made = project.hand_off()
    log(project, "nightly.sh", "edited", -0.1)
    log(project, "exporter.py", "edited", -0.1)
    before = project.snapshot()
    with stopped_at(THEN + timedelta(days=1)):
        assert pick_up(project.paths, made.id).rescanned == ()
        found = pick_up(project.paths, made.id, rescan=True)
    assert found.rescanned == ("nightly.sh",)
    assert "Changed since, by the tool logs: `nightly.sh`." in found.prompt
    assert project.snapshot() == before


@pytest.mark.feature("F003-28", via="unit")
def test_a_rescan_reads_the_session_s_own_ledger_again(project: Project, tmp_path: Path) -> None:
    made = project.hand_off()
    path = Path(made.path)
    text = path.read_text().replace('"exporter.py", "test_exporter.py"', '"exporter.py"')
    path.write_text(text.replace('session_id: "5e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34"', 'session_id: ""'))
    assert str(SAMPLE) in text
    assert pick_up(project.paths, made.id, rescan=True).rescanned == ("test_exporter.py",)
