"""Projects of the packets' tests; also loaded by processes that a test starts."""

import json
from datetime import UTC, datetime
from pathlib import Path

from tests.sample import SAMPLE
from thruline.artifacts.packet import render_packet
from thruline.clock import stopped_at
from thruline.layout import ProjectPaths, find_project
from thruline.operations.packets.making import MadePacket, make_packet
from thruline.operations.packets.store import write_packet
from thruline.operations.sessions.locate import locate

THEN = datetime(2026, 11, 15, 9, 10, 0, tzinfo=UTC)
FILES = {"exporter.py": "def fetch_page(): ...\n", "test_exporter.py": "def test_it(): ...\n", "nightly.sh": "true\n"}


class Project:
    """A folder with a marker and three files."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def paths(self) -> ProjectPaths:
        return find_project(str(self.root))

    def hand_off(self, purpose: str = "finish the export", moment: datetime = THEN) -> MadePacket:
        """The packet of the sample session."""
        with stopped_at(moment):
            return make_packet(locate(str(SAMPLE), folder=str(self.root)), self.paths, purpose)

    def put(self, purpose: str, moment: datetime = THEN, **fields: object) -> str:
        """A packet with nothing in it; its id."""
        with stopped_at(moment):
            return write_packet(
                self.paths,
                purpose,
                lambda packet_id: render_packet(packet_id, moment, purpose, fields=fields),  # type: ignore[arg-type]
            )

    def read(self, packet_id: str) -> bytes:
        return Path(self.paths.packets, packet_id + ".md").read_bytes()

    def snapshot(self) -> dict[str, bytes]:
        """Every file below the context folder but locks, which say who had them last."""
        base = Path(self.paths.base)
        files = [path for path in base.rglob("*") if path.is_file() and path.suffix != ".lock"]
        return {str(path.relative_to(base)): path.read_bytes() for path in files}


def make_project(root: Path) -> Project:
    """A new one at `root`."""
    (root / ".agent" / "context").mkdir(parents=True)
    marker = {"schema": 1, "project_id": "0b7e5c1a-6a34-4b0e-9d0f-1c2d3e4f5a6b"}
    (root / ".agent" / "context" / "root.json").write_text(json.dumps(marker))
    for name, text in FILES.items():
        (root / name).write_text(text)
    return Project(root)
