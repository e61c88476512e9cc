"""Secrets that are told by the name they are given to.

In env files, YAML, JSON (also JSON inside JSON), TOML, code, XML, connection strings and on the command line.

The name is found first, by one literal search for each word; what follows must be an operator and a value. All looking
ahead and back is bounded, so a text of nothing but names costs a constant for each of them.
"""

import re
from collections.abc import Iterator
from functools import cache

from thruline.pattern import compile_later
from thruline.redact.judge import (
    ENOUGH,
    is_commit_id,
    is_identifier,
    is_path,
    is_placeholder,
    is_telling,
    is_unpronounceable,
    is_wordy,
    looks_like_password,
    looks_random,
)
from thruline.redact.rules import read_rules

_QUOTE = rb"\\{0,32}[\"'`]"
_ANNOTATED = rb":[ \t]{0,4}[a-z_][a-z0-9_.\[\]| ]{0,30}=(?=[ \t]{0,4}[bruf]{0,2}" + _QUOTE + rb")"
# `- name: DB_PASSWORD` and, on the next line or behind a comma, `value: …`: how lists of variables are written.
_PAIRED = rb"(?:[\s,]|\\{1,32}[nrt]){1,64}+(?:" + _QUOTE + rb")?value(?:" + _QUOTE + rb")?[ \t]{0,16}+:"
# `<add key="Password" value="…"/>`: how XML writes them.
_ATTRIBUTE = rb"(?P<attribute>(?:[\r\n]|\\{1,32}[nrt])?[ \t]{0,16}+value[ \t]{0,4}+=(?=[ \t]{0,4}" + _QUOTE + rb"))"
# `api_token: |` and the value on the next line: a block of YAML.
_BLOCK = rb"(?P<block>:[ \t]{1,4}+[|>][+-]?\d?[ \t]{0,4}+(?:\r?\n|\\{1,32}n)(?=[ \t]))"
# "the password is …": how people tell one to somebody who can read.
_SPOKEN = rb"(?P<spoken>(?:is|was|ist|est|es)(?:[ \t](?:now|set[ \t]to))?:?(?=[ \t]))"
_OPERATOR = b"|".join((_ANNOTATED, rb"=>|:=|={1,3}|!={1,2}", _BLOCK, rb":(?!:)", _PAIRED, _ATTRIBUTE, rb",|>", _SPOKEN))
_AFTER = (
    rb"(?P<tail>[a-z0-9_]{0,32}+)(?P<close>" + _QUOTE + rb"\]?|\]?)"
    rb"(?:[ \t]{0,16}+(?P<op>" + _OPERATOR + rb")[ \t]{0,16}+"
    rb"|(?P<flag>[ \t]{1,4}+(?!-)))"
)
# What is searched for literally, and the whole word it must be part of.
_NAMES = (
    (b"passw", rb"passw(?:or)?d", "password"),
    (b"passphrase", rb"passphrase", "password"),
    (b"pwd", rb"pwd", "password"),
    (b"pass", rb"pass(?![a-z])", "password"),
    (b"secret", rb"secret", "named-secret"),
    (b"token", rb"token(?!s)", "named-secret"),
    (b"key", rb"key(?:-data)?(?![sbw])", "named-secret"),
    (b"credential", rb"credential", "named-secret"),
    (b"auth", rb"auth(?![a-z_])", "named-secret"),
)


@cache
def _compile(core: bytes) -> re.Pattern[bytes]:
    # Compiled when its word is first met: most short texts hold none of them.
    return re.compile(core + _AFTER)


_FIRM_TAIL = compile_later(
    rb"_?\d{0,2}|_?(?:access)?_?key(?:_?base)?|_?(?:value|text|plain|raw|prod|production|dev|test|staging|live|main|new|old|base)"
)
_KEY_KIND = compile_later(
    rb"(?:api|access|secret|private|signing|encryption|account|auth|master|shared|client|service|license|deploy|app)[_-]?\Z",
)
_LINE_START = compile_later(rb"(?:\A|[\r\n]|\\[nr])(?:[ \t]|export |set |ENV |[+>] ?){0,20}[\"'\w.-]{0,40}\Z")
_ENV_LINE = compile_later(rb"(?:\A|[\r\n]|\\[nr])[ \t]{0,16}ENV[ \t]{1,4}[A-Z0-9_]{0,40}\Z")
_FIELD_START = compile_later(rb"(?:\A|[\r\n{,\"'`]|\\[nr])(?:[ \t]|- |[+>] ?){0,20}[\w.-]{0,40}\Z")
_FIELD_END = compile_later(rb"[ \t]{0,4}(?:\Z|[\r\n,}\"'`]|\\+[rn]|#)")
_OPEN = compile_later(rb"[bBrRuUfF]{0,2}(\\{0,32})([\"'`])")
_BARE = compile_later(rb"[^\s\"'`\\<>]{1,4096}+")
# `token=token=…`: the inner name is asked for itself, and a text of nothing else stays cheap.
_NESTED = compile_later(rb"[a-z_-]{0,12}(?:passw(?:or)?d|pass|pwd|token|secret|key|auth)[=:]", re.IGNORECASE)
# An ampersand ends a value where another one of an address or a command follows it; else it is part of the password.
_STOP = compile_later(rb"[,;|)]|&(?=[\w.%\[\]-]{1,64}=|&|\Z|\s)")
_LINE_END = compile_later(rb"[ \t]{0,4}(?:\Z|[\r\n]|\\+[rn]|#)")
_LONGEST = 4096
_MIXED = compile_later(rb"(?=[^0-9]{0,64}+[0-9])(?=[^a-z]{0,64}+[a-z]).{6}", re.IGNORECASE | re.DOTALL)
_NAME_OF_CODE = compile_later(rb"\.[a-z]{1,5}\d?\Z|/|::|->")


