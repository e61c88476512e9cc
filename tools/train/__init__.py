"""Trains the judges of `thruline.signals` from labelled messages: `python -m tools.train` writes `weights.json`.

Standard library only, and deterministic: the same labels give the same bytes. Cross-validation leaves out one person
at a time, wherever that person's messages come from.
"""
