"""An engine that answers from a script: how hostile a model is, is up to the test that sets it."""

import threading
from collections.abc import Callable

from thruline.engines.asker import Answer, Options, Usage
from thruline.extract.question import Question

Script = Callable[[Question], "str | Answer"]
script: Script = lambda _question: ""  # noqa: E731 - set by tests
seen: list[Question] = []


class Scripted:
    """Answers what `script` says; a text costs 100 tokens in, 10 out, and a tenth of a cent."""

    name = "scripted"
    priced = True

    def __init__(self, model: str, options: Options) -> None:
        self.model = model
        self.options = options

    def ask(self, question: Question, stop: threading.Event) -> Answer:
        seen.append(question)
        made = script(question)
        return made if isinstance(made, Answer) else Answer(made, self.model, Usage(100, 10, 0, 0.001))


def open_asker(rest: str, options: Options) -> Scripted:
    return Scripted(rest, options)


def check_name(rest: str) -> None:
    assert rest
