"""Pull requests by their numbers: in the commands that name one, and in the address of one that was opened."""

from thruline.pattern import compile_later

_NAMED = compile_later(r"\b(?:gh pr|glab mr) (?P<verb>[a-z-]+) +#?(?P<number>\d{1,7})\b|\bpulls/(?P<of>\d{1,7})\b")


def find_pulls(command: str) -> list[tuple[str, str]]:
    """(verb, `#number`) of each pull request that a command names; "api" where its address is asked."""
    if "pr " not in command and "mr " not in command and "pulls/" not in command:
        return []
    return [(found["verb"] or "api", f"#{found['number'] or found['of']}") for found in _NAMED.finditer(command)]


def name_pull(address: str) -> str:
    """What a pull request is called: the number that its address ends in."""
    return f"#{address.rpartition('/')[2]}"
