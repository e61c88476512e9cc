"""The first command after an upgrade brings what clients call up to date; nobody has to remember to install again."""

import os

from thruline.layout import find_user_paths

# Those that do it themselves, look at it as it is, or are started by a client.
_NOT_BY = ("install", "uninstall", "doctor", "hook", "work")


def keep_entry(arguments: list[str]) -> None:
    """Rewrites the stub, the plugin and the skills where an older version wrote them. Whatever fails is doctor's."""
    if not arguments or arguments[0] in _NOT_BY:
        return
    try:
        user = find_user_paths()
        if not os.path.lexists(user.hook_entry):
            return
        from thruline.operations.install.stale import needs_upkeep  # here: most users' commands never come this far

        if needs_upkeep(user):
            from thruline.operations.install.upkeep import keep_up

            keep_up(user, dict(os.environ), os.path.expanduser("~"))
    except Exception:  # noqa: S110 - the command that was asked for must run
        pass