def find_named(data: bytes, lowered: bytes, entropy: bool = True) -> Iterator[tuple[int, int, str]]:
    """Start, end and rule of every value in `data` that its name makes a secret.

    Without `entropy`, names whose value must look random are left out: only passwords are told by the name alone.
    """
    for word, core, rule in _NAMES:
        if word not in lowered or (not entropy and rule != "password"):
            continue
        after = 0
        for match in _compile(core).finditer(lowered):
            if match.start() < after:
                continue
            if match["tail"] in read_rules().innocent.tails:
                continue
            if word == b"key" and not _is_key_name(data, lowered, match):
                continue
            if word == b"pass" and not _is_pass_name(data, match):
                continue
            if match["flag"] is not None and not _is_flag(data, match.start()) and not _is_env_line(data, match):
                continue
            if match["attribute"] is not None and match["close"] == b"":
                continue
            found = _read_secret(data, match, rule)
            if found is not None:
                yield (*found, rule)
                after = found[1]


def _is_key_name(data: bytes, lowered: bytes, match: re.Match[bytes]) -> bool:
    # `key` alone is a dictionary's word; it takes a kind (api_key), or an env name (STRIPE_KEY=) to mean a secret.
    start = match.start()
    if _KEY_KIND.search(lowered[max(0, start - 12) : start]):
        return True
    return data[start - 1 : start + 3] == b"_KEY" and match["op"] == b"=" and b"PUBLIC" not in data[start - 12 : start]


def _is_pass_name(data: bytes, match: re.Match[bytes]) -> bool:
    # `--- PASS: TestLogin` is what test runners print; DB_PASS=, "pass": and pass= are names.
    before = data[max(0, match.start() - 1) : match.start()]
    if before.isalnum():
        return False
    return (before in (b"_", b"-") and match["op"] is not None) or (
        b" " not in match[0] and match["op"] in (b"=", b":") and (match["op"] == b"=" or match["close"] != b"")
    )


def _is_flag(data: bytes, start: int) -> bool:
    before = data[max(0, start - 32) : start]
    dashes = before.rfind(b"--")
    return dashes >= 0 and all(c in b"abcdefghijklmnopqrstuvwxyz0123456789-_" for c in before[dashes + 2 :].lower())


def _is_env_line(data: bytes, match: re.Match[bytes]) -> bool:
    # `ENV API_SECRET …` of a Dockerfile: a name and its value with nothing between.
    start = match.start()
    return match["flag"] is not None and _ENV_LINE.search(data[max(0, start - 64) : start]) is not None


def _read_secret(data: bytes, match: re.Match[bytes], rule: str) -> tuple[int, int] | None:
    op = match["op"] or b""
    at = match.end()
    opened = _OPEN.match(data, at)
    if opened is not None:
        start = opened.end()
        end = _find_close(data, start, len(opened[1]), opened[2])
        value = data[start : min(end, start + ENOUGH)].decode(errors="replace")
        return (start, end) if _is_quoted_secret(value, match, rule, op) else None
    if op == b"," or op.startswith(b"!"):
        return None
    if match["spoken"] is not None and not _is_spoken_secret(data, at):
        return None
    if _NESTED.match(data, at):
        return None
    end = _find_bare_end(data, at)
    if op == b">" and data[end : end + 2] != b"</":
        return None
    strict = _is_env_name(data, match) and (op == b"=" or _is_env_line(data, match))
    start, end = _trim(data, at, end, strict)
    if any(data.find(mark, start, end) >= 0 for mark in (b"(", b"[", b"{", b"://")):
        return None
    value = data[start : min(end, start + ENOUGH)].decode(errors="replace")
    if is_commit_id(value) and not _is_assignment(data, match, rule, end):
        return None
    return (start, end) if _is_bare_secret(data, value, match, rule, end, strict) else None


