"""What a call of a model must pass: switched on, within the day's budget, written down before it is made and after.

A reservation is a line in the receipts, so five threads, or five processes, cannot spend the same rest of a budget; one
that never comes back counts with its estimate, in tokens and in money. What a call will cost is judged by the dearest
call of that engine so far; before there is one, by a price that few models reach. An engine whose calls came back
without a price has none, and is bounded by tokens alone.
"""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from thruline.clock import read_clock, render_time
from thruline.config.schema import Models
from thruline.disk.atomic import Lock, make_folders
from thruline.engines.asker import Answer, Usage
from thruline.engines.receipts import ANSWERED, ASKED, Receipt, read_receipts, write_receipt
from thruline.errors import Refused
from thruline.spine.budget import estimate_tokens

# What an answer is taken to cost before it is there.
_ANSWER_TOKENS = 2_000
# Dollars for a token read, where nobody knows better, and how much dearer one written is at nearly every provider.
_ASSUMED_PRICE = 15 / 1_000_000
_WRITTEN_WEIGHT = 5
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a call is for, as the receipt tells it."""

    feature: str
    project: str = ""
    session: str = ""


@dataclass(frozen=True, slots=True)
class Meter:
    """The user's settings and the receipts' file at `path`, for calls of one engine and one purpose."""

    engine: str
    models: Models
    path: str
    purpose: Purpose

    def check_enabled(self) -> None:
        """Refused where the user switched models off."""
        check_enabled(self.models)

    def reserve(self, model: str, sizes: Sequence[int], *, priced: bool = True) -> list[Receipt]:
        """A receipt for a call of each size in tokens, written; all or none, and Refused over the day's budget.

        `priced` is false where no call will ever have a price, as with a server of the user's own.
        """
        now, start = render_time(read_clock()), time.time_ns()
        receipts = [
            Receipt(
                id=f"{start:x}-{os.getpid():x}-{number}",
                at=now,
                feature=self.purpose.feature,
                engine=self.engine,
                model=model,
                project=self.purpose.project,
                session=self.purpose.session,
                read=size,
                written=_ANSWER_TOKENS,
                cached=0,
                dollars=None,
                exact=False,
                seconds=0.0,
                outcome="unknown",
            )
            for number, size in enumerate(sizes)
        ]
        make_folders(os.path.dirname(self.path), 0o700)
        with Lock(self.path + ".lock"):
            known, _ = read_receipts(self.path)
            price = self._find_price(known) if priced else None
            receipts = [replace(one, dollars=_weigh(one) * price if price is not None else None) for one in receipts]
            self._check_budget([one for one in known if one.at >= now[:10]], receipts)
            for receipt in receipts:
                write_receipt(self.path, ASKED, receipt)
        return receipts

    def settle(self, receipt: Receipt, answer: Answer, seconds: float) -> None:
        """Writes down how the call ended; an engine that cannot tell what it cost leaves the estimate standing."""
        usage = answer.usage
        known = usage != Usage()
        settled = replace(
            receipt,
            model=_shorten(answer.model) or receipt.model,
            read=usage.read if known else receipt.read,
            written=usage.written if known else estimate_tokens(len(answer.text.encode("utf-8", "replace"))),
            cached=usage.cached,
            dollars=usage.dollars if known else receipt.dollars,
            exact=usage.exact and known,
            seconds=round(seconds, 3),
            outcome=answer.problem.split(":", 1)[0][:40] if answer.problem else "ok",
        )
        with Lock(self.path + ".lock"):
            write_receipt(self.path, ANSWERED, settled)

    def _find_price(self, known: Sequence[Receipt]) -> float | None:
        """Dollars for a token read by this engine; None where its calls have no price."""
        own = [one for one in known if one.engine == self.engine and one.exact]
        prices = [one.dollars / _weigh(one) for one in own if one.dollars is not None and _weigh(one)]
        if prices:
            return max(prices)
        return None if own else _ASSUMED_PRICE

    def _check_budget(self, spent: Sequence[Receipt], wanted: Sequence[Receipt]) -> None:
        tokens, needed = (sum(one.read + one.written for one in some) for some in (spent, wanted))
        dollars, price = (sum(one.dollars or 0.0 for one in some) for some in (spent, wanted))
        most, money = self.models.daily_tokens, self.models.daily_dollars
        if most and tokens + needed > most:
            raise Refused(
                f"The day's budget does not allow it: {tokens:,} of {most:,} tokens are spent, and this takes about "
                f"{needed:,}.",
                where="models.daily_tokens",
                next="thruline receipt shows what spent them; thruline config set models.daily_tokens N",
            )
        if money and dollars + price > money:
            raise Refused(
                f"The day's budget does not allow it: {dollars:.2f} of {money:.2f} dollars are spent, and this may "
                f"take {price:.2f}.",
                where="models.daily_dollars",
                next="thruline receipt shows what spent it; thruline config set models.daily_dollars N",
            )


def check_enabled(models: Models) -> None:
    """Refused where the user switched models off."""
    if not models.enabled:
        raise Refused(
            "Models are switched off.",
            where="models.enabled = false",
            next="thruline config set models.enabled true",
        )


def _shorten(model: str) -> str:
    # A server may call its model anything, and the name is printed.
    return "".join(c for c in model[:_LONGEST_NAME] if c.isprintable())


def _weigh(receipt: Receipt) -> int:
    return receipt.read + _WRITTEN_WEIGHT * receipt.written
