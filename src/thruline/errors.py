"""What can go wrong, and how it is told.

    ThrulineError               exit 1  an expected failure
    ├── UsageError              exit 2  the command was called wrongly
    ├── NotFound                        the named thing is not there
    ├── Refused                         must not be touched: an unsafe id, another user's file, a newer schema
    ├── FormatError                     a file that people or tools wrote cannot be read; has line and column
    │   └── ConfigError                 … and it is a config file
    ├── MissingExtra                    an optional dependency is not installed
    └── DiskError                       reading or writing failed
        ├── LockTimeout                 someone else holds the lock
        ├── Conflict                    a file changed since it was read
        └── JournalBroken               a journal cannot be replayed

A message has three parts: what happened, where, and what to do next. Only doors catch these; everything else is a bug
(exit 3) and becomes a report. No dataclasses here: hooks import this module.
"""


class ThrulineError(Exception):
    """An expected failure, told in three parts."""

    exit_code = 1

    def __init__(self, what: str, *, where: str = "", next: str = "") -> None:  # noqa: A002 - the word of the message
        super().__init__(what)
        self.what = what
        self.where = where
        self.next = next

    def __str__(self) -> str:
        # A path may hold a line break, and would pass for lines of ours.
        rows = [self.what.replace("\n", "␊")]
        if self.where:
            rows.append("  where  " + self.where.replace("\n", "␊"))
        if self.next:
            rows.append("  try    " + self.next.replace("\n", "␊"))
        return "\n".join(rows)


class UsageError(ThrulineError):
    """The command was called wrongly."""

    exit_code = 2


class NotFound(ThrulineError):
    """The named thing is not there."""


class Refused(ThrulineError):
    """It is there, but must not be touched."""


class FormatError(ThrulineError):
    """A file cannot be read as what it should be. `line` and `column` are 1-based; 0 where unknown."""

    def __init__(self, what: str, *, path: str = "", line: int = 0, column: int = 0, next: str = "") -> None:  # noqa: A002
        place = path
        if line:
            place += f":{line}" + (f":{column}" if column else "")
        super().__init__(what, where=place, next=next)
        self.path = path
        self.line = line
        self.column = column


class ConfigError(FormatError):
    """A config file has an unknown key, a wrong type or bad TOML."""


class MissingExtra(ThrulineError):
    """An optional dependency is not installed."""


class DiskError(ThrulineError):
    """Reading or writing failed; what was there before is still there."""


class LockTimeout(DiskError):
    """Someone else holds the lock."""


class Conflict(DiskError):
    """A file changed since it was read; nothing was overwritten."""


class JournalBroken(DiskError):
    """A journal cannot be replayed; the files it names were left alone."""
