"""A small session and the brief of it that tests of checking change in one place."""

from tests.brief.sessions import said
from thruline.brief.pointer import Pointer, place
from thruline.brief.quotation.quote import Quote
from thruline.brief.render import render_brief
from thruline.brief.section import Brief, Claim, Section, Source, order_sections
from thruline.value import replace

SESSION = [
    said(3, "Please fix the export."),
    said(8, "No, don't add a pause. Look at the cursor."),
    said(9, "The cursor was inclusive.", "agent"),
]
BRIEF = Brief(
    order_sections(
        {
            "convergence": Section("convergence", (Claim("The cursor was inclusive.", pointers=(place(9),)),)),
            "dead_ends": Section(
                "dead_ends",
                (Claim("A pause: overruled by the user.", (Quote("No, don't add a pause.", place(8)),), keep=True),),
            ),
            "code_state": Section(
                "code_state",
                (
                    Claim("`export` changed", pointers=(Pointer("file", path="src/export.py", symbol="export"),)),
                    Claim("committed", pointers=(Pointer("commit", commit="1a2b3c4"),)),
                ),
            ),
            "open_threads": Section("open_threads", (Claim("Nobody ran it on staging."),)),
            "basics": Section("basics", (Claim("No constraint was stated.", statement=True),)),
        }
    ),
    title="Brief: export",
    sources=(Source("/x/s.jsonl", "0b7e5c1a", size=10, digest="ab"),),
)
# Words of their own have the briefs that a model made.
BRIEF = replace(
    BRIEF,
    sections=tuple(
        replace(
            section,
            claims=tuple(
                replace(claim, origin="agent", topic="" if claim.statement else "Added by the engine (agent)")
                for claim in section.claims
            ),
        )
        for section in BRIEF.sections
    ),
)
TEXT = render_brief(BRIEF).text
