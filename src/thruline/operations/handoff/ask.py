"""`handoff --engine`: the five sections asked of a model, checked, and merged with what the rules found.

A bad answer is asked for once more with what was wrong about it; then the rules' section stands. What was no answer (a
timeout, a refusal, no access) would be none again and is not asked for. However little comes back, and wherever the
day's budget ends once a first step was paid for, there is a brief.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from thruline.brief.render import DEFAULT_BUDGET
from thruline.brief.section import NAMES, find_row
from thruline.disk.atomic import read_bytes, write_bytes
from thruline.engines.asker import Answer
from thruline.engines.gate import Gate, Sending
from thruline.errors import Refused
from thruline.extract.prompt import CHUNK
from thruline.extract.question import Question, read_answer, render_answer
from thruline.harnesses.transcripts import read_folder
from thruline.operations.handoff.brief import read_git
from thruline.operations.handoff.finalize import Finalized, finalize
from thruline.operations.handoff.mined import mine_sections
from thruline.operations.handoff.prepare import Plan, prepare
from thruline.operations.handoff.questions import build_chunk_questions, build_section_questions, render_plan
from thruline.operations.handoff.reduce import mine_plan, reduce_chunks
from thruline.operations.handoff.workplace import open_workplace, scrub
from thruline.operations.sessions.locate import Located
from thruline.spine.budget import BYTES_PER_TOKEN, DIRECT_TOKENS

Tell = Callable[[str], None]
_EMPTY = "empty"  # how an engine begins to say that it answered, and nothing


@dataclass(frozen=True, slots=True)
class Asked:
    """A brief made with a model. `failures` are (what was asked, why); `calls` counts questions, second ones too.

    `trouble` says why it could not be kept, where that was tried.
    """

    made: Finalized
    failures: tuple[tuple[str, str], ...]
    calls: int
    trouble: str = ""


def ask_brief(
    located: Located, gate: Gate, *, origin: str, root: str, overrides: str, cache: str, budget: int = DEFAULT_BUDGET,
    tell: Tell = lambda _: None,
) -> Asked:  # fmt: skip
    """The brief of a session by the engine behind `gate`, on top of the rules'. `cache` holds what is read."""
    with open_workplace(cache, located.session_id) as folder:
        asking = _Asking(gate, tell)
        plan, spine = _prepare(located, folder, overrides, asking, root)
        sections = os.path.join(folder, "sections")
        os.mkdir(sections)
        git = read_git(read_folder(located.harness, located.files[0]))
        for question, value in asking.ask(build_section_questions(plan, spine, root, git, overrides)):
            row = find_row(question.name)
            assert row is not None
            write_bytes(os.path.join(sections, row.file_name), value.encode("utf-8", "replace"))
        mined = mine_sections(located, budget)
        made = finalize(
            located, sections, root=root, leaf=plan.leaf_uuid, budget=budget, rules=mined.sections,
            corrections=mined.corrections, origin=origin,
        )  # fmt: skip
    # What finalize misses is what was not answered: say why instead of that it is missing.
    failed = dict(asking.failures)
    late = [(name, why) for name, why in made.failures if name not in failed]
    return Asked(made, (*asking.failures, *late), asking.calls)


def build_dry_run(located: Located, gate: Gate, *, root: str, overrides: str, cache: str) -> tuple[list[Sending], bool]:
    """What would be sent first, and whether more would follow: of a long session the chunks, else the five sections."""
    with open_workplace(cache, located.session_id) as folder:
        plan = prepare(located, folder, scrub=scrub)
        if plan.mode == "chunked":
            return gate.build_sendings(build_chunk_questions(plan, root, overrides)), True
        git = read_git(read_folder(located.harness, located.files[0]))
        spine = read_bytes(plan.spine).decode("utf-8", "replace")
        return gate.build_sendings(build_section_questions(plan, spine, root, git, overrides)), False


def _prepare(located: Located, folder: str, overrides: str, asking: "_Asking", root: str) -> tuple[Plan, str]:
    plan = prepare(located, folder, scrub=scrub, render=render_plan)
    spine = plan.spine
    if plan.mode == "chunked":
        path = os.path.join(folder, "plan.json")
        summaries = os.path.join(folder, "summaries")
        os.mkdir(summaries)
        for question, value in asking.ask(build_chunk_questions(plan, root, overrides)):
            name = os.path.join(summaries, f"chunk-{question.number}.json")
            write_bytes(name, value.encode("utf-8", "replace"))
        spine = reduce_chunks(
            path, summaries, signals=mine_plan(path, folder=root), room=DIRECT_TOKENS * BYTES_PER_TOKEN
        ).spine
    return plan, read_bytes(spine).decode("utf-8", "replace")


class _Asking:
    """Questions asked at once, bad answers asked for once more. Refused only before anything was sent."""

    def __init__(self, gate: Gate, tell: Tell) -> None:
        self._gate = gate
        self._tell = tell
        self.failures: list[tuple[str, str]] = []
        self.calls = 0

    def ask(self, questions: Sequence[Question]) -> list[tuple[Question, str]]:
        """The usable answers, each as one line of JSON."""
        good, bad = self._sort(questions, self._ask_all(questions))
        again = [one for one in bad if one.worth_asking]
        if again:
            retried = [one.question.again(one.why) for one in again]
            more, still = self._sort(retried, self._ask_all(retried))
            good += more
            bad = [one for one in bad if not one.worth_asking] + still
        self.failures += [(one.question.title, one.why) for one in bad]
        return good

    def _ask_all(self, questions: Sequence[Question]) -> list[Answer]:
        done = 0

        def count(_question: Question, _answer: Answer) -> None:
            nonlocal done
            done += 1
            self._tell(f"{done} of {len(questions)} {'chunks' if questions[0].name == CHUNK else 'sections'}")

        try:
            answers = self._gate.ask(questions, count)
        except Refused as error:
            if not self.calls:
                raise
            return [Answer("", "", problem=f"not asked: {error.what}") for _ in questions]
        self.calls += len(questions)
        return answers

    @staticmethod
    def _sort(
        questions: Sequence[Question], answers: Sequence[Answer]
    ) -> tuple[list[tuple[Question, str]], list["_Bad"]]:
        good, bad = [], []
        for question, answer in zip(questions, answers, strict=True):
            value, why = (None, answer.problem) if answer.problem else read_answer(question, answer.text)
            if value is not None:
                good.append((question, render_answer(value)))
            else:
                bad.append(_Bad(question, why, not answer.problem or answer.problem.startswith(_EMPTY)))
        return good, bad


@dataclass(frozen=True, slots=True)
class _Bad:
    question: Question
    why: str
    worth_asking: bool


def find_origins(made: Finalized) -> dict[str, str]:
    """Who each section came from: `rules`, the engine, both joined by `+`, or `failed`."""
    origins = {}
    for section in made.brief.sections:
        names = sorted({part for claim in section.claims for part in claim.origin.split("+")})
        origins[section.name] = "failed" if section.failed else "+".join(names) or "rules"
    assert list(origins) == list(NAMES)
    return origins
