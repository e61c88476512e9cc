"""Names in a model's own words, wherever they stand in a claim: commits, files, commands that are said to have run.

A pointer beside a claim proves that a place is there, not that the words are true of it. What the rules write has
forms of its own (`stated.py`); a model may say "I edited `prod.py`" or "committed as `deadbeef`" in any words. So each
name in a code span must be one that the session, git or the project knows, and what is said to have run must have run.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial

from thruline.brief.attempts.inert import blank_spans, find_spans, parse_span
from thruline.brief.claims.stated import KEPT, PUSHED, Fact
from thruline.brief.pointer import parse_pointer
from thruline.brief.quotation.quote import CUT
from thruline.errors import UsageError
from thruline.pattern import compile_later

NAMED_FILE, NAMED_COMMIT, NAMED_DIGITS = "named file", "named commit", "named digits"
SAID_RUN, SAID_WORKED, SAID_PUSHED = "said run", "said worked", "said pushed"
KINDS = frozenset((NAMED_FILE, NAMED_COMMIT, NAMED_DIGITS, SAID_RUN, SAID_WORKED, SAID_PUSHED))

# All of them digits is a number; a few letters alone may be a word.
_HEX = compile_later(r"(?!\d+\Z)[0-9a-f]{7,40}\Z")
_SHORT_HEX = compile_later(r"(?!\d+\Z)(?=[a-f]*\d|[a-f]{7})[0-9a-f]{4,40}\Z")
_OF_COMMITS = compile_later(r"\b(?:commit(?:s|ted)?|cherry-pick\w*|rebase[ds]?|merge commit|HEAD)\b", re.IGNORECASE)
_PATH = compile_later(r"(?:~/|\.{0,2}/)?[\w@+=-][\w@.+=-]*(?:/[\w@.+=-]+)*\Z|\.[a-z][\w.-]*(?:/[\w@.+=-]+)*\Z")
_ENDING = compile_later(r"\w\.[A-Za-z]\w{0,7}\Z")
# Without a folder before it `Exporter.run` is no file, and `exporter.py` is one.
_ENDING_NAMES = (
    r"bat|bin|c|cc|cfg|cjs|clj|cmake|conf|cpp|cs|css|csv|cxx|dart|db|ejs|env|erl|exs?|fish|gradle|go|graphql|h|hbs|"
    r"hpp|hs|html?|hrl|ini|ipynb|java|jl|jsx?|jsonl?|kts?|less|lock|log|lua|mdx?|[cm]js|mk|ml|mm|nix|php|pl|plist|png|"
    r"proto|ps1|pyi?|pyx|r|rb|rs|rst|sass|scala|scss|sh|sol|sql|sqlite|svelte|svg|swift|tex|tf|toml|tsx?|tsv|txt|vue|"
    r"wasm|xml|ya?ml|zig|zsh"
)
_ENDINGS = compile_later(rf"(?:{_ENDING_NAMES})\Z")
# What ends like a file and is none: libraries, and what a value holds.
_NO_FILE = compile_later(
    r"(?:[A-Z]\w*|node|next|nuxt|vue|react|three|chart|express|d3|p5|moment|discord|ember|backbone|alpine)\.js\Z"
    r"|(?:[A-Z]\w*|self|this|cls|console|process|math|np|torch|logger|log|app|ctx|context|state|props|window|document|"
    r"req|res|resp|request|response|result|session|client|obj|row|item|event|page|import\.meta|settings|conf|config|os)"
    r"(?:\.\w+)*\.(?:c|conf|db|env|go|h|html|ini|json|less|lock|log|r|sh|sql|svg|text|vue|xml)\Z"
    r"|(?:[\w-]+\.)+(?:com|dev|app|io|net|org)/|/[^/]*\Z"
)
# Of what stands in no code span: `Node.js` and `example.org` are no files.
_BARE = compile_later(rf"(?<![\w/.@:~-])[a-z_](?:[\w-]|[./](?=\w))*\.(?:{_ENDING_NAMES})\b(?![\w/(-]|\.\w)")
_PLACE = compile_later(r"(?::\d[\d:-]*|#L?\d[\dL-]*|::[\w:.\[\]-]+)\Z")
_COMMAND = compile_later(r"[a-z0-9./~$@-][\w./~$@+-]*(?: [^`]*)?\Z")
# What is called in code, a test, a name of several words: no program.
_NO_PROGRAM = compile_later(r"test_|\w+\.\w+\Z|\w*_\w*\Z")
# What a span begins with that has more words and is a command, whether or not this session ran any of the kind.
_PROGRAMS = frozenset(
    (  # noqa: SIM905 - a list of words is read more easily
        "git make npm npx pnpm yarn bun deno pytest python python2 python3 pip pip3 pipx uv uvx poetry hatch tox nox "
        "ruff mypy cargo rustc gradle gradlew mvn mvnw docker docker-compose kubectl helm terraform ansible-playbook "
        "gh bundle rake rspec rails composer phpunit mix dotnet cmake ctest ninja bazel just task jest vitest eslint "
        "tsc alembic flyway ssh scp rsync curl wget bash sh zsh rm"
    ).split()
)
# Of what a session ran: shells have them, and so has the talk of code.
_BUILTINS = frozenset(
    "cd echo export set test time true false source exit return local read if for while do then [".split()  # noqa: SIM905
)
_VERSION = compile_later(r"\S+ v?\d+(?:\.\d+)*\+?(?: |\Z)")
# A verb in front of the span, or one behind it, says that it ran; what is wanted, planned or denied did not.
_BEFORE = compile_later(
    r"\b(?:re-?ran|ran|executed|launched|invoked|typed|(?:deploy|releas|publish|install|migrat|verifi|tested|"
    r"built|check)(?:ed|d)?(?: \w+){0,3} (?:with|by|using|via)|pass(?:es|ed)? (?:with|under))"
    r"(?: (?:a|an|the|its|once|again|then|also|successfully)\b|"
    r" command\b| tests?\b| script\b| with\b| and worked:?| it as)*:? *\Z",
    re.IGNORECASE,
)
_THEN = r",? *(?:(?:then|now|also|all|again|still|finally) )?"
_RUN = (
    r"(?:was|were|has been|had been|got) (?:\w+ly )?(?:re-?run|run|executed|invoked|used to (?:deploy|release|publish))"
)
_AFTER = compile_later(
    rf"{_THEN}(?:{_RUN}|(?:ran|worked|passed|passes|succeeded|completed|finished|failed|returned|printed|reported|"
    r"exited)\b)",
    re.IGNORECASE,
)
# Behind a single word: what returns, fails or is finished may be anything.
_AFTER_ONE = compile_later(rf"{_THEN}(?:{_RUN}|(?:ran|worked|passed|passes|succeeded)\b)", re.IGNORECASE)
_WORKED = compile_later(
    r"\b(?:worked|passed|passes|succeeded|successful(?:ly)?|green|fine|without (?:errors?|a failure)|exit(?:ed)? 0)\b",
    re.IGNORECASE,
)
_FAILED = compile_later(
    r"\b(?:fail\w*|errors?|broke\w*|not|never|until|before|once|exit(?:ed)? [1-9])\b|n['’]t\b", re.IGNORECASE
)
_DENIED = compile_later(
    r"\b(?:not|never|nobody|nothing|without|un(?:run|tested|pushed)|neither|nor|to be|be|if|should|would|could|must|"
    r"needs?|planned|wants?|wanted|asked|unless|whether|refused|denied|blocked|rejected|stopped|said|before|until|"
    r"proposed|suggested|offered|announced|when|whenever|once)\b|n['’]t\b",
    re.IGNORECASE,
)
# What others than the session did stands in no transcript of its own.
_OTHERS = compile_later(
    r"\b(?:users?|ci|pipelines?|workflows?|hooks?|cron\w*|github|gitlab|dockerfile|reviewers?|colleagues?|maintainers?)\b"
    r"(?:['’]s)?(?: \w+){0,4} *\Z",
    re.IGNORECASE,
)
_REMOTE = (
    r"`?(?:origin/)?(?:main|master|origin|upstream|the remote|github|gitlab|trunk)`?"
    r"(?= *(?:\Z|[.,;:!?()\[]|(?:at|in|after|before|and|by|with|as|on|while|but|too|again|twice|already|branch)\b))"
)
_PUSHED = compile_later(
    r"\bcommits?(?: `[^`]*`)? (?:was|were|is|are|ha(?:s|ve) been|got)(?: \w+){0,2} (?:force-)?pushed\b"
    r"|\bbranch(?: `[^`]*`)? (?:was|is|has been|got)(?: \w+){0,2} (?:force-)?pushed\b(?! back)"
    rf"|\b(?<!is )(?<!are )(?<!get )(?<!gets )(?:force-)?pushed (?:[\w-]+ ){{0,3}}?(?:to|onto) {_REMOTE}"
    r"|\b(?:force-)?pushed (?:the|all|its|both) (?:branch(?:es)?|commits?)\b|\bgit pushed\b|\bforce-pushed\b",
    re.IGNORECASE,
)
_BY_US = compile_later(r"\(added by the engine \S+\) ")
_SENTENCE = compile_later(r"[.;!?](?:\s|\Z)")
# What tells of a name stands beside it.
_BESIDE = 300


def find_mentioned(words: str, known: Iterable[Fact] = ()) -> Iterator[Fact]:
    """What a claim's words name or say as done, but for the names that `known` tells of already."""
    added = _BY_US.search(words)
    known = list(known)
    told = {fact.span for fact in known if fact.span}
    start = added.end() if added else 0
    blank = blank_spans(words)
    ends = [match.end() for match in _SENTENCE.finditer(blank)]
    of_commits = cache(lambda number: _OF_COMMITS.search(blank, *_find_sentence(ends, number, len(words))) is not None)
    for at, span in find_spans(words):
        text = parse_span(span) or ""
        if at < start or span in told or _is_pointer(text):
            continue
        number = bisect_right(ends, at)
        first, last = _find_sentence(ends, number, len(words))
        behind = at + len(span)
        kind, name = _judge_name(text, partial(of_commits, number))
        if kind:
            yield Fact(kind, name, span, listed=False)
        elif _COMMAND.match(text):
            after = words[behind : min(last, behind + _BESIDE)]
            if _says_run(text, words[max(first, start, at - _BESIDE) : at], after):
                worked = _WORKED.search(after.split("`")[0]) and not _FAILED.search(after.split("`")[0])
                yield Fact(SAID_WORKED if worked else SAID_RUN, text, span, listed=False)
    for match in _BARE.finditer(blank, start):
        if not _NO_FILE.match(match[0]):
            yield Fact(NAMED_FILE, match[0], listed=False)
    if not any(not fact.span and fact.kind in (PUSHED, KEPT) for fact in known) and _says_pushed(words, ends, start):
        yield Fact(SAID_PUSHED, "", listed=False)


