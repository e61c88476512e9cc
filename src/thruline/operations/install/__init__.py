"""Into a client's settings and out of them again, without a trace.

    line        the command that a client runs, fixed for ever
    record      what was changed where, so that an uninstall can take back exactly that
    planning    what an installation would change, shown before anything is
    removing    what an uninstallation would change, and what stays
    applying    either of them, as one journaled change
    purging     everything we keep, after a list
    switching   off and on, without touching a client
    dead        hook commands that lead nowhere
    handing_over   from a team's shared line to the user's own stub
    stale       whether an older version wrote what clients call
    upkeep      the stub, the plugin and the skills of an older version, brought up to date

Nothing here names a client: what a client wants written is what its `install.py` says.
docs/design/0017-install.md has the reasons.
"""
