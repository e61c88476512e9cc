"""The one gate to a model: asked for, switched on, within the day's budget, scrubbed, written down.

Nothing else in the house opens an engine that calls a model; tests/engines/test_one_gate.py fails if something could.
Several questions go at once; each passes the meter before it leaves.
"""

import importlib
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from thruline.config.schema import Models
from thruline.engines.asker import MODULES, Answer, Asker, Options, Usage, parse_engine
from thruline.engines.meter import Meter, Purpose
from thruline.engines.receipts import Receipt
from thruline.errors import Refused
from thruline.extract.question import Question
from thruline.redact import redact
from thruline.spine.budget import estimate_tokens

__all__ = ["AT_ONCE", "Gate", "Purpose", "Sending", "Told"]

Told = Callable[[Question, Answer], None]
AT_ONCE = 5
_PATIENCE = 30.0  # seconds that a busy server is waited for; one that names more is not
_MARK = re.compile(r"\[redacted:([\w-]+)\]")


@dataclass(frozen=True, slots=True)
class Sending:
    """What one question would send: the prompt after scrubbing, its estimated size, and what was taken out.

    `schema` is the shape that is asked for, sent beside it; above it stands the system text, the same for all.
    """

    title: str
    text: str
    schema: dict[str, Any]
    tokens: int
    redacted: dict[str, int]


class Gate:
    """An opened engine behind the meter. `path` is the receipts' file."""

    def __init__(self, engine: str, models: Models, path: str, purpose: Purpose) -> None:
        self._engine = engine
        self._models = models
        self._meter = Meter(engine, models, path, purpose)
        self._stop = threading.Event()

    def build_sendings(self, questions: Sequence[Question]) -> list[Sending]:
        """What would be sent, without sending it or opening anything; a name that nobody answers to is told."""
        kind, rest = parse_engine(self._engine)
        importlib.import_module(MODULES[kind]).check_name(rest)
        return [sending for sending, _ in map(self._scrub, questions)]

    def ask(self, questions: Sequence[Question], told: Told | None = None) -> list[Answer]:
        """The answers in the order of the questions; one that failed says so in its `problem`."""
        self._meter.check_enabled()
        asker = _open_asker(self._engine, self._models)
        scrubbed = [self._scrub(question) for question in questions]
        # All or none, since half a brief would be paid for and thrown away.
        reserved = self._meter.reserve(asker.model, [sending.tokens for sending, _ in scrubbed], priced=asker.priced)
        pool = ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="ask")
        try:
            waiting = [
                pool.submit(self._ask_patiently, asker, question, sending.tokens, receipt, told)
                for (sending, question), receipt in zip(scrubbed, reserved, strict=True)
            ]
            return [each.result() for each in waiting]
        except BaseException:
            # Ctrl-C: what runs is told to end, and what was not sent costs nothing.
            self._stop.set()
            raise
        finally:
            pool.shutdown(wait=True)

    def _scrub(self, question: Question) -> tuple[Sending, Question]:
        # A file's name need not be text; what leaves is.
        made = redact(question.prompt.encode("utf-8", "replace").decode("utf-8"))
        size = estimate_tokens(len(made.text.encode("utf-8", "replace")))
        # What was taken out before, as the text was read, stands in it as a mark too.
        sending = Sending(question.title, made.text, question.schema, size, dict(Counter(_MARK.findall(made.text))))
        return sending, Question(question.name, made.text, question.number)

    def _ask_patiently(
        self, asker: Asker, question: Question, tokens: int, receipt: Receipt, told: Told | None
    ) -> Answer:
        answer = self._ask_one(asker, question, receipt)
        # Once more, and through the meter like any other call: libraries that ask again by themselves are told not to.
        if answer.after is not None and answer.after <= _PATIENCE and not self._stop.wait(answer.after):
            try:
                (receipt,) = self._meter.reserve(asker.model, [tokens], priced=asker.priced)
            except Refused:
                pass  # the day's budget ends here; that the server was busy is what happened
            else:
                answer = self._ask_one(asker, question, receipt)
        if told is not None:
            told(question, answer)
        return answer

    def _ask_one(self, asker: Asker, question: Question, receipt: Receipt) -> Answer:
        began = time.monotonic()
        answer = Answer("", asker.model, Usage(exact=False), "interrupted")
        try:
            if not self._stop.is_set():
                answer = asker.ask(question, self._stop)
        except Exception as error:
            # It may have been sent: what it was taken to cost counts, and the other answers are still good.
            answer = Answer("", asker.model, problem=f"failed: {type(error).__name__} in the engine")
        finally:
            self._meter.settle(receipt, answer, time.monotonic() - began)
        return answer


def _open_asker(engine: str, models: Models) -> Asker:
    """The engine behind a name such as `command:<harness>`; what it needs is imported only now."""
    kind, rest = parse_engine(engine)
    module = importlib.import_module(MODULES[kind])
    keys = {
        name.removesuffix("_key"): getattr(models, name)
        for name in Models.__dataclass_fields__
        if name.endswith("_key")
    }
    options = Options(models.timeout_seconds, models.model, models.base_url, keys)
    opened: Asker = module.open_asker(rest, options)
    return opened
