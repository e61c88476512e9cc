"""What stands below each heading of a new packet."""

from collections.abc import Iterable, Sequence

from thruline.artifacts import packet as artifact
from thruline.brief.attempts.inert import render_words
from thruline.brief.claims.names import render_command, render_path
from thruline.brief.render.claim import render_claim
from thruline.brief.section import Claim
from thruline.operations.packets.next_prompt import render_next_prompt
from thruline.operations.packets.sorting import Sorted
from thruline.operations.packets.suggesting import Suggestion

NOTHING = "_Nothing was found in the session._"


def render_texts(
    claims: Sorted, purpose: str, files: Sequence[Suggestion], validators: Sequence[str]
) -> dict[str, str]:
    """The text below each heading; Notes are the reader's."""
    return {
        artifact.INTENT: render_words(purpose),
        artifact.CONTEXT: _render_parts(
            ("Landed", claims.landed), ("Asked", (*claims.task, *claims.asked)), ("Surroundings", claims.context)
        ),
        artifact.CONSTRAINTS: _render(claims.constraints) or NOTHING,
        artifact.DECISIONS: _render_parts(
            ("Decided", claims.decided), ("Rejected", claims.rejected), ("Questioned", claims.questioned)
        ),
        artifact.FILES: render_files((), [f"- {render_path(each.path)} ({each.how})" for each in files]),
        artifact.NEXT_PROMPT: render_next_prompt(purpose, claims, files, validators),
        artifact.PLAN: _render(claims.plan) or NOTHING,
        artifact.VALIDATORS: "\n".join(f"- {render_command(command)}" for command in validators) or NOTHING,
        artifact.QUESTIONS: _render(claims.questions) or NOTHING,
    }


def render_files(confirmed: Sequence[str], suggested: Sequence[str]) -> str:
    """Both lists, each a bullet a file."""
    return "\n".join([f"### {artifact.CONFIRMED}", *confirmed, "", f"### {artifact.SUGGESTED}", *suggested])


def _render_parts(*parts: tuple[str, Sequence[Claim]]) -> str:
    return "\n".join(f"### {title}\n{_render(claims)}" for title, claims in parts if claims) or NOTHING


def _render(claims: Iterable[Claim]) -> str:
    return "\n".join(line for claim in claims for line in render_claim(claim))
