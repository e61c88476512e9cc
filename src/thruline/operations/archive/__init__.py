"""`thruline archive`: sessions into the ark, one or all, newest first.

candidates   which sessions there are, and the files of each
excluded     which of them the user, or a project for its own, does not want kept
limits       what the ark has to drop to stay as small and as young as the user wants it
archiving    the verb
"""
