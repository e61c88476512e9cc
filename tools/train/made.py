"""Messages that we made up, as examples: they teach words and manners that no labelled person happened to show.

`made.tsv` holds the messages and what each follows, `answers.tsv` what an agent may answer. Most of them go without an
answer, as messages do in a session that runs; some get one of their own kind, and of these a share gets one of any
kind, since real answers tell less than invented ones would.
"""

from dataclasses import replace
from pathlib import Path
from random import Random

from thruline.session import parts
from thruline.signals.features import build_features
from thruline.signals.situation import Situation, Step
from tools.train.fit import Example

MADE, ANSWERS = Path(__file__).with_name("made.tsv"), Path(__file__).with_name("answers.tsv")
# How many are answered, and how many of these by chance.
ANSWERED, ASTRAY = 0.15, 0.3
SEED = 5
# What the agent had just said where a message was made up, taken in turn.
_SAID_BEFORE = {
    "delivery": (
        "Done. I added the helper and updated the two callers. All tests pass.",
        "I've implemented the change in `src/app.ts`.\n\n- new endpoint\n- validation\n- tests",
        "Fixed. The handler now checks the input before it writes.",
        "Updated the component and removed the old styles. Everything is green.",
        "The script is ready: it reads the file, converts each row and writes the result.",
    ),
    "proposal": (
        "There are three options:\n\n1. A queue\n2. A cron job\n3. A trigger\n\nI recommend the first. Which one?",
        "Here is the plan:\n\n1. Extract the client\n2. Add a cache\n3. Migrate the callers\n\nShall I go ahead?",
        "I suggest we split the module and introduce an interface. Would you like me to do that?",
    ),
    "claim": (
        "The issue is that the token expires after a day, so the second request fails.",
        "This happens because the index is rebuilt on every start. It is expected and safe.",
        "Here's how it works: the scheduler reads the table, picks the first row and locks it.",
    ),
    "work": ("Let me look at the other files first.", "Now let me run the tests."),
    "nothing": (),
}
_EDITED = "src/app.ts"
_CALLS = {
    "edit": Step("edit", _EDITED, (_EDITED,)),
    "edit another": Step("edit", "src/other.ts", ("src/other.ts",)),
    "read": Step("read", _EDITED, (_EDITED,)),
    "run": Step("run", "make test"),
    "search": Step("search", "handler"),
    "commit": Step("run", "git commit -m x"),
    "restore": Step("run", f"git checkout -- {_EDITED}"),
}
# Features of what is not told of a made-up message must not be learned from its silence.
_NEVER_TOLD = ("heard", "after")
_UNTOLD = ("answer", "closing", "review.", *_NEVER_TOLD)
_ASKING = ("can you", "could you", "please")


def read_made(path: Path = MADE, answers: Path = ANSWERS) -> list[Example]:
    """The made-up messages, as three people's; `made` among their features takes up how many are corrections."""
    random, replies = Random(SEED), _read_answers(answers)
    made = []
    for number, (variety, follows, written) in enumerate(_read_rows(path)):
        text = written.replace("\\n", "\n")
        before = _build_before(follows, number)
        situation = Situation(parts.Said(1, "human", "turn", text), before, first=not before)
        # Drawn for every message, so that one more answer does not change who is answered.
        answered, astray = random.random() < ANSWERED, random.random() < ASTRAY
        kind, which = random.choice(sorted(replies)), random.random()
        if answered:
            chosen = replies[kind if astray else _find_kind(variety, text)]
            for step in chosen[int(which * len(chosen))]:
                situation.answer(step)
        features = build_features(situation)
        unknown = _NEVER_TOLD if answered else _UNTOLD
        told = [name for name in features.situations if not name.startswith(unknown)]
        marks = ("made", "made.answered") if answered else ("made",)
        label = {"correction": variety != "-", "correction_type": variety if variety != "-" else None}
        features = replace(features, situations=frozenset([*told, *marks]))
        made.append(Example(text, features, f"made {number % 3}", "made", "turn", label))
    return made


def _read_rows(path: Path) -> list[list[str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def _read_answers(path: Path) -> dict[str, list[list[Step]]]:
    """By kind of message the answers, each as its steps."""
    answers: dict[str, list[list[Step]]] = {}
    for kind, written in _read_rows(path):
        steps = [_CALLS.get(step) or Step("text", step) for step in written.split(" | ")]
        answers.setdefault(kind, []).append(steps)
    return answers


def _build_before(follows: str, number: int) -> tuple[Step, ...]:
    texts = _SAID_BEFORE[follows]
    if not texts:
        return ()
    said = Step("text", texts[number % len(texts)])
    if follows == "delivery":
        return (_CALLS["edit"], said)
    return (said, Step("read", _EDITED)) if follows == "work" else (said,)


def _find_kind(variety: str, text: str) -> str:
    """Which answers fit: those to its variety of correction, to a question, or to something to do."""
    if variety != "-":
        return variety
    return "question" if "?" in text and not text.lower().startswith(_ASKING) else "request"
