"""Names of a session in a claim's words, and wherever else one of ours stands outside a quotation.

Paths, branches, ids, tools, commands, times: a name is transcript text, yet short and needed in a sentence of ours.
Here it is decided what one may be. It stands in a code span, which nothing can leave, and it is made so that no
sentence can be read in it: blanks are encoded as in a pointer, a part of more than two words (`prose`) is written in
numbers altogether, and a command is shown as far as it looks like one. A name that reads like an instruction all the
same, or speaks to its reader, is withheld, and the claim's pointer tells where it stands. Words that say something (a
commit's subject, an error) are no names: they are quoted.
"""

import re
from functools import lru_cache

from thruline.brief.attempts.inert import ODD, render_span
from thruline.brief.attempts.injection import find_address, find_in_name, find_sentence
from thruline.brief.attempts.prose import count_unspaced, is_prose, percent, percent_prose, split_parts
from thruline.brief.quotation.quote import CUT
from thruline.pattern import compile_later
from thruline.redact import redact
from thruline.signals.cues import load_function_words

WITHHELD = "(a name that reads like an instruction, withheld)"
LONGEST = 160
NO_NAME = "(no name)"
_NO_TIME = "at a time that is not told"
_TIME = compile_later(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.,]{4,15}(?:Z|[+-][0-9:]{2,5})?)?\Z")
_BLANK = compile_later(r"[\s`\"<>|]")
_UNTYPED = compile_later(r"[\s`\"'<>|*\[\]\\]")  # also what else a pattern would take for more than itself
_LETTER = compile_later(r"\w")
_TOOL = compile_later(r"[\w.:/@+-]{1,120}\Z")
# What a command says in quotation marks, in a text fed to it, or behind a hash, is prose or code, not its name.
_QUOTED = compile_later(r"(\"|'|`+)((?:\\.|(?!\1).){0,4000})\1?")
_FED = compile_later(r"<<-?\s*\\?['\"]?\w+.*", re.DOTALL)
_COMMENT = compile_later(r"(?:\A|(?<=\s))#(?:\s|!|#).*", re.DOTALL)
# A word without a sign, an option's dash or a number in it: a program, its verb, and of its arguments a few.
_PLAIN = compile_later(r"[^\w/.~$=-]*[^\W\d_]+(?:['’-][^\W\d_]+)*[^\w/=]*\Z|…\Z")
_MARKUP = compile_later(r"`|</?\w|\]\(|\]:|!\[")
_LONGEST_ENDING = 5
_EDGES = compile_later(r"\A\W+|\W+\Z")
# Behind a word that ends so another command begins.
_ENDS = (";", "&", "|")
# So many plain words in a row a command has: a program and three behind it (`git push origin main`), or three.
_MOST_PLAIN = 3
_MOST_UNSPACED = 4
# Small words that programs have as verbs.
_VERBS = frozenset(("do", "get", "go", "look", "make", "new", "off", "on", "see", "up", "use", "which", "who"))


# The same names are asked for once for every size that is tried.
@lru_cache(maxsize=4096)
def encode_name(text: str) -> str:
    """A path, a branch or an id as one word without blanks, secrets redacted; "" for one that must be withheld."""
    if reads_like_order(text):
        return ""
    # Claims' words are escaped once more when they are rendered; what is encoded here has nothing left to escape.
    return "".join(
        percent_prose(part) if is_prose(part) else _BLANK.sub(_percent, ODD.sub(_percent, part))
        for part in split_parts(redact(text).text)
    )


def is_tellable(name: str) -> bool:
    """Whether a name may stand where nothing is encoded, such as front matter: blanks apart, it is its own encoding."""
    return encode_name(name).replace("%20", " ") == name and not _MARKUP.search(name)


def reads_like_order(name: str) -> bool:
    """Whether a name would be taken for words to its reader."""
    return bool(find_in_name(name) or find_address(name) or find_sentence(name))


def _percent(match: "re.Match[str]") -> str:
    return percent(match[0])


def render_path(path: str, most: int = LONGEST) -> str:
    """A path, a branch or an id in a code span; a long one loses its beginning."""
    if not path.strip():
        return NO_NAME
    word = encode_name(path)
    return render_span(CUT + word[1 - most :] if len(word) > most else word) if word else WITHHELD


def render_openable(path: str, most: int = LONGEST) -> str:
    """A path as its reader can open it, blanks and all; for prompts, where nobody decodes what is encoded.

    A part that reads as a sentence, and signs that could not be typed, are `?` or `*`, so that a shell and every tool
    that finds files by a pattern finds it.
    """
    if len(path) > most or not path.strip() or redact(path).text != path or not encode_name(path):
        return render_path(path, most)
    parts = split_parts(path)
    if " ".join(path.split()) == path and not ODD.search(path) and not any(map(is_prose, parts)):
        return render_span(path)
    return render_span("".join(_match_prose(part) if is_prose(part) else _match_signs(part) for part in parts))


