"""Questions the agent put to the user with a tool, and the answers."""

from thruline.harnesses.codex.reader.words import take_words
from thruline.session.parts import Asked, Said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.codex.reader.state import State

# How the client marks words typed beside a picked option.
_TYPED = "user_note: "
# The option that the client itself adds.
_ELSE = "None of the above"


def read_questions(given: "dict[str, Any]") -> "list[list[Any]]":
    """[id, question, options] of each question of a call."""
    found: list[list[Any]] = []
    questions = given.get("questions")
    for item in questions if isinstance(questions, list) else ():
        if isinstance(item, dict) and isinstance(item.get("question"), str):
            options = item.get("options")
            told = [one.get("label") for one in options if isinstance(one, dict)] if isinstance(options, list) else []
            name = item.get("id")
            labels = [label for label in told if isinstance(label, str)]
            found.append([name if isinstance(name, str) else "", item["question"], labels])
    return found


def read_answers(state: "State", call_id: str, questions: "list[list[Any]]", told: "Any") -> None:
    """Adds each question with its answer, and what was typed as a person's words."""
    answers = told.get("answers") if isinstance(told, dict) else None
    if not isinstance(answers, dict):
        return
    for name, question, options in questions:
        answer = answers.get(name)
        answer = answer.get("answers") if isinstance(answer, dict) else answer
        given = [one for one in answer if isinstance(one, str)] if isinstance(answer, list) else []
        texts = [one.removeprefix(_TYPED) for one in given]
        state.out.append(
            Asked(
                state.line,
                question,
                tuple(options),
                ", ".join(texts),
                call_id=call_id,
                uuid=state.uuid,
                time=state.time,
                source=state.source,
            )
        )
        typed = [take_words(text) for text in texts if text not in options and text != _ELSE]
        if any(typed):
            state.out.append(
                Said(
                    state.line,
                    "human",
                    "answer",
                    "\n".join([text for text in typed if text]),
                    uuid=state.uuid,
                    time=state.time,
                    source=state.source,
                    about=question,
                    call_id=call_id,
                )
            )
