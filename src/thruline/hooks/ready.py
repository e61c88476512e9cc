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
    return _claim([path], path, envelope, event)


def claim_left(path: str, envelope: "dict[str, object]", event: "dict[str, object]") -> bool:
    """Takes away what was left for whoever comes next, in every client's form: the next one may run in another client.

    Everyone begins with the first of them, so that of two that start at once in two clients only one is told.
    """
    folder = os.path.dirname(path)
    names = sorted(os.listdir(folder))
    if any(_is_being_told(name, event) for name in names):
        return False
    return _claim([os.path.join(folder, name) for name in names if name.endswith(".json")], path, envelope, event)


def _claim(
    paths: "list[str] | tuple[str, ...]", own: str, envelope: "dict[str, object]", event: "dict[str, object]"
) -> bool:
    add_client(event)
    claims: list[tuple[str, str]] = []
    envelope["claims"] = claims
    for path in paths:
        claimed = f"{path}.{event['session']}.{event['pid']}.{event['born']}"
        try:
            os.rename(path, claimed)
        except FileNotFoundError:
            if not claims:
                return False  # somebody else was first
            continue  # the worker renews it
        claims.append((claimed, path))
    if any(path == own for _, path in claims):
        return True
    drop_claims([envelope], told=False)
    return False


def _is_being_told(name: str, event: "dict[str, object]") -> bool:
    """Whether this is a claim, of a client that runs: it took the first of them, and may be about to tell."""
    session, _, pid = name.partition(".json.")[2].rpartition(".")[0].rpartition(".")
    born = name.rpartition(".")[2]
    if not session or not pid.isdigit() or not born.isdigit() or int(pid) in (0, add_client(event)["pid"]):
        return False
    return is_same_running(int(pid), int(born))


def drop_claims(texts: "list[dict[str, object]]", told: bool) -> None:
    """Removes what was claimed and told; what was not goes back, unless something newer lies there."""
    for each in texts:
        for claimed, path in each.get("claims", ()):  # type: ignore[attr-defined]
            if told:
                os.unlink(claimed)
            elif not os.path.lexists(path):
                os.rename(claimed, path)


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
