"""One mined fact, with the words it was taken from."""

from thruline.value import dataclass

KINDS = (
    "correction",  # the user rejects, overrules or corrects what the agent did, said or planned
    "refusal",  # a tool call the user refused, with the typed reason if there is one
    "interrupt",  # the user stopped the agent
    "constraint",  # a rule, limit or preference that stays in force
    "decision",  # a choice settled: an option picked, a proposal approved or declined, a plan approved
    "hypothesis",  # an explanation or approach the agent raised
    "reversal",  # the agent takes back what it said or did
    "dead_end",  # something tried and given up: by evidence, by an edit undone, by a rewind
    "intent",  # something announced: "I will", "next", a TODO
    "question",  # asked and not answered
    "conclusion",  # where the work landed
    "command",  # a command that worked
    "file",  # a file touched
    "commit",  # a commit made
)

CORRECTION_KINDS = ("overrule", "error", "failure", "challenge")


@dataclass(frozen=True, slots=True)
class Signal:
    """A fact mined from a session.

    `quote` is an exact substring of the text of the record at `line` (of the file labelled `source`). `strength` is
    between 0 and 1: how sure the rules are. `why` says in a few words what made them take it. `variety` narrows the
    kind (a correction's type, a dead end's evidence). `about` names what it is about: the call refused, the question
    answered, the text corrected, in the transcript's own words where possible. `withdrawn` is the line where it was
    taken back, 0 if never.
    """

    kind: str
    by: str
    quote: str
    line: int
    uuid: str = ""
    source: str = ""
    time: str = ""
    strength: float = 1.0
    why: str = ""
    variety: str = ""
    about: str = ""
    withdrawn: int = 0
