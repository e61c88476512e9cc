"""Foreign clients, a folder each; nothing outside this room names one.

A capability is a file: `wire` (what hooks speak), `reader`, `find`, `install`, `launch`, `oneshot`, and FORMAT.md
beside the reader. Everything else asks `registry` and passes the harness on as a value.
"""
