"""From the pieces that were chosen to claims: one for all that stand in the same place, with what they answer."""

from collections.abc import Container

from thruline.brief.claims.names import render_call
from thruline.brief.pointer import place
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import TOGETHER, Claim
from thruline.brief.wording import RULED
from thruline.engines.rules.candidates import ASKED, CONTEXT, LATER, OVERRULED, QUESTIONED, RULES, Candidate
from thruline.engines.rules.decided import quote_question
from thruline.engines.rules.files import shorten_call
from thruline.engines.rules.material import Message
from thruline.engines.rules.quoting import build_quote, quote_whole
from thruline.session.parts import ALLOWED
from thruline.value import replace

ALSO = "Noted at the time"
# What the user said comes first.
RANKS = {OVERRULED: 0, QUESTIONED: 1}
# Stands for the section of what the agent replied to a correction: it makes no claim of its own.
REPLY = "reply"
# What stands on one claim: the id of a message, a section, a topic.
Key = tuple[int, str, str]
# So many pieces of a message stand on one line; a small brief cannot pay for a line each.
INLINE, CRAMPED = 3, 6
# What the session was begun for is the first of the basics.
BEGUN = 0.4


def build_claims(
    taken: list[Candidate],
    folder: str,
    last_line: int,
    inline: int,
    landed: set[tuple[str, int]] | None = None,
    quoted: Container[tuple[str, int]] = (),
) -> list[tuple[str, Claim]]:
    """One claim for all pieces of a message that stand in the same place of the brief.

    What was overruled by words that are not told is no dead end; other claims quote those at the places `quoted`.
    Of what says where things stand only the messages at the places `landed` do so, where those are known.
    """
    groups: dict[Key, list[Candidate]] = {}
    for candidate in taken:
        # What others took the place of does not stand beside what counts, though both were said in one breath.
        topic = candidate.topic
        if candidate.section == "convergence" and not topic:
            said_at = (candidate.message.source, candidate.message.line)
            topic = ALSO if candidate.superseded or (landed is not None and said_at not in landed) else ""
        section = candidate.section if candidate.reply_to is None else REPLY
        groups.setdefault((id(candidate.message), section, topic), []).append(candidate)
    before, after = _find_before(groups), _find_after(groups)
    answered = {one for found in before.values() for one in found}
    paired = {id(c.answered_by) for group in groups.values() for c in group if c.answered_by is not None}
    ruled = {id(one) for (*_, topic), group in groups.items() if topic == RULES for one in _find_same(group)}
    made = []
    for key, group in groups.items():
        if key[1] == REPLY or key in answered or (key[0] in paired and key[2] == ASKED):
            continue  # stands with the words that overruled it, or with those it answers
        first = group[0]
        quotes = [_build_quote(group, inline)]
        quotes[:0] = [_build_quote(groups[one], inline) for one in before.get(key, ())]
        quotes += [_build_quote(groups[one], inline) for one in after.get(key, ())]
        if first.answered_by is not None:
            quotes.append(quote_whole(first.answered_by))
        if first.message.kind == "answer" and first.message.about.strip() not in ("", ALLOWED):
            # "Only at night" is a rule for those alone who know what was asked.
            quotes.insert(0, quote_question(first.message.about, first.message))
        refused = first.message.kind == "rejection" and first.message.about
        later = ", done later" if first.made_later else ""
        words = f"Refused {render_call(shorten_call(first.message.about, folder), 80)}{later}:" if refused else ""
        keep = any(candidate.keep for candidate in group)
        # Requests build upon each other, so they are read as they were made; what was said of how things are stands
        # below the folder and the commands.
        shown = first.message.line if first.topic in (ASKED, CONTEXT, LATER) else 0
        # What was answered with a rule stands with its place: the rule itself is quoted where rules are.
        answer = next((c.overruled_by for c in group if c.overruled_by is not None), None)
        if answer is not None and id(answer) not in ruled and (answer.source, answer.line) not in quoted:
            continue
        where = () if answer is None else (place(answer.line, source=answer.source, uuid=answer.uuid),)
        where = (place(first.made_later),) if refused and first.made_later and answer is None else where
        if answer is not None:
            words = RULED if id(answer) in ruled else TOGETHER
        weight = _weigh(group, last_line)
        claim = Claim(words, tuple(quotes), where, topic=key[2], weight=weight, shown=shown, keep=keep)
        made.append((first.section, claim))
    return made


def _find_same(group: list[Candidate]) -> list[Message]:
    """The message of a group, and those that said the same."""
    return [group[0].message, *(message for candidate in group for message in candidate.again)]


def _find_before(groups: dict[Key, list[Candidate]]) -> dict[Key, list[Key]]:
    """What each correction overruled, in the order it was said; one said twice is told once, with all of it."""
    overruled = {id(c.overruled_by): key for key, group in groups.items() for c in group if c.overruled_by is not None}
    corrections = {key: group for key, group in groups.items() if key[2] in RANKS and key[1] != REPLY}
    # Its own words first: others that say the same stand for those that are not quoted.
    answered = {key[0]: key for key in corrections}
    for key, group in corrections.items():
        for message in _find_same(group):
            answered.setdefault(id(message), key)
    found: dict[Key, list[Key]] = {}
    for answer, before in sorted(overruled.items(), key=lambda pair: groups[pair[1]][0].message.line):
        # Said twice, it is shown in its fuller words: to what the agent said only after these they are no answer.
        if answer in answered and not _is_later(groups[before][0].message, groups[answered[answer]][0].message):
            found.setdefault(answered[answer], []).append(before)
    return found


def _is_later(one: Message, other: Message) -> bool:
    return one.source == other.source and one.line > other.line


def _find_after(groups: dict[Key, list[Candidate]]) -> dict[Key, list[Key]]:
    """What the agent replied to each correction that is quoted."""
    corrections = {key[0]: key for key in groups if key[2] in RANKS and key[1] != REPLY}
    found: dict[Key, list[Key]] = {}
    for key, group in groups.items():
        to = corrections.get(id(group[0].reply_to)) if key[1] == REPLY else None
        if to is not None:
            found.setdefault(to, []).append(key)
    return found


def note_others(section: str, claim: Claim, landed: set[tuple[str, int]]) -> Claim:
    """The claim, among what was noted on the way unless it says at one of the places `landed` where things stand."""
    if section != "convergence" or claim.topic:
        return claim
    pointer = claim.quotes[0].pointer
    return claim if (pointer.source, pointer.line) in landed else replace(claim, topic=ALSO)


def _weigh(group: list[Candidate], last_line: int) -> float:
    """What stands first: of people's words the weightiest, of the agent's the newest (later supersedes earlier)."""
    if group[0].message.by == "human" or group[0].answered_by is not None:
        least = BEGUN if group[0].message.turn == 1 else 0.0
        return max(least, min(0.95, 0.2 + 0.35 * max(candidate.base for candidate in group)))
    return 0.1 + 0.8 * group[0].message.line / max(1, last_line)


def _build_quote(group: list[Candidate], inline: int) -> Quote:
    spans = {(candidate.start, candidate.end) for candidate in group}
    spans |= {each.lead for each in group if each.lead is not None}
    if group[0].answered_by is not None:
        # What stands between the pieces was not picked.
        return build_quote(group[0].message, spans, len(spans))
    roomy = inline == INLINE
    if roomy:
        spans |= {each.stated for each in group if each.stated is not None}
    return build_quote(group[0].message, spans, inline, roomy=roomy)
