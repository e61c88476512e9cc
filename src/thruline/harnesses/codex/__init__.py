"""The client whose rollouts lie in `~/.codex/sessions`; what we know of its files is in FORMAT.md."""
