"""What a session is, whichever client wrote it: a stream of parts, each with the place it stands in.

Pure values and folds; nothing here opens a file. Readers (`harnesses/<h>/reader`) turn a transcript into parts, and one
pass over the parts feeds everything above: spine, ledger, messages, later signals.

The values are plain slotted classes, not dataclasses: re-reading the last 256 KB of a transcript must cost less than
three bare interpreters, and `dataclasses` alone costs that (docs/design/0010-sessions.md).
"""
