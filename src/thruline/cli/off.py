"""`thruline off`, by its own name in the table."""

from thruline.cli.switch import command_off as command

__all__ = ["command"]
