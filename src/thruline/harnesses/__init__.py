"""Foreign clients, a folder each; nothing outside this room names one.

A capability is a file: `wire` (what hooks speak), `reader`, `find`, `install`, `launch`, `oneshot`, and FORMAT.md
beside the reader. Some have more to tell: `store` (sessions in a database), `sidecars`, `retention`, `copied` (how a
fork differs from its parent). Everything else asks `registry` and passes the harness on as a value.

What readers share lies here: `line_reader` (the base of each), `folders` (listing), `canonical` (lines for stores).
"""
