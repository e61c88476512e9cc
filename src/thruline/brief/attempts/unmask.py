"""A claim's words as a reader takes them in, whatever was done to hide them from a search.

Letters that look like others, letters with blanks between them, colours of a terminal, a direction turned round:
no honest sentence needs any of it, so what these hide is asked for as well.
"""

from collections.abc import Iterator

from thruline.pattern import compile_later

# Cyrillic and Greek letters in the shape of Latin ones; only in a word that has Latin letters too.
_LOOKS = str.maketrans(
    "аеорсухіјѕԁһӏвкмнтгпАЕОРСУХІЈЅВКМНТαεορτυχικνΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijsdhlbkmhtrnAEOPCYXIJSBKMHTaeoptuxiknABEZHIKMNOPTYX",
)
_WORD = compile_later(r"[^\W\d_]+")
_LATIN = compile_later(r"[A-Za-z]")
_COLOUR = compile_later("\x1b\\[[0-9;?]*[A-Za-z]")
_SPACED = compile_later(r"(?<![^\W_])[^\W\d_](?:[ .·_*-][^\W\d_]){3,}(?![^\W_])")
_SIGNS = compile_later(r"[ .·_*-]")
_TURNED = compile_later("[\u202d\u202e\u2066-\u2068]")


def find_readings(text: str) -> Iterator[str]:
    """The text as it may be read besides the way it is written; nothing for nearly all."""
    plain = _COLOUR.sub("", text)
    plain = _SPACED.sub(lambda match: _SIGNS.sub("", match[0]), plain)
    if not plain.isascii():
        plain = _WORD.sub(lambda match: match[0].translate(_LOOKS) if _LATIN.search(match[0]) else match[0], plain)
    if plain != text:
        yield plain
    if not text.isascii() and _TURNED.search(text):
        yield plain[::-1]
