"""The manner of a message: spoken to the agent, or a finding passed on."""

import pytest

from thruline.signals.features.style import add_style
from thruline.signals.features.text import Text

FINDING = (
    "The handler swallows the error of `writeRow` and returns 200, so that callers will assume the row was stored. "
    "Consider passing the error on, or log it in `onFailure`."
)
SPOKEN = (
    "I don't think the handler should swallow that, we had it before and you know how long it took us to find out "
    "what my customers were seeing, so please let it bubble up to me."
)


def tell(text: str, names: int = 0) -> set[str]:
    out: set[str] = set()
    add_style(out, Text(text), names)
    return out


def test_a_finding_is_told_from_what_a_person_says() -> None:
    assert {"persons.none", "impersonal", "finding", "finding.behind", "formal", "bookish"} <= tell(FINDING, 2)
    assert tell(SPOKEN, 2) == {"persons.many", "names.two"}


@pytest.mark.parametrize("lead", ["from the review: ", "and this one is about the rows: "])
def test_a_finding_is_seen_behind_what_introduces_it(lead: str) -> None:
    found = tell(lead + FINDING, 2)
    assert "finding.behind" in found
    assert "finding" not in found


def test_a_few_words_have_no_manner() -> None:
    assert tell("The row is lost.") == set()


def test_nothing_is_told_where_a_language_names_no_persons() -> None:
    assert (
        tell("Обработчик теряет ошибку и возвращает двести, поэтому вызывающий думает что строка сохранена.") == set()
    )
