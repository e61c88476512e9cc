"""The side building: what a harness runs on every event, at the price of a bare interpreter.

A session waits for these modules hundreds of times a day, so they import os, sys, time and `_json`, and meet the rest
of the house only in files: `spool/` out, `ready/` in. Nothing imports them; `operations/hook_entry.py` writes the stub
that runs them. docs/design/0007-hot-path.md has the reasons and the figures.
"""
