"""Transcripts that outlive their client: bytes in, the same bytes out, kept once however often they occur.

Clients delete transcripts after some weeks, and every pointer into one would die with it. The ark keeps them as blocks
under the hash of their content, so that the versions of a growing session share all but their last block, and forks,
which are copies with another session id in every line, share everything they copied: the id is taken out before a
block is hashed, and put back when it is read. It knows no client: what belongs together is the caller's to say.

    entry      what is kept of one session: its files, each a list of blocks
    entries    the folder of those
    names      which there are, without opening one
    hide       the session's id out of the bytes, and back
    marks      what a fork adds to every record it copies, out and back
    asides     notes between the records, which a fork leaves out, kept apart
    cut        where one block ends and the next begins
    original   the file that is kept: whose it is, whether it changed
    intake     a file read into blocks, from the start or from where the last version ended
    pack       files of many blocks
    packs      which block is where
    output     files out again; `restored` says where they go
    prepare    the slow part of archiving; `commit` makes it count
    store      archive, read, forget; `collect` removes blocks that nobody uses

docs/formats/ark.md describes the files, docs/design/0012-ark.md why it is done this way.
"""
