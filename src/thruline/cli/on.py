"""`thruline on`, by its own name in the table."""

from thruline.cli.switch import command_on as command

__all__ = ["command"]
