"""What is killed in test_together.py; the tracer's server loads this file."""

import os
from pathlib import Path

from tests.packets.projects import Project, make_project
from thruline.artifacts.packet import change_status
from thruline.clock import read_clock
from thruline.operations.packets.store import change_packet
from thruline.operations.packets.verbs import remove_packet

ID = "20261115-091000-one"


def enter(folder: str) -> Project:
    os.environ.update(HOME=folder, THRULINE_HOME=os.path.join(folder, "state"))
    return Project(Path(folder, "project"))


def set_up(folder: str) -> None:
    """A project with one packet."""
    make_project(Path(folder, "project"))
    enter(folder).put("one")


def make(folder: str) -> None:
    """A second packet."""
    enter(folder).put("two")


def change(folder: str) -> None:
    """Another status and another plan, in one write."""

    def edit(packet):  # type: ignore[no-untyped-def]
        data = change_status(packet, "active", read_clock())
        return data.replace(b"## Plan\n", b"## Plan\n- changed\n")

    change_packet(enter(folder).paths, ID, edit)


def drop(folder: str) -> None:
    remove_packet(enter(folder).paths, ID)
