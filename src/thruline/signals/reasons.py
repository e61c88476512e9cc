"""Why a message was taken, in a few words: the features that weighed most, as people would say them."""

from collections.abc import Set

from thruline.signals.model import Judge

_SAID = {
    "kind.rejection": "typed when refusing a call",
    "interrupted": "after stopping the agent",
    "answer.agree": "the agent agreed",
    "answer.apology": "the agent apologised",
    "answer.retreat": "the agent took it back",
    "answer.rewrote": "the agent rewrote the same file",
    "answer.undid": "the agent undid its work",
    "answer.praise": "the agent called it a good question",
    "answer.diagnosis": "the agent looked for the cause",
    "answer.yields": "the agent yielded",
    "approve&contrast": "agrees, but",
    "quoting": "quotes the agent",
    "asked": "answers the agent's question",
    "wrote": "after an edit",
    "before.delivered": "after a delivery",
    "before.proposed": "after a proposal",
    "before.claimed": "after a claim of the agent",
    "ask.negative": "a negative question",
    "question": "a question",
}
_CUES = {
    "no": "says no", "negation": "a negation", "contrast": "a contrast", "instead": "asks for another way",
    "undo": "wants it undone", "redirect": "says what was wanted", "change": "wants it changed",
    "opinion": "another opinion", "surprise": "surprised", "still": "still so", "fails": "reports a failure",
    "wrong": "calls it wrong", "missing": "something is missing", "doubt": "doubts it", "concern": "is concerned",
    "second_person": "speaks of what the agent did", "told": "said it before", "actual": "states how it is",
    "approve": "approves", "pick": "picks an option", "command": "an instruction", "request": "a request",
    "ask": "asks", "rule": "states a rule", "scope": "sets the scope", "hurt": "is upset",
}  # fmt: skip


def tell_why(features: Set[str], judge: Judge, most: int = 3) -> str:
    """The strongest reasons, joined by commas."""
    weights = judge.weights
    ranked = sorted(((weights.get(name, 0.0), name) for name in features), reverse=True)
    told: list[str] = []
    if "kind.rejection" in features:
        told.append(_SAID["kind.rejection"])
    for weight, name in ranked:
        if weight <= 0.05 or len(told) >= most:
            break
        words = _SAID.get(name) or _CUES.get(name.rsplit("&", 1)[-1].rsplit(".", 1)[-1], "")
        if words and words not in told:
            told.append(words)
    return ", ".join(told) or "its words"
