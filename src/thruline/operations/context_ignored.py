"""Whether git leaves out what is this machine's own, and takes what belongs to everyone."""

import os

from thruline.disk.atomic import TEMP_END, TEMP_START
from thruline.gitfacts import NO_GIT, NOT_A_REPOSITORY, NoAnswer, read_ignored
from thruline.layout import IGNORED_DIRS, ProjectPaths
from thruline.operations.finding import BROKEN, NOTE, OK, Finding

NAME = "gitignore"


def check_ignored(project: ProjectPaths, *, timeout: float | None = None) -> list[Finding]:
    """What git itself says of the context folder's files; one finding that all is well, or one per fault."""
    private = [os.path.join(_context(project), name, "any") for name in IGNORED_DIRS]
    private += [os.path.join(folder, "any") for folder in (project.logs, project.handoffs) if project.forge]
    shared = [project.marker, project.config_file, os.path.join(project.packets, "any.md")]
    folders = [os.path.join(path, "") for path in (os.path.dirname(_context(project)), _context(project))]
    temporary = os.path.join(project.packets, f"{TEMP_START}any{TEMP_END}")
    asked = [os.path.relpath(path, project.root) for path in [*private, *shared, temporary]]
    asked += [os.path.join(os.path.relpath(path, project.root), "") for path in folders]
    rules = read_ignored(project.root, asked, timeout=timeout)
    if isinstance(rules, NoAnswer):
        if rules.reason in (NOT_A_REPOSITORY, NO_GIT):
            return [Finding(NAME, OK, f"Nothing to ignore: {rules.detail}.")]
        return [Finding(NAME, NOTE, f"Git could not be asked what it ignores: {rules.detail}.", "git status")]
    found = []
    hidden = any(rule.ignored for rule in rules[-len(folders) :])
    for rule, path in zip(rules, [*private, *shared, temporary, *folders], strict=True):
        if path in private and not rule.ignored:
            found.append(_tell_exposed(project, os.path.dirname(rule.path), rule.rule))
        elif path == temporary and not rule.ignored:
            what = "Git does not ignore temporary files, which a killed process leaves behind."
            found.append(Finding(NAME, BROKEN, what, "thruline context init"))
        elif path in shared and rule.ignored:
            what = f"Git ignores {rule.path}, so other clones would not see it: {rule.rule}"
            found.append(Finding(NAME, BROKEN, what, _tell_way_out(rule.path, hidden)))
    return found or [Finding(NAME, OK, "Git ignores this machine's folders and sees the shared files.")]


def _tell_way_out(path: str, hidden: bool) -> str:
    # Git looks into no folder that it ignores, so no later line brings back a file inside one.
    if hidden:
        return "take that rule out; it hides a whole folder, and no line behind it can bring one file back"
    return f"take that rule out, or add !/{_slashes(path)} behind it"


def _tell_exposed(project: ProjectPaths, folder: str, rule: str) -> Finding:
    # A line that takes back what another one ignored is not named by git when it speaks of a folder.
    why = f" because of {rule}" if rule else ""
    top = _context(project) if not folder.startswith(".forge") else project.root
    line = f"/{_slashes(os.path.relpath(os.path.join(project.root, folder), top))}/"
    place = _slashes(os.path.relpath(os.path.join(top, ".gitignore"), project.root))
    what = f"Git does not ignore {folder}{why}; what lies there could be committed."
    return Finding(NAME, BROKEN, what, f"have {line} as the last line of {place}")


def _context(project: ProjectPaths) -> str:
    return os.path.dirname(project.gitignore)


def _slashes(path: str) -> str:
    return path.replace(os.sep, "/")
