"""What is wrong with a command, agent or skill file, ours or a user's own.

A client drops bad front matter without a word, falls back to another model without a word and offers a tool that does
not exist to nobody. So this reads such files the way a client's YAML does, and says the line.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

ALIASES = ("opus", "sonnet", "haiku", "inherit")
LARGEST = 20_000  # bytes: it is read into a context each time
LONGEST_DESCRIPTION = 1024
EXAMPLES = range(3, 6)

_KEY = re.compile(r"([A-Za-z_][\w-]*):(?:[ \t]+(.*?))?[ \t]*$")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*$")
_LINK = re.compile(r"\[[^\[\]\n]{0,400}\]\(([^()\s]{1,300})\)")
_FILE = re.compile(r"(?:^|[ \t(])@((?:\.{0,2}/)?[\w./-]+\.\w+)")
_CALL = re.compile(r"(?:`|^ {4}|^\$ )thruline ([a-z][a-z-]*)")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'')
_TOOL = re.compile(r"([A-Za-z_]\w*)(?:\(.*\))?$")
_SPLIT = re.compile(r",\s*(?![^()]*\))|\s+(?![^()]*\))")


@dataclass(frozen=True, slots=True)
class Rules:
    """What a file is held to. `models` and `tools` are names that the client knows; empty `tools` are not looked at.

    `ids` is the pattern of a model's full name, for which there is no list.
    `strict` is how our own files are judged: aliases only, declared arguments, examples, when not to use it.
    """

    models: tuple[str, ...] = ALIASES
    tools: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    strict: bool = False
    ids: str = ""


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that is wrong, and on which line."""

    line: int
    what: str
    fix: str


def check_text(text: str, path: str, kind: str, rules: Rules) -> list[Trouble]:
    """Everything that is wrong with the file `path` of that kind; an empty list is praise."""
    lines = text.removeprefix("\ufeff").splitlines()
    if not lines or lines[0].rstrip() != "---":
        if kind == "commands" and not rules.strict:
            return [*_check_size(text), *_check_references(lines, 0, path, rules)]
        return [Trouble(1, "It has no front matter.", 'begin with "---", key: value lines, "---"')]
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), 0)
    if not end:
        return [Trouble(1, "The front matter is not closed.", 'put "---" on a line of its own behind it')]
    values, found = _read_fields(lines[1:end])
    found += _check_fields(values, path, kind, rules)
    found += _check_size(text)
    found += _check_references(lines, end + 1, path, rules)
    if rules.strict:
        found += _check_manners(lines, end + 1, values, kind)
    return sorted(found, key=lambda each: each.line)


def _read_fields(lines: list[str]) -> tuple[dict[str, tuple[int, str]], list[Trouble]]:
    # Only what stands at the margin; a client's own keys may be nested, and that is its matter.
    values: dict[str, tuple[int, str]] = {}
    found: list[Trouble] = []
    last = ""
    for number, line in enumerate(lines, 2):
        item = line.strip()
        if item.startswith("- ") and last and line[:1] in " -":
            at, before = values[last]
            each = _unquote(item[1:].strip())
            values[last] = (at, f"{before}, {each}" if before else each)
            continue
        if not line.strip() or line[0] in " \t#":
            continue
        field = _KEY.match(line)
        if not field:
            found.append(Trouble(number, "This line is no key: value.", "write one key: value a line"))
            continue
        last, value = field[1], field[2] or ""
        if wrong := _find_wrong_scalar(value):
            found.append(Trouble(number, f"{last}: {wrong} All front matter is dropped.", f'{last}: "{_plain(value)}"'))
        if last in values:
            found.append(Trouble(number, f"{last} is given twice.", "keep one"))
        values[last] = (number, "" if value[:1] in "|>" else _unquote(value))
    return values, found


def _find_wrong_scalar(value: str) -> str:
    """Why a client's YAML parser would choke on `value`, or nothing."""
    if value[:1] in ("[", "{"):
        closing = "]" if value[0] == "[" else "}"
        bare = _QUOTED.sub("", value)
        if bare.find(closing) < len(bare) - 1:
            return f'a value that begins with "{value[0]}" is a list, and there is text behind its end.'
    elif value[:1] in ('"', "'"):
        body = value[1:].replace("\\\\", "").replace('\\"', "") if value[0] == '"' else value[1:].replace("''", "")
        rest = body.partition(value[0])[2]
        if value[0] not in body or (rest.strip() and not rest.strip().startswith("#")):
            return "the quotes do not close at its end."
    elif value[:1] in "@`%&*!" and value:
        return f'a value must not begin with "{value[0]}" unquoted.'
    elif ": " in value or value.endswith(":"):
        return "a value with a colon in it needs quotes."
    return ""


