"""`thruline handoff`: from a session of any size to what the next one needs.

Its commands are modules of their own: writing a spine must not pay for what only a brief needs.
"""

from thruline.cli.command import command_group
from thruline.cli.table import HANDOFF

command = command_group(
    "handoff",
    help="Print what the next session must know of one: `thruline handoff REF`.",
    example="thruline handoff latest\nthruline handoff prepare latest --out ./handoff",
    default=next(iter(HANDOFF)),
    modules=HANDOFF,
)
