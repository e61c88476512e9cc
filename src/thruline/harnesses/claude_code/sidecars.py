"""What this client keeps of a session beside transcripts and task lists: large outputs, notes on subagents."""

import os

from thruline.harnesses.claude_code.find import find_companions
from thruline.session.found import Found


def find_sidecars(path: str) -> list[Found]:
    """Files in the session's own folder, and notes beside its subagents, that are no companions of it."""
    stem = path.removesuffix(".jsonl")
    session_id = os.path.basename(stem)
    if not session_id.strip("."):
        return []  # the folder of the file `...jsonl` would be the one above all sessions
    companions = {found.path for found in find_companions(path)}
    paths = [os.path.join(folder, name) for folder, _, names in os.walk(stem) for name in names]
    paths += [each.removesuffix(".jsonl") + ".meta.json" for each in companions if each.endswith(".jsonl")]
    found = []
    for each in sorted(set(paths) - companions):
        try:
            status = os.stat(each)
        except OSError:
            continue  # a note that was never written, or a file that is gone again
        found.append(Found(each, session_id, status.st_size, status.st_mtime, "sidecar"))
    return found
