"""Questions that the client asked for the agent: what was picked, and what a person typed instead."""

from thruline.harnesses.claude_code.words import take_words
from thruline.session.parts import Asked, Said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thruline.harnesses.claude_code.reader.state import OpenCall, State
    from thruline.session.parts import Part


def read_answers(
    state: "State", call: "OpenCall", call_id: str, record: "dict[str, Any]", line: int, out: "list[Part]"
) -> None:
    """Adds the questions of one call with their answers."""
    result = state.value(record.get("toolUseResult"))
    if not isinstance(result, dict):
        return
    answers = result.get("answers")
    questions = result.get("questions")
    if not isinstance(answers, dict):
        return
    uuid, time = record["uuid"], record["timestamp"]
    options: dict[str, list[str]] = {}
    for item in questions if isinstance(questions, list) else []:
        if isinstance(item, dict) and isinstance(item.get("question"), str):
            choices = item.get("options")
            told = [one.get("label") for one in choices if isinstance(one, dict)] if isinstance(choices, list) else []
            options[item["question"]] = [label for label in told if isinstance(label, str)]
    for question, answer in answers.items():
        if isinstance(answer, list):
            answer = ", ".join([one for one in answer if isinstance(one, str)])
        if not isinstance(answer, str):
            continue
        labels = options.get(question, [])
        out.append(
            Asked(line, question, tuple(labels), answer, call_id=call_id, uuid=uuid, time=time, source=state.source)
        )
        typed = take_words(answer) if not is_picked(answer, labels) else ""
        if typed:
            out.append(
                Said(
                    line,
                    "human",
                    "answer",
                    typed,
                    uuid=uuid,
                    time=time,
                    source=state.source,
                    about=question,
                    call_id=call_id,
                )
            )


def is_picked(answer: str, labels: "list[str]") -> bool:
    """Whether an answer is nothing but offered options, one or several joined by commas."""
    rest = answer.strip()
    if rest in labels:
        return True
    for label in sorted(labels, key=len, reverse=True):
        rest = rest.replace(label, "", 1) if label else rest
    return not rest.strip(" ,")
