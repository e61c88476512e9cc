"""What the tracer runs: every question that this room can ask."""

from thruline import gitfacts

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"  # git knows it everywhere: everything was added since


def ask_everything(folder: str) -> dict[str, object]:
    commit = "0123456789abcdef0123456789abcdef01234567"
    return {
        "status": gitfacts.read_status(folder),
        "branch": gitfacts.read_branch(folder),
        "log": gitfacts.read_log(folder, 5),
        "diff": gitfacts.read_diff_stat(folder),
        "committed": gitfacts.read_committed(folder, EMPTY_TREE, ["a", "a.txt", "b.two", "c.served", "d.empty"]),
        "commit": gitfacts.has_commit(folder, commit),
        "ignored": gitfacts.read_ignored(folder, ["a", "b.log"]),
    }
