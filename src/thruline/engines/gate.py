"""The one gate to a model: asked for, switched on, within the day's budget, scrubbed, written down.

Nothing else in the house opens an engine that calls a model; tests/engines/test_one_gate.py fails if something could.
Several questions go at once; each is reserved in the receipts before it leaves, so that five threads, or five
processes, cannot spend the same rest of a budget.
"""

import importlib
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from thruline.clock import read_clock, render_time
from thruline.config.schema import Models
from thruline.disk.atomic import Lock, make_folders
from thruline.engines.asker import MODULES, Answer, Asker, Options, Usage, parse_engine
from thruline.engines.receipts import ANSWERED, ASKED, Receipt, read_receipts, write_receipt
from thruline.errors import Refused
from thruline.extract.question import Question
from thruline.redact import redact
from thruline.spine.budget import estimate_tokens

Told = Callable[[Question, Answer], None]
AT_ONCE = 5
# What an answer is taken to cost before it is there.
_ANSWER_TOKENS = 2_000


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a call is for, as the receipt tells it."""

    feature: str
    project: str = ""
    session: str = ""


@dataclass(frozen=True, slots=True)
class Sending:
    """What one question would send: the prompt after scrubbing, its estimated size, and what was taken out."""

    title: str
    text: str
    tokens: int
    redacted: dict[str, int]


class Gate:
    """An opened engine behind the meter. `path` is the receipts' file."""

    def __init__(self, engine: str, models: Models, path: str, purpose: Purpose) -> None:
        self._engine = engine
        self._models = models
        self._path = path
        self._purpose = purpose
        self._stop = threading.Event()

    def build_sendings(self, questions: Sequence[Question]) -> list[Sending]:
        """What would be sent, without sending it or opening anything."""
        return [sending for sending, _ in map(self._scrub, questions)]

    def ask(self, questions: Sequence[Question], told: Told | None = None) -> list[Answer]:
        """The answers in the order of the questions; one that failed says so in its `problem`."""
        if not self._models.enabled:
            raise Refused(
                "Models are switched off.",
                where="models.enabled = false",
                next="thruline config set models.enabled true",
            )
        asker = open_asker(self._engine, self._models)
        scrubbed = [self._scrub(question) for question in questions]
        reserved = self._reserve(asker, [sending for sending, _ in scrubbed])
        pool = ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="ask")
        try:
            waiting = [
                pool.submit(self._ask_one, asker, question, receipt, told)
                for (_, question), receipt in zip(scrubbed, reserved, strict=True)
            ]
            return [each.result() for each in waiting]
        except BaseException:
            # Ctrl-C: what runs is told to end, and what was not sent costs nothing.
            self._stop.set()
            raise
        finally:
            pool.shutdown(wait=True)

    def _scrub(self, question: Question) -> tuple[Sending, Question]:
        made = redact(question.prompt)
        size = estimate_tokens(len(made.text.encode("utf-8", "replace")))
        sending = Sending(question.title, made.text, size, dict(Counter(made.receipt)))
        return sending, Question(question.name, made.text, question.number)

    def _ask_one(self, asker: Asker, question: Question, receipt: Receipt, told: Told | None) -> Answer:
        began = time.monotonic()
        answer = Answer("", asker.model, Usage(exact=False), "interrupted")
        try:
            if not self._stop.is_set():
                answer = asker.ask(question, self._stop)
        finally:
            self._settle(receipt, answer, time.monotonic() - began)
        if told is not None:
            told(question, answer)
        return answer

    def _reserve(self, asker: Asker, sendings: Sequence[Sending]) -> list[Receipt]:
        """A receipt for each, written; all or none, since half a brief would be paid for and thrown away."""
        now, start = render_time(read_clock()), time.time_ns()
        receipts = [
            Receipt(
                id=f"{start:x}-{os.getpid():x}-{number}",
                at=now,
                feature=self._purpose.feature,
                engine=self._engine,
                model=asker.model,
                project=self._purpose.project,
                session=self._purpose.session,
                read=sending.tokens,
                written=_ANSWER_TOKENS,
                cached=0,
                dollars=None,
                exact=False,
                seconds=0.0,
                outcome="unknown",
            )
            for number, sending in enumerate(sendings)
        ]
        make_folders(os.path.dirname(self._path), 0o700)
        with Lock(self._path + ".lock"):
            spent, _ = read_receipts(self._path, now[:10])
            self._check_budget(spent, sum(one.read + one.written for one in receipts))
            for receipt in receipts:
                write_receipt(self._path, ASKED, receipt)
        return receipts

    def _check_budget(self, spent: Sequence[Receipt], needed: int) -> None:
        tokens = sum(one.read + one.written for one in spent)
        dollars = sum(one.dollars or 0.0 for one in spent)
        most, money = self._models.daily_tokens, self._models.daily_dollars
        if most and tokens + needed > most:
            raise Refused(
                f"The day's budget does not allow it: {tokens:,} of {most:,} tokens are spent, and this takes about "
                f"{needed:,}.",
                where="models.daily_tokens",
                next="thruline receipt shows what spent them; thruline config set models.daily_tokens N",
            )
        if money and dollars >= money:
            raise Refused(
                f"The day's budget is spent: {dollars:.2f} of {money:.2f} dollars.",
                where="models.daily_dollars",
                next="thruline receipt shows what spent it; thruline config set models.daily_dollars N",
            )

    def _settle(self, receipt: Receipt, answer: Answer, seconds: float) -> None:
        usage = answer.usage
        known = usage != Usage()  # an engine that cannot tell leaves the estimate standing
        settled = Receipt(
            id=receipt.id,
            at=receipt.at,
            feature=receipt.feature,
            engine=receipt.engine,
            model=answer.model or receipt.model,
            project=receipt.project,
            session=receipt.session,
            read=usage.read if known else receipt.read,
            written=usage.written if known else estimate_tokens(len(answer.text.encode("utf-8", "replace"))),
            cached=usage.cached,
            dollars=usage.dollars,
            exact=usage.exact and known,
            seconds=round(seconds, 3),
            outcome=answer.problem.split(":", 1)[0][:40] if answer.problem else "ok",
        )
        with Lock(self._path + ".lock"):
            write_receipt(self._path, ANSWERED, settled)


def open_asker(engine: str, models: Models) -> Asker:
    """The engine behind a name such as `command:<harness>`; what it needs is imported only now."""
    kind, rest = parse_engine(engine)
    module = importlib.import_module(MODULES[kind])
    options = Options(models.timeout_seconds, models.model, models.base_url, models.api_key)
    opened: Asker = module.open_asker(rest, options)
    return opened
