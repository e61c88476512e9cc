"""`python -m thruline`."""

from thruline.cli.entry import start

start()