def _plain(value: str) -> str:
    return value.strip("\"'").replace('"', "'")


def _unquote(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def _check_fields(values: dict[str, tuple[int, str]], path: str, kind: str, rules: Rules) -> Iterator[Trouble]:
    line, description = values.get("description", (1, ""))
    if not description and "description" not in values:
        yield Trouble(1, "It has no description.", "say in one sentence what it does and when")
    if len(description) > LONGEST_DESCRIPTION:
        what = f"The description has {len(description)} characters; {LONGEST_DESCRIPTION} is the most clients take."
        yield Trouble(line, what, "shorten it")
    yield from _check_name(values, path, kind)
    if "model" in values:
        line, model = values["model"]
        if model not in rules.models and not (rules.ids and re.fullmatch(rules.ids, model)):
            fix = f"one of {', '.join(rules.models)}{', or the full name of one' if rules.ids else ''}"
            yield Trouble(line, f'No client knows the model "{model}"; it takes another without a word.', fix)
    for key in ("tools", "allowed-tools", "disallowed-tools", "disallowedTools"):
        yield from _check_tools(*values.get(key, (1, "")), rules)


def _check_name(values: dict[str, tuple[int, str]], path: str, kind: str) -> Iterator[Trouble]:
    line, name = values.get("name", (1, ""))
    if kind == "commands" and not name:
        return
    if not name:
        yield Trouble(1, "It has no name.", f"name: {_find_own_name(path)}")
    elif not _NAME.match(name):
        yield Trouble(line, f'"{name}" is no name.', "small letters, digits and single dashes between them")
    elif kind != "agents" and name != _find_own_name(path):
        yield Trouble(line, f'It is named "{name}" and lies in "{_find_own_name(path)}".', "make the two alike")


def _find_own_name(path: str) -> str:
    base = os.path.basename(path)
    return os.path.basename(os.path.dirname(os.path.abspath(path))) if base == "SKILL.md" else base.removesuffix(".md")


def _check_tools(line: int, value: str, rules: Rules) -> Iterator[Trouble]:
    for each in _SPLIT.split(value.strip("[]")) if rules.tools else ():
        tool = _TOOL.match(_unquote(each))
        if each and not (tool and (tool[1] in rules.tools or tool[1].startswith("mcp__"))):
            yield Trouble(line, f'There is no tool "{each}".', f"one of {', '.join(rules.tools)}")


def _check_size(text: str) -> Iterator[Trouble]:
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > LARGEST:
        yield Trouble(1, f"It has {size:,} bytes, and each call reads them all.", f"keep it below {LARGEST:,}")


def _check_references(lines: list[str], first: int, path: str, rules: Rules) -> Iterator[Trouble]:
    folder = os.path.dirname(os.path.abspath(path))
    fenced = False
    for number, line in enumerate(lines[first:], first + 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        for verb in _CALL.findall("    " + line.strip() if fenced else line):
            if rules.verbs and verb not in rules.verbs:
                yield Trouble(number, f'There is no command "thruline {verb}".', "thruline --help lists them")
        if fenced:
            continue
        bare = re.sub(r"`[^`]*`", "", line)
        for target in [*_LINK.findall(bare), *_FILE.findall(bare)]:
            name = target.partition("#")[0]
            if not name or re.match(r"[a-z]+:|\$|/|~", name):
                continue
            if not any(os.path.exists(os.path.join(place, name)) for place in (folder, os.curdir)):
                yield Trouble(number, f"It refers to {name}, which is not there.", "mend the reference or take it out")


def _check_manners(lines: list[str], first: int, values: dict[str, tuple[int, str]], kind: str) -> Iterator[Trouble]:
    body = lines[first:]
    titles = [line.removeprefix("## ").strip() for line in body if line.startswith("## ")]
    if kind == "commands" and "arguments" not in values:
        yield Trouble(1, "It declares no arguments.", "arguments: [] where it takes none")
    # An agent that stands for a prompt is spawned by a command of ours alone, which says when.
    if "When not to use it" not in titles and "prompt" not in values:
        yield Trouble(first, 'There is no "## When not to use it".', "say when something else serves better")
    if kind == "agents":
        return
    if "Examples" not in titles:
        yield Trouble(first, 'There is no "## Examples".', f"give {EXAMPLES[0]} to {EXAMPLES[-1]}")
        return
    start = body.index("## Examples") + 1
    end = next((at for at in range(start, len(body)) if body[at].startswith("## ")), len(body))
    count = sum(line.startswith("- ") for line in body[start:end])
    if count not in EXAMPLES:
        fix = f"give {EXAMPLES[0]} to {EXAMPLES[-1]}, each a line with a dash"
        yield Trouble(first + start, f"{count} examples.", fix)
