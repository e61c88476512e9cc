"""`relay`: a session continued in another client. What travels is a packet, and the line that opens the client with it.

No transcript is translated: a client reads only its own, and words put into its mouth would be no record any more.
"""

import os
from dataclasses import dataclass

from thruline.disk.atomic import write_bytes
from thruline.disk.inside import check_inside
from thruline.harnesses.launching import Launch, build_launch
from thruline.harnesses.transcripts import read_folder
from thruline.layout import ProjectPaths, find_project
from thruline.operations.handoff.brief import make_brief
from thruline.operations.packets.making import MadePacket, make_packet
from thruline.operations.packets.pickup import Pickup, pick_up
from thruline.operations.packets.untouched import build_brief_path
from thruline.operations.sessions.locate import Located

PURPOSE = "continue the earlier session"


@dataclass(frozen=True, slots=True)
class Relay:
    """Everything the next client needs: `brief` is the file of the session's whole brief."""

    packet: MadePacket
    pickup: Pickup
    brief: str
    launch: Launch


def relay_session(located: Located, here: ProjectPaths, to: str, purpose: str = "") -> Relay:
    """Writes the packet of a session and builds the line that opens the client `to` where the session worked."""
    folder = read_folder(located.harness, located.files[0])
    # A session of another machine is continued where we are; one of this machine in its own folder.
    folder = folder if os.path.isdir(folder) else here.root
    paths = find_project(folder)
    source = "thruline pickup"
    build_launch(to, "", folder=folder, source=source, env=os.environ)  # refuses a client before anything is written
    packet = make_packet(located, paths, purpose or PURPOSE, renew=True)
    brief = _write_brief(paths, packet.id, make_brief(located, paths).text)
    pickup = pick_up(paths, packet.id)
    launch = build_launch(to, pickup.prompt, folder=folder, source=f"{source} {packet.id}", env=os.environ)
    return Relay(packet, pickup, brief, launch)


def _write_brief(paths: ProjectPaths, packet_id: str, text: str) -> str:
    path = build_brief_path(paths, packet_id)
    if paths.marked:
        check_inside(paths.root, path)
    write_bytes(path, text.encode("utf-8", "replace"), mode=0o600)
    return path
