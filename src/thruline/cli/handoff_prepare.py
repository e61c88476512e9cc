"""`thruline handoff prepare` as click knows it; what it does stands on the quick lane."""

from thruline.cli.command import command_declared
from thruline.cli.handoff import command
from thruline.cli.handoff_spine import declared

command_declared("prepare", declared, group=command)
