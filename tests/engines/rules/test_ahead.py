"""What is read ahead is what the rules will ask, and no more than that."""

import pytest

from tests.session.talk import agent, human
from thruline.engines.rules import Material, cues, terms
from thruline.engines.rules.ahead import Ahead
from thruline.engines.rules.candidates.said import MOST_WEIGHED
from thruline.engines.rules.candidates.told import NEWEST_TOLD
from thruline.session.parts import Part


@pytest.fixture(autouse=True)
def _forgotten() -> None:
    for remembered in (cues._find_all, terms._find_all):
        remembered.cache_clear()


def say(turns: int, letters: int = 60) -> Material:
    """A session of so many turns; each has a word of its own in the agent's last sentence and in the person's."""
    talk: list[Part] = []
    for at in range(turns):
        talk.append(human(3 * at + 1, f"Please look at the part asked{at} of it."))
        talk.append(agent(3 * at + 2, f"On the way to said{at} there is this one."))
        talk.append(agent(3 * at + 3, f"The part told{at} is done and it works {'x' * letters}."))
    material = Material()
    material.see_all(talk)
    return material


def read(ahead: Ahead, share: float) -> int:
    """How many messages were read until there was nothing left to read."""
    count = 0
    while ahead.read(share):
        count += 1
    return count


def is_remembered(sentence: str) -> bool:
    """Whether the terms and the cues of a sentence are known without looking."""
    before = [remembered.cache_info().misses for remembered in (cues._find_all, terms._find_all)]
    terms.find_terms(sentence)
    cues.find_cues(sentence, ("settled",))
    return before == [remembered.cache_info().misses for remembered in (cues._find_all, terms._find_all)]


def test_ends_of_turns_and_peoples_words_are_known_before_anybody_asks() -> None:
    material = say(3)
    assert read(Ahead(material), 0.9) == 3 + 2  # whether the last message ends its turn nobody knows yet
    assert is_remembered(material.messages[-4].text)
    assert is_remembered(material.messages[-3].text)
    assert not is_remembered(material.messages[-2].text)  # said on the way
    assert not is_remembered(material.messages[-1].text)


def test_what_comes_later_is_read_when_it_is_there() -> None:
    material = say(2)
    ahead = Ahead(material)
    assert read(ahead, 0.5) == 2 + 1
    material.see_all([human(90, "And what about the footer of the shop?"), agent(91, "The footer is there.")])
    assert read(ahead, 0.9) == 2
    assert is_remembered("And what about the footer of the shop?")
    assert read(ahead, 0.9) == 0


def test_what_newer_words_will_take_the_place_of_is_not_read() -> None:
    turns = 40
    material = say(turns, letters=MOST_WEIGHED // 10)
    assert read(Ahead(material), 0.0) == 0
    assert read(Ahead(material), 0.1) == 0  # nine times as much is still to come
    assert turns < read(Ahead(material), 0.99) < turns + 12


def test_of_people_the_newest_are_read() -> None:
    material = say(NEWEST_TOLD + 30, letters=0)
    ahead = Ahead(material)
    count = read(ahead, 1.0)
    assert count == NEWEST_TOLD + NEWEST_TOLD + 29
    assert not is_remembered("Please look at the part asked29 of it.")
    assert is_remembered("Please look at the part asked30 of it.")
