"""Sizes, ages and paths as people say them."""

from thruline.errors import UsageError

_UNITS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def render_line(text: str) -> str:
    """`text`, such as a path, on one line whatever it holds."""
    return text.replace("\n", "␊")


def render_size(size: int) -> str:
    """`812 B`, `14 KB`, `1.2 MB`."""
    if size < 1000:
        return f"{size} B"
    amount = float(size)
    for unit in ("KB", "MB", "GB"):
        amount /= 1000
        if amount < 1000:
            return f"{amount:.0f} {unit}" if amount >= 10 else f"{amount:.1f} {unit}"
    return f"{amount / 1000:.1f} TB"


def render_count(count: int, what: str) -> str:
    """`1 turn`, `12,000 turns`."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def render_age(seconds: float) -> str:
    """`now`, `5m`, `3h`, `12d`, `9w`."""
    if seconds < 60:
        return "now"
    for limit, unit in ((3600, "m"), (2 * 86_400, "h"), (60 * 86_400, "d")):
        if seconds < limit:
            return f"{seconds / _UNITS[unit]:.0f}{unit}"
    return f"{seconds / _UNITS['w']:.0f}w"


def parse_age(text: str) -> float:
    """Seconds of an age such as `30m`, `12h`, `7d` or `4w`."""
    number, unit = text[:-1], text[-1:]
    if unit not in _UNITS or not number.isdecimal():
        raise UsageError(f'"{text}" is not an age.', where="--since", next="30m, 12h, 7d or 4w")
    return int(number) * float(_UNITS[unit])
