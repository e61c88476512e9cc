"""The rules engine: five sections out of what was said and done, without a model.

It cannot paraphrase, so it quotes. Structure tells most of it (refusals, tasks, files, commits, what ran last); the
rest is a choice of sentences: those that add most of what a session keeps coming back to, people's words first.
"""

from collections.abc import Sequence

from thruline.brief.section import NAMES, Claim, Section
from thruline.brief.wording import FOUND_NOTHING, NO_ROOM, TOLD_ELSEWHERE
from thruline.engines.rules.basics import build_basics, find_works
from thruline.engines.rules.candidates import CONTEXT, SURE, Candidate, find_candidates
from thruline.engines.rules.candidates.confirmed import find_confirmed
from thruline.engines.rules.candidates.outcome import find_outcome
from thruline.engines.rules.claims import CRAMPED, INLINE, RANKS, build_claims, note_others
from thruline.engines.rules.code_state import build_code_state
from thruline.engines.rules.curt import build_curt
from thruline.engines.rules.dead_ends import build_dead_ends
from thruline.engines.rules.disproved import build_disproved
from thruline.engines.rules.elsewhere import drop_unanswered, find_moved, settle
from thruline.engines.rules.facts import Facts, GitState
from thruline.engines.rules.files import find_touched, find_touched_aside
from thruline.engines.rules.landed import Landed
from thruline.engines.rules.material import Material
from thruline.engines.rules.open_threads import build_open_threads
from thruline.engines.rules.passages import MOST_BEFORE, Passages
from thruline.engines.rules.pick import LEAST_LEFT, LINE_COST, Picker, Reach
from thruline.engines.rules.pulls import build_pulls
from thruline.engines.rules.quoting import mark_secrets, quote_whole
from thruline.engines.rules.reverted import find_undoings
from thruline.engines.rules.settled import Since
from thruline.engines.rules.superseded import build_superseded, find_superseded
from thruline.engines.rules.terms import Weights, find_terms, read_terms
from thruline.engines.rules.touched import find_worked_on
from thruline.engines.rules.turned import build_turned, choose_turned, join_answers
from thruline.session.ledger import Ledger
from thruline.value import replace

__all__ = ["NAME", "SURE", "VERSION", "Facts", "GitState", "Material", "Rules"]

NAME = "rules"
# Part of a cache's key: a brief made by other rules is another brief.
VERSION = 79

# Shares of the room: people's words, then the agent's by section; what one leaves over goes to all.
_PEOPLE = 0.54
# What must be kept may take more than people's share; what is told beside it is then cut where the brief is rendered.
_KEPT = 0.65
_AGENT = {"convergence": 0.22, "dead_ends": 0.13, "open_threads": 0.14, "basics": 0.06}
_CODE = 0.14
# Of what was established on the way, so many claims stand among the basics, where they are the first to be cut.
_MOST_ALSO, _ALSO_WEIGHT = 8, 0.4
# Of each report so many bytes are told where there is room: some of all first, then more of the newest.
_REPORTED = (400, 560)
# A commit's name and the signs around it.
_DIGEST = 50
# From here on a brief has room for more than what counts most.
_ROOMY = 6_000
# A smaller one has room for passages only where all else leaves so much of it.
_SPARE = 200


