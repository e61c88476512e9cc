"""A file is back only where each of its edits was taken back, the last one first."""

import pytest

from tests.session.talk import edit, run
from thruline.session import parts
from thruline.session.ledger import Ledger

A = "/home/dev/shop/page.py"


@pytest.mark.parametrize(
    ("edits", "back"),
    [
        ([(1, 2), (2, 1)], True),
        ([(1, 2), (2, 1), (1, 2), (2, 1)], True),
        ([(1, 2), (3, 4), (4, 3), (2, 1)], True),
        ([(1, 2), (2, 1), (1, 2), (3, 4)], False),  # as many undone as not, and it ends changed
        ([(1, 2), (2, 1), (1, 2)], False),
        ([(1, 2), (2, 1), (3, 0)], False),  # of what was added nobody knows how it was taken back
        ([(1, 2)], False),
    ],
)
def test_a_file_is_back_where_no_edit_is_left(edits: list[tuple[int, int]], back: bool) -> None:
    ledger = Ledger()
    for at, (before, after) in enumerate(edits):
        ledger.see_all(edit(3 + 2 * at, A, before=before, after=after))
    assert ledger.edits.is_back(A, ledger.files[A].changes) is back


def test_an_edit_that_failed_takes_nothing_back() -> None:
    ledger = Ledger()
    call, _ = edit(5, A, before=2, after=1)
    _, failed = run(5, "", "error")
    ledger.see_all([*edit(3, A, before=1, after=2), call, failed])
    assert not ledger.edits.is_back(A, ledger.files[A].changes)


def test_an_edit_that_a_subagent_made_takes_nothing_back() -> None:
    ledger = Ledger()
    call, _ = edit(5, A, before=2, after=1)
    made = parts.Result(6, "c5", parts.OK, 10, changes=((A, "edited"),), source="a1")
    ledger.see_all([*edit(3, A, before=1, after=2), call, made])
    assert not ledger.edits.is_back(A, ledger.files[A].changes)
    assert ledger.edits.undone == {}


def test_a_file_of_which_no_edit_is_known_is_not_back() -> None:
    assert not Ledger().edits.is_back(A, 0)