def _find_sentence(ends: list[int], number: int, whole: int) -> tuple[int, int]:
    return ends[number - 1] if number else 0, ends[number] if number < len(ends) else whole


def _says_pushed(words: str, ends: list[int], start: int) -> bool:
    for push in _PUSHED.finditer(words, start):
        first, _ = _find_sentence(ends, bisect_right(ends, push.start()), len(words))
        before = words[max(first, start, push.start() - _BESIDE) : push.start()]
        if not _DENIED.search(before + push[0]) and not _OTHERS.search(before):
            return True
    return False


def _is_pointer(text: str) -> bool:
    try:
        parse_pointer(text)
    except UsageError:
        return False
    return True


def _judge_name(text: str, is_of_commits: Callable[[], bool]) -> tuple[str, str]:
    if _HEX.match(text) or _SHORT_HEX.match(text):
        of_commits = is_of_commits()
        if of_commits or _HEX.match(text):
            return (NAMED_COMMIT if of_commits else NAMED_DIGITS), text
    path = _PLACE.sub("", text)
    if CUT in path or "[redacted:" in path or not _PATH.match(path) or _NO_FILE.match(path):
        return "", ""
    # What has no ending may be a branch, an address of a service or a rule's name.
    if not _ENDING.search(path):
        return "", ""
    folders = path.strip("/").count("/") or path[0] in "/~."
    return (NAMED_FILE, path) if folders or _ENDINGS.match(path.rpartition(".")[2].lower()) else ("", "")


def _says_run(text: str, before: str, after: str) -> bool:
    one = " " not in text
    if (one and _NO_PROGRAM.match(text)) or _VERSION.match(text):
        return False
    said = _BEFORE.search(before)
    if said is None and not (_AFTER_ONE if one else _AFTER).match(after):
        return False
    return not _DENIED.search(before) and not _OTHERS.search(before[: said.start()] if said else before)


def is_command(text: str, ran: bool) -> bool:
    """Whether a span that is said to have run is a command: of a program that the session `ran`, or a known one."""
    program, *more = text.split()
    return (ran and program not in _BUILTINS) or (bool(more) and program.rpartition("/")[2] in _PROGRAMS)
