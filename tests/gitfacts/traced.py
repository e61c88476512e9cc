"""What the tracer runs: every question that this room can ask."""

from thruline import gitfacts


def ask_everything(folder: str) -> dict[str, object]:
    commit = "0123456789abcdef0123456789abcdef01234567"
    return {
        "status": gitfacts.read_status(folder),
        "branch": gitfacts.read_branch(folder),
        "log": gitfacts.read_log(folder, 5),
        "diff": gitfacts.read_diff_stat(folder),
        "commit": gitfacts.has_commit(folder, commit),
        "ignored": gitfacts.read_ignored(folder, ["a", "b.log"]),
    }
