"""Ready texts: what the worker prepared for a session to be told, in envelopes (docs/formats/hook-files.md).

They lie in the user's state and never in a project: a repository could otherwise ship words that its next visitor's
model takes for ours (law 11).
"""

import os

from thruline.hooks.event import add_client
from thruline.hooks.payload import Unusable, parse_object
from thruline.process import is_same_running

LIMIT = 256 * 1024  # bytes; no client takes a tenth of it, and more is not ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.layout import HookPaths


def read_ready(path: str) -> "dict[str, object]":
    """The envelope at `path`; empty where there is none. One that is not an envelope of ours raises."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return {}
    try:
        envelope = parse_object(os.read(descriptor, LIMIT))
    finally:
        os.close(descriptor)
    if envelope.get("schema") != 1:
        raise Unusable("a ready text of another schema")
    for key in ("id", "kind", "from", "text"):
        if not isinstance(envelope.get(key), str):
            raise Unusable("a ready text without " + key)
    return envelope


def claim_ready(path: str, envelope: "dict[str, object]", event: "dict[str, object]") -> bool:
    """Takes the envelope at `path` away, so that nobody else is told; whether we were the first, which is one process.

    It lies beside until it was told, under a name that says by whom: a hook that dies in between loses nothing.
    What the worker put there between our reading and this goes with it: it was made for the same moment.
    """
    add_client(event)
    claimed = f"{path}.{event['session']}.{event['pid']}.{event['born']}"
    try:
        os.rename(path, claimed)
    except FileNotFoundError:
        return False
    envelope["claimed"], envelope["path"] = claimed, path
    return True


def drop_claims(texts: "list[dict[str, object]]", told: bool) -> None:
    """Removes what was claimed and told; what was not goes back, unless something newer lies there."""
    for each in texts:
        if "claimed" in each:
            if told:
                os.unlink(str(each["claimed"]))
            elif not os.path.lexists(str(each["path"])):
                os.rename(str(each["claimed"]), str(each["path"]))


def take_back(event: "dict[str, object]", paths: "HookPaths") -> bool:
    """Takes away what lies ready about this session, which was over and goes on; whether there was anything.

    They wait beside for the worker, which leaves them anew with the client's process in them.
    """
    taken = False
    for folder in map(os.path.dirname, (paths.build_resume(""), paths.build_start(""))):
        try:
            names = os.listdir(folder)
        except FileNotFoundError:
            continue
        for name in names:  # every client's: a neighbour may be another one
            path = os.path.join(folder, name)
            if name.endswith(".json") and _is_about(path, str(event["session"])):
                taken = True
                try:
                    os.rename(path, paths.build_reopened(path))
                except FileNotFoundError:
                    pass  # told in this very moment
    return taken


def _is_about(path: str, session: str) -> bool:
    try:
        envelope = read_ready(path)
    except (OSError, Unusable):
        return False  # nobody is told what cannot be read
    # Notes name every session they speak of in their id, not only the one that they are from.
    return bool(envelope) and (envelope["from"] == session or f":{session}:" in str(envelope["id"]))


def is_held_back(envelope: "dict[str, object]", event: "dict[str, object]") -> bool:
    """Whether the text is this session's own, or of one whose client still runs: two windows do not mix.

    The client of this very event may have run that session too: then it is over there (`clear`).
    """
    pid, born = envelope.get("pid"), envelope.get("born")
    if envelope["from"] == event["session"]:
        return True
    if not isinstance(pid, int) or pid <= 0 or pid == add_client(event)["pid"]:
        return False
    return is_same_running(pid, born if isinstance(born, int) else 0)
