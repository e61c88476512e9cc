"""What other processes do to the packets of a project, one verb after another."""

import json
import sys
from pathlib import Path

from tests.packets.projects import Project
from thruline.errors import ThrulineError
from thruline.operations.packets.verbs import edit_packet, move_packet, remove_packet


def do(project: Project, verb: str, which: int, word: str) -> None:
    """One verb on the packet that has this number among all that are there; an expected failure is fine."""
    ids = sorted(path.stem for path in Path(project.paths.packets).glob("*.md"))
    if verb == "make" or not ids:
        project.put(word if word.strip() else "x")
        return
    packet_id = ids[which % len(ids)]
    try:
        if verb == "edit":
            edit_packet(project.paths, packet_id, "Plan", f"- {word}")
        elif verb == "drop":
            remove_packet(project.paths, packet_id)
        else:
            move_packet(project.paths, packet_id, verb)
    except ThrulineError:
        pass


if __name__ == "__main__":
    for step in json.loads(sys.argv[2]):
        do(Project(Path(sys.argv[1])), *step)
