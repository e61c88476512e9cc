"""Questions the agent put to the user with a tool, and the answers."""

from thruline.harnesses.shapes import as_list, as_text
from thruline.session.parts import Asked, Said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.opencode.reader.state import State


def read_questions(state: "State", call_id: str, given: "dict[str, Any]", told: "dict[str, Any]") -> None:
    """Adds each question with what was picked; what is none of its options was typed, and is a person's words."""
    answers = told.get("answers")
    answers = answers if isinstance(answers, list) else []
    for number, item in enumerate(as_list(given.get("questions"))):
        question = as_text(item.get("question"))
        options = tuple([as_text(one.get("label")) for one in as_list(item.get("options"))])
        picked = answers[number] if number < len(answers) else []
        texts = [one for one in picked if isinstance(one, str)] if isinstance(picked, list) else []
        place = {"uuid": state.uuid, "time": state.time, "source": state.source}
        state.out.append(Asked(state.line, question, options, ", ".join(texts), call_id=call_id, **place))
        typed = [text for text in texts if text not in options and text.strip()]
        if typed:
            words = "\n".join(typed)
            state.out.append(Said(state.line, "human", "answer", words, about=question, call_id=call_id, **place))
