"""Names of a session in a claim's words: paths, branches, ids, commands.

A name is transcript text, yet short and needed in a sentence of ours. It stands in a code span, which nothing can
leave, and it is made so that no sentence with blanks can stand in it: those of a path are encoded as in a pointer, and
of a command at most six plain words in a row are shown. One that reads like an instruction all the same is withheld,
and the claim's pointer tells where it stands. Words that say something (a commit's subject, an error) are no names:
they are quoted.
"""

import re
from functools import lru_cache

from thruline.brief.inert import ODD, render_span
from thruline.brief.injection import find_in_name
from thruline.brief.quote import CUT
from thruline.pattern import compile_later
from thruline.redact import redact

WITHHELD = "(a name that reads like an instruction, withheld)"
LONGEST = 160
_NO_NAME = "(no name)"
_BLANK = compile_later(r"[\s`\"<>|]")
_UNTYPED = compile_later(r"[\s`\"'<>|*\[\]\\]")  # also what else a pattern would take for more than itself
# What a command says in quotation marks, in a text fed to it, or behind a hash, is prose or code, not its name.
_QUOTED = compile_later(r"(\"|'|`+)((?:\\.|(?!\1).){0,4000})\1?")
_FED = compile_later(r"<<-?\s*\\?['\"]?\w+.*", re.DOTALL)
_COMMENT = compile_later(r"(?:\A|(?<=\s))#(?:\s|!|#).*", re.DOTALL)
# Words in a row without a path, an option or a number among them: no command needs so many of them behind its verb.
_PROSE = compile_later(r"[\"'`(\[]*(?:[^\W\d_]+(?:['’-][^\W\d_]+)*|…)[\"'`)\],.;:!?]*\Z")
_UNSPACED = compile_later("[\u2e80-\u9fff\uac00-\ud7af]{4}")
_VERB_WORDS, _MOST_PROSE = 3, 3
_MOST_WORDS = 5


# The same names are asked for once for every size that is tried.
@lru_cache(maxsize=4096)
def encode_name(text: str) -> str:
    """A path, a branch or an id as one word without blanks, secrets redacted; "" for one that must be withheld."""
    if find_in_name(text):
        return ""
    # Claims' words are escaped once more when they are rendered; what is encoded here has nothing left to escape.
    return _BLANK.sub(_percent, ODD.sub(_percent, redact(text).text))


def _percent(match: "re.Match[str]") -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "surrogatepass"))


def render_path(path: str, most: int = LONGEST) -> str:
    """A path, a branch or an id in a code span; a long one loses its beginning."""
    if not path.strip():
        return _NO_NAME
    word = encode_name(path)
    return render_span(CUT + word[1 - most :] if len(word) > most else word) if word else WITHHELD


def render_openable(path: str, most: int = LONGEST) -> str:
    """A path as its reader can open it, blanks and all; for prompts, where nobody decodes what is encoded.

    One with a part of more words than a file's name needs could be a sentence, and one with odd signs could not be
    typed: there those signs are `?` or `*`, so that a shell and every tool that finds files by a pattern finds it.
    """
    if len(path) > most or not path.strip() or redact(path).text != path or not encode_name(path):
        return render_path(path, most)
    plain = " ".join(path.split()) == path and not ODD.search(path)
    short = all(len(part.split(" ")) <= _MOST_WORDS for part in path.split("/"))
    return render_span(path if plain and short else ODD.sub(_match_any, _UNTYPED.sub(_match_any, path)))


def _match_any(match: "re.Match[str]") -> str:
    return "?" if match[0].isascii() else "*"  # several bytes, which to some shells are several signs


@lru_cache(maxsize=512)
def render_command(command: str, most: int = LONGEST) -> str:
    """A command in a code span: program, options and paths; `…` for prose in it."""
    if not command.strip():
        return _NO_NAME
    if find_in_name(" ".join(command.split())):
        return WITHHELD
    plain = redact(" ".join(_COMMENT.sub("", _FED.sub(f"<<{CUT}", command)).split())).text
    plain = " ".join(_drop_prose(_QUOTED.sub(_shorten_quoted, plain).split()))
    if len(plain) > most:
        plain = plain[: most - 1].rstrip() + CUT
    return render_span(plain) if plain else _NO_NAME


def _shorten_quoted(match: "re.Match[str]") -> str:
    said = match[2].split()
    return f"{match[1]}{CUT}{match[1]}" if len(said) > 1 or _is_unspaced(match[2]) else match[0]


def _drop_prose(words: list[str]) -> list[str]:
    kept, run = list(words[:_VERB_WORDS]), list[str]()
    for word in words[_VERB_WORDS:]:
        if _PROSE.match(word):
            run.append(word)
            continue
        kept += _end_run(run)
        kept.append(word)
        run = []
    kept += _end_run(run)
    return [CUT if _is_unspaced(word) or ODD.search(word) else word for word in kept]


def _is_unspaced(text: str) -> bool:
    return not text.isascii() and _UNSPACED.search(text) is not None


def _end_run(run: list[str]) -> list[str]:
    return [CUT] if len(run) > _MOST_PROSE else run
