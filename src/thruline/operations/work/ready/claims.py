"""Texts that a hook claimed and may never have told: it died between the two.

The name of a claim is the text's own, the session, and its client's process (hooks/ready.py). It was told where the log
says so, and where its session went on. Where that session's client is gone and nothing more was heard of it, no model
has read it, and it is for the next session again.
"""

import os

from thruline.artifacts.lines import parse_row
from thruline.disk.atomic import remove_quietly
from thruline.disk.own import read_own
from thruline.errors import ThrulineError
from thruline.harnesses.telling import find_tellable
from thruline.inject.choose import parse_id
from thruline.operations.work.client import is_client_running
from thruline.operations.work.place import Place
from thruline.operations.work.ready.envelope import take_reopened
from thruline.operations.work.state import WorkState, build_key

_LARGEST = 1 << 20


def settle_claims(place: Place, state: WorkState) -> None:
    """Removes the claims that were told, and puts back those that nobody can have heard."""
    for harness in find_tellable():
        path = place.hooks.build_resume(harness.name)
        take_reopened(path)
        for claimed, session, pid, born in _find_claims(path):
            if _is_told(state, claimed) or _went_on(state, session) or not pid:
                remove_quietly(claimed)
            elif is_client_running(pid, born):
                continue  # it may be about to tell
            elif os.path.lexists(path) or f"resume:{harness.name}" not in state.written:
                remove_quietly(claimed)  # something newer lies there, or there is nothing to tell any more
            else:
                os.replace(claimed, path)
    for each in state.sessions.values():
        # What came late was for that session alone; it has the rest of the conversation.
        for claimed, _, pid, born in _find_claims(place.hooks.build_late(each.harness, each.session)):
            if not is_client_running(pid, born):
                remove_quietly(claimed)


def _find_claims(path: str) -> list[tuple[str, str, int, int]]:
    """The claims of the text at `path`: file, session, and its client's process and birth."""
    folder, start = os.path.dirname(path), os.path.basename(path) + "."
    try:
        names = sorted(name for name in os.listdir(folder) if name.startswith(start))
    except OSError:
        return []
    found = []
    for name in names:
        session, _, rest = name[len(start) :].rpartition(".")[0].rpartition(".")
        born = name.rpartition(".")[2]
        if session and rest.isdigit() and born.isdigit():
            found.append((os.path.join(folder, name), session, int(rest), int(born)))
    return found


def _is_told(state: WorkState, claimed: str) -> bool:
    try:
        told = str(parse_row(read_own(claimed, _LARGEST)).get("id", ""))
    except ThrulineError:
        return True  # nothing that could be told
    about = [(state.sessions.get(build_key(harness, name)), turns) for harness, name, turns in parse_id(told)]
    return any(session is not None and session.told_turns >= turns for session, turns in about)


def _went_on(state: WorkState, name: str) -> bool:
    # Whatever its client: a hook claims the text of every client, and the claim does not say in which it ran.
    found = (state.sessions.get(build_key(harness.name, name)) for harness in find_tellable())
    return any(session is not None and session.spoke for session in found)
