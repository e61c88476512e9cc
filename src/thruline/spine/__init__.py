"""What is kept of a session: the words, one line per tool call, and the label of every record.

A spine is plain text. Each entry begins with the label of its record (`L47`, or `a1:L3` for another file of the
session) at the very start of a line; what was said stands below it, indented by two spaces, so no text of a transcript
can pose as a label. The same label opens in the spine, in a chunk and in the raw file.
"""
