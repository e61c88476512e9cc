"""What the user said of a report that what it tells of works: the strongest word on where a session landed."""

from thruline.engines.rules.candidates.answered import find_answers
from thruline.engines.rules.material import Material, Message
from thruline.signals.confirming import is_confirmed


def find_confirmed(material: Material) -> dict[tuple[str, int], Message]:
    """The user's few words by the place of the report that they confirm."""
    answers = find_answers(material)
    reports = ((message, answers.get(id(message))) for message in material.agents() if message.final)
    return {
        (message.source, message.line): answer
        for message, answer in reports
        if answer is not None and is_confirmed(answer.text)
    }
