"""The worker: what hooks have no time for, done in a process of its own that nobody waits for.

Hooks leave events in the spool and print what lies ready; everything between is here. One worker a root, held by a
lock; it folds events into a state of its own, does what is due for each session (read what was added, make the brief,
write the files) and leaves ready texts. It ends when the spool is empty.

    place     where one project's worker reads and writes
    event     one event of the spool
    state     what is known of the project's sessions, in one file
    fold      events into state and rows
    intent    a batch of events taken in exactly once, whenever the process dies
    reading   a session read on from where the last reading stopped
    standing  how a session left its project, by git and by its own words
    client    whether a session's client still runs
    jobs      what is due for a session, and what happens when it fails
    guard     one step that may fail without the others
    told      what hooks told, by their log
    ready     which texts lie ready, kept in step with what was told
    run       the loop and the lock

docs/design/0016-hooks-at-work.md is the contract with the hooks, 0019-worker.md why it is done this way.
"""
