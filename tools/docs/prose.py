"""What every page must have: links that lead somewhere, known names, decisions on one screen, complete formats."""

import re
from pathlib import Path

SUFFIXES = ("added", "changed", "fixed")
SCREEN = 60
LINK = re.compile(r"\[[^\]]*\]\(<?([^)\s>]+)>?\)")
FORMAT_PARTS = {
    "a schema version": r"schema( version)?\W+\d",
    "its place": r"^\W*(place|where)\b",
    "its fields": r"^\W*(fields?|keys?|rules?|marks?)\b|^\|",
    "an example": r"^(```|~~~)",
}


def remove_code(text: str) -> str:
    """`text` without fenced blocks and code spans, line numbers kept."""
    kept, fence = [], ""
    for line in text.splitlines():
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if fence:
            kept.append("")
            if mark and mark[1].startswith(fence):
                fence = ""
        elif mark:
            fence = mark[1]
            kept.append("")
        else:
            kept.append(re.sub(r"`[^`]*`", "", line))
    return "\n".join(kept)


def check_links(root: Path, pages: list[str]) -> list[str]:
    """Relative links that lead nowhere."""
    problems = []
    for page in pages:
        text = remove_code((root / page).read_text(encoding="utf-8"))
        for number, line in enumerate(text.splitlines(), 1):
            for target in LINK.findall(line):
                path = target.partition("#")[0]
                if not path or re.match(r"[a-z][a-z+.-]*:", path):
                    continue
                if not ((root / page).parent / path).exists():
                    problems.append(f"{page}:{number}: the link {target} leads nowhere")
    return problems


def check_fragments(root: Path, pages: list[str]) -> list[str]:
    """News fragments with an unknown suffix, or that are no sentence."""
    problems = []
    for page in pages:
        if not page.startswith("changes/") or page == "changes/README.md":
            continue
        if not re.fullmatch(rf"changes/[a-z0-9-]+\.({'|'.join(SUFFIXES)})\.md", page):
            problems.append(f"{page}: a fragment is named changes/<slug>.<{'|'.join(SUFFIXES)}>.md")
        text = (root / page).read_text(encoding="utf-8").strip()
        if not text.endswith((".", "`", ")")):
            problems.append(f"{page}: a fragment is written in full sentences")
    return problems


def check_decisions(root: Path, pages: list[str]) -> list[str]:
    """Decisions that are misnamed, misnumbered, longer than a screen or missing from their index."""
    problems: list[str] = []
    numbers: dict[int, str] = {}
    index = root / "docs/design/README.md"
    listed = index.read_text(encoding="utf-8") if index.exists() else ""
    for page in sorted(page for page in pages if page.startswith("docs/design/") and not page.endswith("/README.md")):
        name = page.rpartition("/")[2]
        if not re.fullmatch(r"\d{4}-[a-z0-9-]+\.md", name):
            problems.append(f"{page}: a decision is named NNNN-title.md")
            continue
        number = int(name[:4])
        if number in numbers:
            problems.append(f"{page}: number {number:04d} is taken by {numbers[number]}")
        numbers[number] = name
        length = len((root / page).read_text(encoding="utf-8").splitlines())
        if length > SCREEN:
            problems.append(f"{page}: {length} lines; a decision fits one screen ({SCREEN})")
        if f"({name})" not in listed:
            problems.append(f"{page}: is not listed in docs/design/README.md")
    missing = [f"{number:04d}" for number in range(1, max(numbers, default=0) + 1) if number not in numbers]
    if missing:
        problems.append(f"docs/design: no decision has the number {', '.join(missing)}")
    return problems


def render_decisions(root: Path, pages: list[str]) -> str:
    """docs/design/README.md: every decision by number and title."""
    lines = [
        "# Decisions",
        "",
        "One screen each: the question, the choice, the price. Listed by `make docs`.",
        "",
    ]
    for page in sorted(page for page in pages if re.fullmatch(r"docs/design/\d{4}-[^/]*\.md", page)):
        name = page.rpartition("/")[2]
        title = (root / page).read_text(encoding="utf-8").partition("\n")[0]
        lines.append(f"- [{name[:4]}]({name}) {re.sub(r'^#[ ]*[0-9]*[.:]?[ ]*', '', title)}")
    return "\n".join(lines) + "\n"


def check_formats(root: Path, pages: list[str]) -> list[str]:
    """Format pages that do not say all of: schema version, place, fields, example."""
    problems = []
    for page in pages:
        if not page.startswith("docs/formats/") or page.endswith("/README.md"):
            continue
        text = (root / page).read_text(encoding="utf-8")
        for part, pattern in FORMAT_PARTS.items():
            if not re.search(pattern, text, re.MULTILINE | re.IGNORECASE):
                problems.append(f"{page}: does not give {part}")
    return problems
