"""What hooks told, as their log says; read on from where it was read last."""

import os

from thruline.artifacts.lines import parse_row
from thruline.operations.work.fold import take_told
from thruline.operations.work.state import WorkState

_MOST = 16 << 20


def read_told(path: str, state: WorkState) -> list[str]:
    """The ids that were told since the last look; the state remembers what they mean."""
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < state.told_offset:
                state.told_offset = 0  # somebody cut the log
            file.seek(max(state.told_offset, size - _MOST))
            raw = file.read()
    except FileNotFoundError:
        return []
    whole = raw[: raw.rfind(b"\n") + 1]  # the last line may be being written
    state.told_offset = size - len(raw) + len(whole)
    ids = [str(row.get("id", "")) for row in map(parse_row, whole.splitlines()) if row]
    for told in ids:
        take_told(state, told)
    return ids
