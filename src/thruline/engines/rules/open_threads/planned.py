"""What a plan set out to do and nothing shows: files it lists that nobody changed, checks of it that nobody ran.

The fact this rests on: a plan names each file it will change at the beginning of a line, and a session that carries it
out changes nearly all of them. The side it errs on is silence: a file that was made under a like name, named in a
command or spoken of later is not told, nor any of a plan of which less than half was done.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import islice

from thruline.brief.quotation.quote import Quote
from thruline.brief.section import Claim
from thruline.engines.rules.cues import find_cues
from thruline.engines.rules.decided import APPROVED, PROPOSED, REFUSED
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.material import Message
from thruline.engines.rules.open_threads.changed import Changed, find_name, is_everywhere, is_same
from thruline.engines.rules.open_threads.outline import quote_outline
from thruline.engines.rules.open_threads.unspoken import find_unspoken
from thruline.engines.rules.quoting import build_quote
from thruline.engines.rules.settled import Since
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import split_units
from thruline.engines.rules.working import CHECKS, rank_command
from thruline.pattern import compile_later
from thruline.value import dataclass

# A file at the beginning of a line: behind the mark of a list, a number, one word, or a label of up to three.
_LISTED = compile_later(
    r"^[ \t]*(?:(?:[-*+•|]|#{1,6})[ \t]+)?((?:\d{1,3}[a-z]?[.):][ \t]+)?[*_]{0,2}"
    r"(?:(?P<verb>[^\W\d_]+)[ \t]+|[^\W\d_]+(?: [^\W\d_]+){0,2}[*_]{0,2}:[*_]{0,2}[ \t]+)?[*_]{0,2}"
    r"(?P<mark>`)?(?P<path>(?:[\w@.+~-]*/)*[\w@+-][\w@.+-]*\.(?P<ending>[a-z]\w{0,7}))(?::[\d, L-]+)?(?(mark)`)"
    r"(?P<rest>[^\n]*))",
    re.MULTILINE,
)
_BELOW = compile_later(r"\n((?![ \t]*(?:```|~~~|#))[^\n]{1,240})")
# A command: words, options and what they are given. Code has other signs.
_SPAN = compile_later(r"`([a-z][\w.-]*(?: [\w./:@<>,'\"-]+)+)`")
# What nothing shows of a plan: of its files, of its checks, of its steps.
_SHOWN = (
    "not changed as far as the session shows",
    "not run as far as the session shows",
    "not spoken of again, unlike its other steps",
)
# A word that is no option and stands for nothing else.
_PLAIN = compile_later(r"[\w./:@-]+")
# So many lines of a plan are quoted, of so many plans.
MOST_LINES, MOST_PLANS = 3, 2
# Of so many plans, the newest, so many letters are read, and so many files, checks and steps of each: a plan is a few
# pages, and what is longer is a paste.
MOST_HELD, MOST_READ, MOST_FILES, MOST_CHECKS = 12, 100_000, 500, 60
# Of files that were not changed so many are looked for in what came after, and so much is read of a line.
MOST_LEFT, LONGEST_REST = 40, 600
# How much of a plan that waits is quoted, in a small brief and in one with room.
OUTLINE, ROOMY_OUTLINE = 260, 600


@dataclass(frozen=True, slots=True)
class _Plan:
    """A plan, and the line from which on it counts."""

    message: Message
    since: int
    verdict: str


def build_planned(facts: Facts, since: Since, *, roomy: bool) -> Iterator[Claim]:
    """The claims about plans: the last one, where nothing followed it, and what was left of those carried out."""
    waiting = _find_waiting(facts, since)
    if waiting is not None:
        words = {APPROVED: "approved", REFUSED: "refused"}.get(waiting.verdict, "put to the user, not answered")
        quote = quote_outline(waiting.message, ROOMY_OUTLINE if roomy else OUTLINE)
        if quote.text.strip():
            yield Claim(f"Last plan, {words}; nothing was changed since:", (quote,), weight=0.85)
    changed = Changed(facts)
    told: dict[str, list[Quote]] = {words: [] for words in _SHOWN}
    for plan in _find_plans(facts)[-MOST_HELD:]:
        if waiting is not None and plan.message.text.strip() == waiting.message.text.strip():
            continue
        left = (
            _find_untouched(plan, changed, facts),
            _find_unchecked(plan, changed, facts),
            find_unspoken(plan.message.text[:MOST_READ], plan.since, facts) if changed.any_after(plan.since) else [],
        )
        for found, quotes in zip(left, told.values(), strict=True):
            if found:
                quotes.append(build_quote(plan.message, found[:MOST_LINES]))
    for words, quotes in told.items():
        if quotes:
            yield Claim(f"planned, {words}:", tuple(quotes[-MOST_PLANS:]), weight=0.6, flag=True)


def _find_plans(facts: Facts) -> list[_Plan]:
    """The plans that were to be carried out: what the session was begun with, and what was approved and stood."""
    found = {
        part.text.strip(): _Plan(
            Message("client", part.kind, part.text, part.line, part.uuid, "", 0), part.line, APPROVED
        )
        for part in facts.material.handed
        if part.kind == "plan" and not part.source
    }
    for plan in _read_verdicts(facts):
        text = plan.message.text.strip()
        if plan.verdict == REFUSED:
            found.pop(text, None)
        elif plan.verdict == APPROVED and not any(text in one for one in found):
            found[text] = plan
    return list(found.values())


def _read_verdicts(facts: Facts) -> Iterator[_Plan]:
    """Each verdict on a plan, and each plan; the words stand in the proposal."""
    plans = [plan for plan in facts.material.plans if not plan.source]
    proposed = {plan.call_id: plan for plan in plans if plan.call_id and plan.verdict == PROPOSED and plan.text.strip()}
    for plan in plans:
        told = proposed.get(plan.call_id, plan)
        if told.text.strip():
            yield _Plan(Message("agent", "plan", told.text, told.line, told.uuid, "", 0), plan.line, plan.verdict)


def _find_waiting(facts: Facts, since: Since) -> _Plan | None:
    """The last plan, where nobody said or changed anything after it."""
    last = max(_read_verdicts(facts), key=lambda plan: plan.since, default=None)
    if last is None or since.has_spoken(last.since + 1) or not since.is_unchanged(last.since):
        return None
    return last


def _find_untouched(plan: _Plan, changed: Changed, facts: Facts) -> list[tuple[int, int]]:
    """The lines of a plan that begin with a file of which nothing shows that it was changed."""
    lines: dict[str, tuple[int, int]] = {}
    known: dict[str, list[str]] = {}
    text = plan.message.text[:MOST_READ]
    units = split_units(text)
    starts = [unit.start for unit in units]
    fences = _find_fences(text)
    for match in _LISTED.finditer(text):
        if len(lines) == MOST_FILES:
            break
        plain = match["mark"] is None and "/" not in match["path"]
        if plain or match["ending"] not in changed.endings or bisect_right(fences, match.start()) % 2:
            continue
        if match["verb"] is not None and not find_cues(match["verb"], ("alters",)):
            continue
        at = bisect_left(starts, match.start())
        heading = units[at].heading if at < len(units) and starts[at] <= match.end() else ""
        rest = match["rest"][:LONGEST_REST].rstrip(" \t|")
        below = _find_below(text, match.end())
        if find_cues(f"{heading}. {rest} {text[match.end() : below]}", ("spared",)):
            continue
        path = match["path"].lower()
        alike = known.setdefault(find_name(path), [])
        if any(is_same(path, one) for one in alike):
            continue
        alike.append(path)
        # "`a.py` (lines 3-9)" says what is to be done in the line below it.
        says = any(not term.startswith("line") and any(map(str.isalpha, term)) for term in find_terms(rest))
        end = match.start("rest") + len(rest)
        lines[path] = match.start(1), end if says or below == match.end() else below
    left = changed.find_left(lines, plan.since)
    if not left or 2 * len(left) > len(lines):
        return []
    silent = _find_unmentioned(left[:MOST_LEFT], plan.since, facts)
    return [lines[path] for path in left[:MOST_LEFT] if path in silent]


def _find_below(text: str, end: int) -> int:
    """Where the next line ends that says more of a file: none that names another, and no code."""
    line = _BELOW.match(text, end)
    return line.end() if line and _LISTED.match(text, line.start(1)) is None else end


def _find_fences(text: str) -> list[int]:
    """Where code begins and ends, by turns; what is never closed is none."""
    marks = [match.start() for match in re.finditer(r"^[ \t]*(?:```|~~~)", text, re.MULTILINE)]
    return marks[: len(marks) // 2 * 2]


def _find_unmentioned(paths: list[str], line: int, facts: Facts) -> set[str]:
    """The paths that no command and no message after a line names: with the others somebody dealt."""
    left = {
        path: "/".join(path.rsplit("/", 2)[-2:]) if is_everywhere(find_name(path)) else find_name(path)
        for path in paths
    }
    later = [each.command for each in facts.ledger.commands.values() if each.line > line]
    later += [message.text for message in facts.material.messages if message.line > line]
    for text in later:
        if not left:
            break
        lowered = text.lower()
        left = {path: name for path, name in left.items() if name not in lowered}
    return set(left)


def _find_unchecked(plan: _Plan, changed: Changed, facts: Facts) -> list[tuple[int, int]]:
    """The checks of a plan by a command of the project's own that was not run, where something was changed to check.

    What a test runner does may run under any name, and covers more than it says.
    """
    if not changed.any_after(plan.since):
        return []
    ran = [each.command for each in facts.ledger.commands.values() if each.line > plan.since or each.source]
    ran += [each.command for each in facts.aside.ledger.commands.values()]
    found: list[tuple[int, int]] = []
    listed = [span for span in split_units(plan.message.text[:MOST_READ]) if span.item]
    checks = (span for span in listed if find_cues(span.heading, ("verifying",)))
    for span in islice(checks, MOST_CHECKS):
        text = plan.message.text[span.start : span.end]
        command = _SPAN.search(text)
        if command is None or rank_command(command[1]) == CHECKS or find_cues(text, ("by_tests",)):
            continue
        words = [word for word in command[1].split() if _PLAIN.fullmatch(word) and not word.startswith("-")][-2:]
        if len(words) == 2 and not any(all(word in one for word in words) for one in ran):
            found.append((span.start, span.end))
    return found
