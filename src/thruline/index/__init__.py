"""What can be looked up without reading transcripts again: one SQLite file of the user's state.

Everything in it can be rebuilt from the transcripts, so a broken or old index is thrown away, never repaired.
"""