def _match_signs(part: str) -> str:
    return ODD.sub(_match_any, _UNTYPED.sub(_match_any, part))


def _match_prose(part: str) -> str:
    # Its first letter, its length and its ending are enough to find it by, and do not read.
    stem, dot, ending = part.rpartition(".")
    stem, ending = (stem, dot + ending) if stem and len(ending) <= _LONGEST_ENDING else (part, "")
    return _match_signs(stem[:1]) + _LETTER.sub(_match_any, _match_signs(stem[1:])) + _match_signs(ending)


def _match_any(match: "re.Match[str]") -> str:
    return "?" if match[0].isascii() else "*"  # several bytes, which to some shells are several signs


@lru_cache(maxsize=512)
def render_command(command: str, most: int = LONGEST) -> str:
    """A command in a code span: program, options and paths; `…` for prose in it."""
    if not command.strip():
        return NO_NAME
    plain = _shorten_command(command)
    if find_in_name(" ".join(command.split())) or find_address(plain) or _names_order(plain):
        return WITHHELD
    return render_span(_cut_end(plain, most)) if plain else NO_NAME


def is_command(command: str) -> bool:
    """Whether a command has no prose in it, in quotation marks either: then it may stand as it is."""
    if _MARKUP.search(command) or any(is_prose(quoted[2]) for quoted in _QUOTED.finditer(command)):
        return False
    plain = _QUOTED.sub(_shorten_quoted, redact(" ".join(command.split())).text).split()
    if _drop_prose(plain) != plain or find_in_name(command):
        return False
    return not find_address(" ".join(plain)) and not _names_order(" ".join(plain))


def _names_order(command: str) -> bool:
    """Whether a file or a target in a command is a sentence to its reader; options are words of the program's."""
    return any(find_sentence(word) for word in command.split() if not word.startswith("-"))


@lru_cache(maxsize=512)
def render_call(call: str, most: int = LONGEST) -> str:
    """A tool and what it was called with, in a code span."""
    tool, _, target = call.strip().partition(" ")
    if not tool:
        return NO_NAME
    shown = f"{tool} {_shorten_command(target)}".strip()
    if not _TOOL.match(tool) or find_in_name(" ".join(call.split())) or find_address(shown) or _names_order(shown):
        return WITHHELD
    return render_span(_cut_end(shown, most))


def render_time(text: str) -> str:
    """A time as a session tells it; nothing else passes for one."""
    return text if _TIME.match(text) else _NO_TIME


def _cut_end(text: str, most: int) -> str:
    return text[: most - 1].rstrip() + CUT if len(text) > most else text


def _shorten_command(command: str) -> str:
    plain = redact(" ".join(_COMMENT.sub("", _FED.sub(f"<<{CUT}", command)).split())).text
    return " ".join(_drop_prose(_QUOTED.sub(_shorten_quoted, plain).split()))


def _shorten_quoted(match: "re.Match[str]") -> str:
    said = match[2].split()
    return f"{match[1]}{CUT}{match[1]}" if len(said) > 1 or _is_unspaced(match[2]) else match[0]


def _drop_prose(words: list[str]) -> list[str]:
    wordy = sum(map(_is_small, words)) > 1
    kept, run, first = list[str](), list[str](), True
    for word in words:
        plain = _PLAIN.match(word) is not None
        if plain:
            run.append(word)
        if plain and not word.endswith(_ENDS):
            continue
        kept += _end_run(run, first, wordy)
        kept += [] if plain else [word]
        # An assignment may stand before a program.
        first = word.endswith(_ENDS) or (first and not run and "=" in word)
        run = []
    kept += _end_run(run, first, wordy)
    return [CUT if _is_unspaced(word) or is_prose(word) or ODD.search(word) else word for word in kept]


def _is_small(word: str) -> bool:
    bare = _EDGES.sub("", word).lower()
    return len(bare) > 1 and bare not in _VERBS and bare in load_function_words() and _PLAIN.match(word) is not None


def _is_unspaced(text: str) -> bool:
    return count_unspaced(text) >= _MOST_UNSPACED


def _end_run(run: list[str], first: bool, wordy: bool) -> list[str]:
    """Plain words in a row as far as a command needs them; `first` ones begin with a program.

    Small words belong to sentences; two in a command make it `wordy`, and then none of them is shown.
    """
    if len(run) < _MOST_PLAIN and not wordy:
        return run
    small = list(map(_is_small, run))
    if not first:
        return [CUT] if any(small) or len(run) > _MOST_PLAIN else run
    most = min([at for at, one in enumerate(small) if one] + [_MOST_PLAIN + 1])
    return run if len(run) <= most else [*run[:most], CUT]
