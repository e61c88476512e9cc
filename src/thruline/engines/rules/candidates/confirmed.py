"""What the user said of a report that what it tells of works: the strongest word on where a session landed."""

from thruline.engines.rules.candidates.answered import find_answers
from thruline.engines.rules.cues import find_cues
from thruline.engines.rules.material import Material, Message

# Who says more goes on to something else, or adds a condition.
FEW_WORDS = 7


def find_confirmed(material: Material) -> dict[tuple[str, int], Message]:
    """The user's few words by the place of the report that they confirm."""
    answers = find_answers(material)
    reports = ((message, answers.get(id(message))) for message in material.agents() if message.final)
    return {
        (message.source, message.line): answer
        for message, answer in reports
        if answer is not None and is_confirmed(answer.text)
    }


def is_confirmed(words: str) -> bool:
    """Whether somebody says that it works, and nothing against it: "ok, works. great"."""
    asks = words.rstrip().endswith(("?", "？"))
    few = len(words.split()) <= FEW_WORDS and "\n" not in words.strip()
    return few and not asks and find_cues(words, ("confirmed", "denial", "doubted")) == {"confirmed"}
