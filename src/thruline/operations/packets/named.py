"""The project's files that a packet's claims name, whoever touched them: what the claims say of them can get old."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping

from thruline.artifacts.packet import FILES, NEXT_PROMPT
from thruline.artifacts.relevant_files import find_inside
from thruline.brief.attempts.inert import find_spans, parse_span
from thruline.gitfacts import NoAnswer, read_tracked_named
from thruline.layout import ProjectPaths

MOST = 100
# What can be a path or a part of one, also as a code span encodes it.
WORD = re.compile(r"[\w./%@+~-]+")
_BARE = re.compile(r"[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,9}")
# A name that more files have says of none of them that it is meant.
_NAMESAKES = 3


def find_words(text: str) -> Iterator[str]:
    """Every word of a claim that could be a path."""
    yield from WORD.findall(text)
    for line in text.split("\n"):
        yield from (parse_span(span) or "" for _, span in find_spans(line))


def is_named(name: str, text: str) -> bool:
    """Whether a text holds the whole name of a file that has blanks in it, by itself or at the end of a path."""
    at = text.find(name)
    while at >= 0:
        before, behind = text[at - 1 : at] if at else " ", text[at + len(name) : at + len(name) + 1]
        if not (before.isalnum() or before == "_" or behind.isalnum() or behind == "_"):
            return True
        at = text.find(name, at + 1)
    return False


def strip_roots(text: str, roots: Iterable[str]) -> str:
    """The text with paths below one of `roots` as they are called from there: a root may have blanks in it."""
    for root in roots:
        text = text.replace(root.rstrip("/") + "/", "") if " " in root else text
    return text


def find_named(paths: ProjectPaths, sections: Mapping[str, str], roots: Iterable[str]) -> tuple[str, ...]:
    """The files below the project's root that the sections name; `roots` are other places where it was seen.

    Named in full, from the root on, or by a bare name that the repository has few files of.
    """
    roots = (paths.root, *roots)
    texts = [strip_roots(text, roots) for title, text in sections.items() if title not in (FILES, NEXT_PROMPT)]
    words = dict.fromkeys(word.rstrip(".") for text in texts for word in find_words(text))
    found: dict[str, None] = {}
    bare = []
    for word in words:
        name = _find_there(paths, word, tuple(roots))
        if name:
            found[name] = None
        elif _BARE.fullmatch(word):
            bare.append(word)
    tracked = read_tracked_named(paths.root, bare[:MOST])
    for names in {} if isinstance(tracked, NoAnswer) else _group(tracked).values():
        if len(names) <= _NAMESAKES:
            found.update(dict.fromkeys(name for name in names if _find_there(paths, name, ())))
    blank = read_tracked_named(paths.root, ["* *"])
    for name in () if isinstance(blank, NoAnswer) else sorted(blank):
        if any(is_named(os.path.basename(name), text) for text in texts) and _find_there(paths, name, ()):
            found[name] = None
    return tuple(found)[:MOST]


def _find_there(paths: ProjectPaths, word: str, roots: tuple[str, ...]) -> str:
    inside = next((word[len(root) + 1 :] for root in roots if root and word.startswith(root.rstrip("/") + "/")), word)
    if not inside or len(inside) > 4096 or "\0" in inside:
        return ""
    name = find_inside(inside, paths.root, paths.root)
    own = os.path.relpath(paths.base, paths.root)
    # Our own files change with every handoff, and no claim is about them.
    if not name or name == ".git" or name.startswith((".git" + os.sep, own + os.sep)):
        return ""
    return name if os.path.isfile(os.path.join(paths.root, name)) else ""


def _group(names: Iterable[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name in sorted(names):
        groups.setdefault(os.path.basename(name), []).append(name)
    return groups
