"""A piece of a message that may be quoted, where it would stand, and how sure the miner must be of that."""

from thruline.engines.rules.material import Message
from thruline.value import dataclass

# Topics: the sub-headings of the sections.
OVERRULED = "Overruled by the user"
QUESTIONED = "Questioned or redirected by the user"
DISPROVED = "Disproved by evidence"
RULES = "Constraints, in the user's words"
ASKED = "Asked and decided"
CONTEXT = "Context"
LATER = "Left for later by the user"
BEFORE = "What came before, in the client's summary"

# How sure the miner must be before a message is called what it says.
SURE, LIKELY = 0.5, 0.4
# Below that it may be a correction all the same: it stands among the dead ends, under a name that says so.
PERHAPS = 0.36
# Fewer terms than this, and no name among them: the sentence says nothing to somebody who was not there.
FEW_TERMS = 4
# A sentence of the agent's that is longer is a list or a log.
LONGEST_UNIT = 420
# How much less the agent's oldest words count than the newest.
FADE = 0.85


@dataclass(slots=True)
class Candidate:
    """A piece of a message that may be quoted. `base` is its worth alone, `quality` multiplies what its terms add."""

    message: Message
    start: int
    end: int
    section: str
    topic: str
    base: float
    quality: float
    terms: dict[str, bool]
    keep: bool = False
    # Stands beside what must be kept, and says what that is about.
    beside: bool = False
    # Said on the way, and says neither cause nor result: fit only where the session has little else.
    passing: bool = False
    order: int = 0
    size: int = 0
    # A proposal that was answered, a guess, a finding about a file that was changed since: not where a session landed.
    superseded: bool = False
    # Later words or deeds took its place: it is not told, nor any passage that it stands in.
    gone: bool = False
    # An item of a list.
    item: bool = False
    # One of the ways that the user was asked about, and answered.
    asked: bool = False
    # How a report begins.
    opens: bool = False
    # What its message is about: no other piece of the message stands without it.
    root: bool = False
    # Said while at work in a turn that ended with a report, and for no other reason superseded.
    midway: bool = False
    # Says what lay at the root of it.
    rooted: bool = False
    # The line above a list, where the item says little without it.
    lead: tuple[int, int] | None = None
    # The same, where it tells what was done: it goes with any item where there is room.
    stated: tuple[int, int] | None = None
    # What its words do, of the classes that are asked for more than once.
    cues: frozenset[str] = frozenset()
    # Other messages that say the same; they are not quoted again.
    again: tuple[Message, ...] = ()
    # The message that this one was overruled by, where it was.
    overruled_by: Message | None = None
    # Where what these words refused was done after all.
    made_later: int = 0
    # The correction that these words of the agent answer.
    reply_to: Message | None = None
    # The user's few words that settled it, which say nothing without it.
    answered_by: Message | None = None

    def __post_init__(self) -> None:
        self.size = len(self.text.encode("utf-8", "surrogatepass"))

    @property
    def text(self) -> str:
        return self.message.text[self.start : self.end]
