"""Packets of a project: found by id, made from a session, changed one line at a time."""