class Rules:
    """The engine over one session: what costs time is done once, `build` may be asked for several sizes."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._since = Since(facts.material, facts.ledger)
        superseded = find_superseded(facts.signals)
        self._superseded = build_superseded(superseded)
        # What is no rule any more must not make its message one.
        gone = {id(rule) for rule, _ in superseded}
        in_force = [signal for signal in facts.signals if id(signal) not in gone]
        undoings = find_undoings(facts.ledger, facts.material, facts.summary.cwd, facts.signals)
        outcome = find_outcome(facts.material, facts.signals)
        found = find_candidates(facts.material, in_force, self._since, undoings, outcome)
        self._candidates = _drop_commits([each for each in found if not each.gone], facts.ledger)
        self._found = found
        self._passages: Passages | None = None
        self._texts = {(message.source, message.line): message.text for message in facts.material.messages}
        self._touched = find_touched(facts.ledger, facts.summary.cwd)
        curt = build_curt(facts, in_force, self._candidates)
        self._dead_ends = self._mark(curt + build_dead_ends(facts, self._since) + build_disproved(facts))
        self._turned = [
            (worth, mark_secrets(one, self._texts)) for worth, one in build_turned(facts, undoings, outcome)
        ]
        self._alone = not self._dead_ends and all(each.section != "dead_ends" for each in self._candidates)
        self._pulls = build_pulls(facts)
        self._works = find_works(facts)
        self._aside = find_touched_aside(facts.aside, self._touched, facts.summary.cwd)
        self._symbols = find_worked_on(facts, self._touched)
        self._open: dict[bool, list[Claim]] = {}
        told = [candidate for candidate in self._candidates if candidate.message.by == "human"]
        subjects = find_terms(" ".join(made.subject for made in facts.ledger.commits))
        self._weights = Weights(_gather(self._candidates), _gather(told), subjects)
        self._reach = Reach(self._candidates, self._weights)
        self._landed = Landed(facts, self._candidates, self._weights)
        self._confirmed = find_confirmed(facts.material)

    def _mark(self, claims: list[Claim]) -> list[Claim]:
        return [mark_secrets(claim, self._texts) for claim in claims]

    def _find_open(self, *, roomy: bool) -> list[Claim]:
        """What structure tells to be open; nothing but whether there is room makes a difference to it."""
        if roomy not in self._open:
            made = build_open_threads(self._facts, self._since, self._touched, roomy=roomy)
            self._open[roomy] = self._mark(made + self._superseded)
        return self._open[roomy]

    def _choose_also(self, claims: list[Claim], most: int) -> list[Claim]:
        """Of what was established on the way, what says most."""
        ranked = sorted(
            claims, key=lambda claim: -self._weights.total(read_terms(claim.quotes[0].text)) * claim.weight**3
        )
        return [replace(claim, weight=claim.weight * _ALSO_WEIGHT) for claim in ranked[:most]]

    def build(self, room: int) -> tuple[Section, ...]:
        """The five sections, whose claims take about `room` bytes."""
        facts = self._facts
        claims: dict[str, list[Claim]] = {name: [] for name in NAMES}
        code = build_code_state(facts, self._touched, self._aside, int(room * _CODE), self._pulls, self._symbols)
        claims["code_state"] = self._mark(code)
        turned = choose_turned(self._turned, room, roomy=room > _ROOMY, alone=self._alone)
        claims["dead_ends"] = self._dead_ends + turned
        claims["open_threads"] = self._find_open(roomy=room > _ROOMY).copy()
        claims["basics"] = self._mark(build_basics(facts, self._works, room))
        made = [claim for each in claims.values() for claim in each]
        spent = sum(map(_size, turned))
        used = sum(map(_size, made)) - spent
        covered = {term for claim in made for term in read_terms(claim.text)}
        quoted: dict[tuple[str, int], list[str]] = {}
        # Of a rule and what took its place, the latter is quoted where it counts as well, if there is room.
        told = [claim.quotes[:1] if claim in self._superseded else claim.quotes for claim in made]
        moved = find_moved(self._candidates, claims["open_threads"])
        places = frozenset(map(_place, moved))
        for quote in (quote for quotes in told for quote in quotes):
            where = (quote.pointer.source, quote.pointer.line)
            if where not in places:
                quoted.setdefault(where, []).append(quote.text)
        said, cut = self._quote(covered, quoted, max(room - used, room // 2), spent, moved)
        cut |= {"dead_ends"} if len(turned) < len(self._turned) else set()
        claims["open_threads"], said = settle(claims["open_threads"], said, moved)
        for name, claim in said:
            claims[name].append(self._confirm(claim) if name == "convergence" and not claim.topic else claim)
        claims["dead_ends"] = join_answers(claims["dead_ends"])
        claims["dead_ends"].sort(key=lambda claim: RANKS.get(claim.topic, len(RANKS)))
        noted = [claim for claim in claims["convergence"] if claim.topic]
        claims["convergence"] = [claim for claim in claims["convergence"] if not claim.topic]
        also = self._choose_also(noted, len(noted) if room > _ROOMY else _MOST_ALSO)
        claims["basics"] += also
        cut |= {"basics"} if len(also) < len(noted) else set()
        for name, words in FOUND_NOTHING.items():
            if not claims[name]:
                elsewhere = TOLD_ELSEWHERE if self._is_quoted(name, quoted) else words
                claims[name].append(Claim(NO_ROOM if name in cut else elsewhere, statement=True))
        return tuple(Section(name, tuple(claims[name]), cut=name in cut) for name in NAMES)

    def _confirm(self, claim: Claim) -> Claim:
        """The claim with the user's words that it works, where there are any."""
        pointer = claim.quotes[0].pointer
        answer = self._confirmed.get((pointer.source, pointer.line))
        if answer is None:
            return claim
        return replace(claim, quotes=(*claim.quotes, quote_whole(answer)))

    def _is_quoted(self, name: str, quoted: dict[tuple[str, int], list[str]]) -> bool:
        """Whether other sections quote what there is to tell in this one."""
        mine = (each for each in self._candidates if each.section == name and not each.passing)
        return any(_place(each) in quoted and _overlaps(each, quoted) for each in mine)

    def _quote(
        self,
        covered: set[str],
        quoted: dict[tuple[str, int], list[str]],
        room: int,
        spent: int,
        moved: list[Candidate],
    ) -> tuple[list[tuple[str, Claim]], set[str]]:
        """What is said, in `room` bytes, of which `spent` went to the agent's dead ends already.

        For the words `moved` other claims paid. With it the sections of which something had no room.
        """
        free: list[Candidate] = []
        elsewhere: list[Candidate] = []
        for each in self._candidates:
            (elsewhere if _place(each) in quoted and _overlaps(each, quoted) else free).append(each)
        picker = Picker(self._reach, covered, elsewhere)
        picker.take_all(moved)
        people = [each for each in free if each.message.by == "human" or each.answered_by is not None]
        agent = [each for each in free if each.message.by != "human" and each.answered_by is None]
        # What was rejected is cut last, so it is taken first, whatever its words add.
        kept = int(room * _KEPT) - picker.take_kept(people, int(room * _KEPT))
        left = picker.take(people, max(0, int(room * _PEOPLE) - kept))
        # Where there is room, what was only said on the way is for a session that says little else.
        picky = self._landed.is_telling and room > _ROOMY
        for name, share in _AGENT.items():
            mine = [candidate for candidate in agent if candidate.section == name]
            if name == "dead_ends":
                mine = drop_unanswered(mine, picker.taken, quoted, replies=room > _ROOMY)
            given = max(0, int(room * share) - (spent if name == "dead_ends" else 0))
            left += picker.take(mine, given, picky=picky and name == "convergence")
        left = max(0, left - max(0, spent - int(room * _AGENT["dead_ends"])))
        left = picker.complete(people, left) if room > _ROOMY else left
        # In a small brief what the agent replied comes behind all else.
        told = drop_unanswered(free, picker.taken, quoted, replies=room > _ROOMY)
        left = picker.take(told, left, picky=True)
        told = drop_unanswered(free, picker.taken, quoted)
        left = picker.take(told, left, least=LEAST_LEFT, picky=True)
        cut = {name for name in NAMES if picker.is_cut((each for each in told if each.section == name), left)}
        # In a small brief whole messages come last, but before room that nobody uses.
        left = picker.complete(people, left)
        reports = [each for each in agent if each.section == "convergence" or each.topic == CONTEXT]
        for most in _REPORTED:
            left = picker.take_reports(reports, left, most)
        cut |= picker.refused
        inline = INLINE if room > _ROOMY else CRAMPED
        folder, last_line = self._facts.summary.cwd, self._facts.material.last_line
        said = build_claims(picker.taken, folder, last_line, inline, None, quoted)
        landed = self._landed.choose([claim for name, claim in said if name == "convergence" and not claim.topic])
        cut |= {"basics"} if room <= _ROOMY and any(True for _ in self._facts.material.summarised()) else set()
        if room <= _ROOMY and left < _SPARE:
            return [(name, note_others(name, claim, landed)) for name, claim in said], cut
        material = self._facts.material
        if self._passages is None:
            standing = material.messages
            if material.rewinds:
                standing = [message for message in standing if not material.is_left_behind(message)]
            self._passages = Passages(standing, self._found, self._weights)
        # What the session itself said comes first; what came before it stands nowhere else.
        held = min(left // 2, MOST_BEFORE) if material.begins_with_summary() and room > _ROOMY else 0
        chosen = self._passages.choose(picker.taken, landed, quoted, picker.covered, left - held)
        picker.taken += chosen
        cut |= {"basics"} if self._passages.cut else set()
        for summary in material.summarised() if room > _ROOMY else ():
            left -= sum(one.size + LINE_COST for one in chosen)
            covered = picker.covered.union(*(one.terms for one in chosen))
            picker.taken += self._passages.choose_before(summary, covered, min(left, MOST_BEFORE))
        return build_claims(picker.taken, folder, last_line, inline, landed, quoted), cut


def _place(candidate: Candidate) -> tuple[str, int]:
    return candidate.message.source, candidate.message.line


def _overlaps(candidate: Candidate, quoted: dict[tuple[str, int], list[str]]) -> bool:
    return any(candidate.text in one or one in candidate.text for one in quoted[_place(candidate)])


def _drop_commits(candidates: list[Candidate], ledger: Ledger) -> list[Candidate]:
    """Without sentences that only name a commit: the code-state has it."""
    subjects = {made.subject.strip(): made.digest for made in ledger.commits if made.subject.strip()}
    longest = max(map(len, subjects), default=0) + _DIGEST
    return [each for each in candidates if each.size > longest or not _names_commit(each.text, subjects)]


def _names_commit(text: str, subjects: dict[str, str]) -> bool:
    digest, _, subject = text.strip("`*. ").replace("`", "").partition(" ")
    known = subjects.get(subject.strip(" -—:"), "")
    return bool(known) and (digest.startswith(known) or known.startswith(digest))


def _gather(candidates: Sequence[Candidate]) -> list[dict[str, bool]]:
    by_message: dict[int, dict[str, bool]] = {}
    for candidate in candidates:
        by_message.setdefault(id(candidate.message), {}).update(candidate.terms)
    return list(by_message.values())


def _size(claim: Claim) -> int:
    pointers: int = sum(len(pointer.render()) + 4 for pointer in claim.pointers)
    return len(claim.text.encode()) + pointers + 6 + sum(len(quote.text.encode()) + 31 for quote in claim.quotes)
