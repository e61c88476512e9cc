"""The words of a small session: what a person and the agent say, what is run, edited and refused."""

from thruline.session import parts
from thruline.session.parts import Call, Part, Result, Said


def human(line: int, text: str, kind: str = "turn", **fields: str) -> Said:
    return Said(line, "human", kind, text, uuid=f"u{line}", **fields)


def agent(line: int, text: str) -> Said:
    return Said(line, "agent", "text", text, uuid=f"a{line}")


def run(line: int, command: str, outcome: str = parts.OK, **fields: object) -> list[Part]:
    """A command at this line and its result at the next."""
    return [
        Call(line, f"c{line}", "Bash", "run", command),
        Result(line + 1, f"c{line}", outcome, 10, **fields),  # type: ignore[arg-type]
    ]


def edit(line: int, path: str, how: str = "edited", before: int = 0, after: int = 0) -> list[Part]:
    """An edit from one text to another, by their checksums, that was made."""
    return [
        Call(line, f"c{line}", "Edit", "edit", path, paths=(path,), before=before, after=after),
        Result(line + 1, f"c{line}", parts.OK, 10, changes=((path, how),)),
    ]


def change(line: int, file: str, *symbols: tuple[str, int], outcome: str = parts.OK, how: str = "edited") -> list[Part]:
    """An edit of a file of the project that touched these definitions."""
    path = f"/home/dev/shop/{file}"
    changes = ((path, how),) if outcome == parts.OK else ()
    return [
        Call(line, f"c{line}", "Edit", "edit", path, paths=(path,), symbols=symbols),
        Result(line + 1, f"c{line}", outcome, 9, changes=changes),
    ]


def refuse(line: int, path: str) -> list[Part]:
    """An edit that the user refused."""
    return [
        Call(line, f"c{line}", "Edit", "edit", path, paths=(path,)),
        Result(line + 1, f"c{line}", parts.REFUSED, 10, text="The user doesn't want this."),
    ]


def commit(line: int, digest: str, subject: str, command: str = "git commit -m x") -> list[Part]:
    """A command that made a commit, as git tells it."""
    return run(line, command, commits=((digest, subject),))
