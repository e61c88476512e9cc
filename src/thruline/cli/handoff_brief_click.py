"""`thruline handoff [REF]` as click knows it; what it does stands on the quick lane."""

from thruline.cli.command import command_declared
from thruline.cli.handoff import command
from thruline.cli.handoff_brief import declared

command_declared("brief", declared, group=command)
