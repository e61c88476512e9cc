"""Redaction against one pass of one pattern over the same text: the price of looking for every rule instead of one."""

import json
import re
import time

from bench import Context, Row
from bench.race import Entrant, race
from thruline.redact import find_secrets

BAR = 30.0
_PROSE = "The reader keeps the line of every record, so that a pointer opens in the spine and in the raw file alike. "
_ONE = re.compile(r"token|secret|passw|apikey|api_key|cookie|authoriz|credential")


def build_text(megabytes: float) -> str:
    """Transcript lines without a secret: prose, tool results, ids, token counts, paths."""
    lines = []
    size = number = 0
    while size < megabytes * 1e6:
        number += 1
        said = f"I read src/auth/token_{number}.py; risk-free task-{number} is done — https://example.com/{number}. "
        record = {
            "type": "assistant",
            "uuid": f"{number:08x}-1111-4222-a333-{number:012x}",
            "usage": {"input_tokens": number, "cache_read_input_tokens": 7 * number},
            "content": [{"type": "tool_use", "id": f"toolu_01{number:022d}", "text": said + _PROSE * 8}],
        }
        lines.append(json.dumps(record, ensure_ascii=False))
        size += len(lines[-1])
    return "\n".join(lines)


def measure_speed(text: str) -> tuple[float, float]:
    """Megabytes a second of `find_secrets`, and its time as a multiple of one pattern's pass."""
    started = time.perf_counter()
    find_secrets(text)
    ours = time.perf_counter() - started
    started = time.perf_counter()
    sum(1 for _ in _ONE.finditer(text))
    return len(text) / 1e6 / ours, ours / (time.perf_counter() - started)


_HOSTILE = ("cookie=x=1; ", "TOKEN=.", "password:.", "authorization:", "-eyJ")
GROWTH = 10.0  # four times the text; a search that starts anew at every place would need sixteen times as long


def build_hostile(kilobytes: int) -> list[str]:
    """Texts that are nothing but the beginnings of secrets."""
    return [piece * (kilobytes * 1000 // len(piece)) for piece in _HOSTILE]


def run(context: Context) -> list[Row]:
    """Finding secrets in text that has none, against one pass of one pattern; and in text made to hurt."""
    megabytes = 1 if context.quick else 5
    text = build_text(megabytes)
    entrants = [
        Entrant(f"one pattern over {megabytes} MB", lambda: sum(1 for _ in _ONE.finditer(text))),
        Entrant(f"find secrets in {megabytes} MB", lambda: find_secrets(text), BAR),
    ]
    rows = race(entrants, rounds=context.rounds)
    small, large = build_hostile(16), build_hostile(64)
    growing = [
        Entrant("find secrets in hostile text of 16 KB", lambda: [find_secrets(each) for each in small]),
        Entrant("find secrets in hostile text of 64 KB", lambda: [find_secrets(each) for each in large], GROWTH),
    ]
    return rows + race(growing, rounds=max(3, context.rounds // 10))
