"""Small sessions in one folder, whose commands did to its files what their words say."""

from tests.session.talk import agent, human
from thruline.session.file_changes import find_file_changes
from thruline.session.parts import OK, Call, Changed, Part, Result

SHOP = "/home/dev/shop"


def do(line: int, command: str) -> list[Part]:
    """A command that ended well, with what it did to files of the project."""
    found, moved = find_file_changes(command)
    changes = tuple((f"{SHOP}/{path}", how) for path, how in found)
    moves = tuple((f"{SHOP}/{old}", f"{SHOP}/{new}", sure, by_git) for old, new, sure, by_git in moved)
    call = Call(line, f"c{line}", "Bash", "run", command)
    return [call, Result(line + 1, f"c{line}", OK, 9, changes=changes, moves=moves)]


def session(*steps: list[Part]) -> list[Part]:
    told = [part for step in steps for part in step]
    return [Changed(1, "cwd", SHOP), human(2, "Tidy the folder up."), *told, agent(90, "All is in its place now.")]
