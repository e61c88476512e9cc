"""The client whose transcripts lie in `~/.claude/projects`; what we know of its files is in FORMAT.md."""
