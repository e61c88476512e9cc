"""Texts that lie ready, one of each kind."""

START, RESUME, LATE, KEEP = (
    "A line about the last one.",
    "What the last one left.",
    "Lost in the summary.",
    "Keep this.",
)