def _find_close(data: bytes, start: int, depth: int, quote: bytes) -> int:
    """Where the quoted value ends: at the first quote that is escaped no deeper than the one that opened it."""
    line = data.find(b"\n", start, start + _LONGEST)
    stop = line if line >= 0 else min(len(data), start + _LONGEST)
    at = data.find(quote, start, stop)
    while at >= 0:
        slashes = 0
        while at - slashes > start and data[at - slashes - 1] == 0x5C and slashes <= 64:
            slashes += 1
        if slashes <= depth:
            return at - slashes
        at = data.find(quote, at + 1, stop)
    return _find_bare_end(data, start)


def _find_bare_end(data: bytes, start: int) -> int:
    at = start
    for _ in range(4):
        run = _BARE.match(data, at)
        if run is None:
            return at
        at = run.end()
        # A backslash is an escape of the text around (JSON) or a character of the value.
        if data[at : at + 1] != b"\\" or data[at + 1 : at + 2] in b"nrtbfu\"'`\\/":
            return at
        at += 1
    return at


def _trim(data: bytes, start: int, end: int, strict: bool) -> tuple[int, int]:
    if not strict:
        stop = _STOP.search(data, start, end)
        end = stop.start() if stop else end
    while end > start and data[end - 1] in b",;)]}.:":
        end -= 1
    return start, end


def _is_env_name(data: bytes, match: re.Match[bytes]) -> bool:
    start = match.start()
    return data[start : start + 4].isupper() and not data[start - 1 : start].islower()


def _is_quoted_secret(value: str, match: re.Match[bytes], rule: str, op: bytes) -> bool:
    firm = _FIRM_TAIL.fullmatch(match["tail"]) is not None
    if rule == "password" and firm and op != b",":
        return looks_like_password(value)
    if firm and op != b"," and is_unpronounceable(value):
        return True
    return looks_random(value, 10 if firm else 16)


def _is_bare_secret(data: bytes, value: str, match: re.Match[bytes], rule: str, end: int, strict: bool) -> bool:
    if is_placeholder(value) or is_path(value):
        return False
    firm = _FIRM_TAIL.fullmatch(match["tail"]) is not None
    if is_wordy(value) and not any(c.isdigit() for c in value):
        # Letters only: a secret in an env file or on a YAML line of its own, a variable anywhere else.
        if not firm or len(value) < 8 or is_telling(value):
            return False
        return (strict and data[end : end + 1] not in (b",", b")")) or (
            rule == "password" and _is_whole_line(data, match, end)
        )
    if rule == "password" and firm:
        return len(value) >= 6 and looks_like_password(value) and (strict or not _is_code(match, value))
    if is_identifier(value) and not strict and match["op"] != b":" and b" " in match[0]:
        return looks_random(value, 24)
    return looks_random(value, 10 if strict and firm else 16)


def _is_spoken_secret(data: bytes, at: int) -> bool:
    # "the password is required", "the token is in auth2.py": words of the sentence; "Tr0ub4dor&3" is none.
    value = data[at : _trim(data, at, _find_bare_end(data, at), False)[1]]
    return _MIXED.match(value) is not None and _NAME_OF_CODE.search(value) is None


def _is_code(match: re.Match[bytes], value: str) -> bool:
    # `password = user2` and `password=user.pw2` are code; `password=hunter2` and `passwd: hunter2` are not.
    if not is_identifier(value):
        return False
    return "." in value or "_" in value or (match["op"] == b"=" and b" " in match[0])


def _is_assignment(data: bytes, match: re.Match[bytes], rule: str, end: int) -> bool:
    """Whether the name is given a value, and not a sentence's last word before it names a commit.

    `fix secret: 1f0c…` is how people write about commits; `x-api-key: 1f0c…` on a line of its own is how keys are kept.
    """
    if match["op"] != b":" or b" " not in match[0]:
        return True
    start = match.start()
    compound = data[start - 1 : start].isalnum() or data[start - 1 : start] in (b"-", b"_") or match["tail"] != b""
    if rule != "password" and not compound:
        return False
    return _FIELD_START.search(data[max(0, start - 64) : start]) is not None and _FIELD_END.match(data, end) is not None


def _is_whole_line(data: bytes, match: re.Match[bytes], end: int) -> bool:
    start = match.start()
    if _LINE_END.match(data, end) is None or not _LINE_START.search(data[max(0, start - 64) : start]):
        return False
    return match["op"] == b":" or match["block"] is not None or b" " not in match[0]
