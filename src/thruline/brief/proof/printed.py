"""Whether a person's message shows what a program printed: they ran what the agent changed, and pasted what came of it.

Errs on the side of a run: it is asked only before it is told that nothing was run.
"""

from thruline.signals.own.lines import find_ends, is_pasted

# Fewer lines of that look may be a list or a stack's name.
FEWEST = 3


def shows_run(text: str) -> bool:
    """Whether some lines of a message look like a program's, between fences or not."""
    lines = [line for start, end in find_ends(text) for line in text[start:end].split("\n")]
    return sum(1 for line in lines if (bare := line.strip()) and is_pasted(line, bare, "")) >= FEWEST
