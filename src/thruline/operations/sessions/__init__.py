"""The verbs of `thruline sessions`: list, show, spine, messages, open, fork-tree."""
