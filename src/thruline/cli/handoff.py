"""`thruline handoff`: from a session of any size to what the next one needs.

Its commands are modules of their own: writing a spine must not pay for what only a brief needs.
"""

from thruline.cli.command import command_group

command = command_group(
    "handoff",
    help="Print what the next session must know of one: `thruline handoff REF`.",
    example="thruline handoff latest\nthruline handoff prepare latest --out ./handoff",
    default="brief",
    modules={
        "brief": "thruline.cli.handoff_brief",
        "prepare": "thruline.cli.handoff_prepare",
        "prompt": "thruline.cli.handoff_prompt",
        "reduce": "thruline.cli.handoff_merge",
        "finalize": "thruline.cli.handoff_merge",
    },
)
