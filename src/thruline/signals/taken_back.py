"""Whether a message takes back what was said before it.

Errs on the side of keeping: a true correction called withdrawn misleads, one taken back is only told as said. So it
must begin with an explicit retraction, and speak of the same thing or of nothing else.
"""

from thruline.session import parts
from thruline.signals.cues import ENDS, load_refusing, split_words
from thruline.signals.features.text import Text

# Says nothing but that, by so many words or letters.
BARE_WORDS, BARE_LETTERS = 6, 12
# By its first words, and so many before them.
EARLY, MOST_FILLERS = 8, 4
# A longer message says something else.
MOST_WORDS, MOST_OWNING = 60, 20
_TAKING = ("back", "after", "owning", "stood")


def takes_back(own: Text) -> bool:
    """Whether a message begins with taking something back, or with a word or two of no meaning before that.

    A "no" has one: "no, forget that" takes back what the agent said. So has "I": "I forget that" takes back nothing.
    """
    if len(own.plain) > MOST_WORDS:
        return False
    if own.find("withdraw").get("back", 99) <= EARLY or owns_up(own):
        return True
    words = own.words
    fillers = own.language.words("fillers") - own.language.words("refusals") - own.language.words("persons")
    at = next((at for at, word in enumerate(words) if word not in fillers and word not in ENDS), 0)
    return 0 < at <= MOST_FILLERS and own.language.find("withdraw", words[at:], own.text).get("back", 99) <= EARLY


def owns_up(own: Text) -> bool:
    """Whether a message begins with its writer's own mistake and says what was right: "my mistake, floats were right".

    An apology alone takes nothing back: "my mistake, I meant two spaces" corrects its writer.
    """
    if len(own.plain) > MOST_OWNING:
        return False
    found = own.find("withdraw")
    return found.get("owning", 99) <= EARLY and found.get("stood", -1) > found["owning"]


def is_bare(said: parts.Said, own: Text) -> bool:
    """Whether a message that takes something back says nothing else."""
    if not own.language.spaced:
        return len(said.text.strip()) <= BARE_LETTERS
    language = own.language
    if not language.words("stop"):
        return len(own.plain) <= BARE_WORDS  # a language whose small words we do not know
    hollow = language.words("stop") | language.words("fillers") | _find_taking(own)
    hollow |= {word for phrase in load_refusing(language.name)["before"] for word in phrase.split()}
    return hollow.issuperset(own.plain)


def find_topics(own: Text, text: str = "") -> frozenset[str]:
    """The words by which a text, or the message itself, tells what it speaks of."""
    words = split_words(text) if text else own.plain
    stop = own.language.words("stop")
    taking = _find_taking(own)
    return frozenset([word for word in words if len(word) > 3 and word not in stop and word not in taking])


def _find_taking(own: Text) -> frozenset[str]:
    phrases = own.language.phrases["withdraw"]
    listed = [phrase for work in _TAKING for phrase in phrases.get(work, ())]
    return frozenset([word for phrase in listed for word in phrase.strip("^").split()])
