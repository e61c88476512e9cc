"""Writes the generated pages and checks all of them: `make docs`, and `--check` in `make check`."""

import subprocess
import sys
from pathlib import Path

from tools.docs.commands import check_commands, find_commands, render_page
from tools.docs.prose import check_decisions, check_formats, check_fragments, check_links, render_decisions
from tools.docs.traces import check_traces

ROOT = Path(__file__).parents[2]


def find_files(root: Path) -> list[str]:
    """Every file that is or would be tracked."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout.decode(
        "utf-8", "surrogateescape"
    )
    return sorted(name for name in set(listed.split("\0")) if name and (root / name).is_file())


def check_pages(root: Path, files: list[str]) -> list[str]:
    """What is wrong with the pages of a tree."""
    pages = [file for file in files if file.endswith(".md")]
    problems = check_traces(root, files)
    for check in (check_links, check_fragments, check_decisions, check_formats):
        problems += check(root, pages)
    return problems


def main(arguments: list[str]) -> int:
    check_only = arguments == ["--check"]
    if arguments and not check_only:
        sys.stderr.write("usage: python -m tools.docs [--check]\n")
        return 2
    found, problems = find_commands()
    problems += check_commands(found)
    files = find_files(ROOT)
    for name, text in {
        "docs/cli.md": render_page(found),
        "docs/design/README.md": render_decisions(ROOT, files),
    }.items():
        page = ROOT / name
        if not check_only:
            page.write_text(text, encoding="utf-8")
        elif not page.exists() or page.read_text(encoding="utf-8") != text:
            problems.append(f"{name} is out of date; try make docs")
    problems += check_pages(ROOT, files)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
