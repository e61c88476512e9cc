"""The same correction said twice counts once; what only sounds alike counts twice."""

import pytest

from tests.session.talk import agent, human
from thruline.signals.features.text import Text
from thruline.signals.miner import mine
from thruline.signals.repeated import fold, is_same

SAME = [
    ("No, don't add a pause.", "No, don't add a pause. It only hides the problem of overlapping pages."),
    ("no, don't add a pause!", "No,  don't add  a pause"),
    ("don't add the pause to the exporter", "I said it: the exporter, please, don't add a pause to that"),
    ("please use the other queue instead here", "please use the other queue instead here, thanks, now"),
    ("Nein, keine Pause im Export!", "Nein, keine Pause im Export. Sie verdeckt nur den Fehler."),
    ("不要在导出里加等待时间", "不要在导出里加等待时间。它只会掩盖问题。"),
]
OTHER = [
    ("No, that's wrong.", "No, that's wrong. The reader closes too early."),
    ("No.", "No. Use the cursor."),
    ("yes", "yes please"),
    ("add a pause there", "no, don't add a pause there"),
    ("please use the other queue instead here", "please add one more test for this"),
    ("Nein, das ist falsch.", "Nein, das ist falsch. Der Leser schließt zu früh."),
    ("不对", "不对，应该用文件"),
    ("", ""),
    (
        "No, the timeout for large uploads behind the proxy must be 30 seconds.",
        "No, the timeout for large uploads behind the proxy must be 60 seconds.",
    ),
    (
        "please pin the parser library to version 2.1 in requirements",
        "please pin the parser library to 1.2 in requirements",
    ),
    ("no, the importer must read utf-8 before latin-1", "no, the importer must read latin-1 before utf-8"),
    ("no, call `open_part` in the upload queue please", "no, call `close_part` in the upload queue please"),
    (
        "no, move the helper functions into paths.py please now",
        "no, move the helper functions into names.py please now",
    ),
    ('no, the button in the menu must read "Save"', 'no, the button in the menu must read "Keep"'),
    ("no, retry the upload only on 429 and 503", "no, retry the upload only on 429"),
    ("不对，上传的超时时间必须是30秒", "不对，上传的超时时间必须是60秒"),
    ("Nein, die Pause muss 5 Sekunden lang sein, sonst nichts", "Nein, die Pause muss 9 Sekunden lang sein"),
]


NAMED = [
    ("No, don't retry the upload.", "No, don't retry the upload. It hides the 429 of the server."),
    ("no, wait 30 seconds before the retry", "no, wait 30 seconds before the retry, please"),
    ("no, call `open_part` in the upload queue", "no, call open_part in the upload queue please"),
]


@pytest.mark.parametrize(("one", "other"), SAME + NAMED)
def test_one_that_holds_the_other_says_the_same(one: str, other: str) -> None:
    assert is_same(fold(Text(one)), fold(Text(other)))
    assert is_same(fold(Text(other)), fold(Text(one)))


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_a_bare_refusal_and_the_opposite_say_something_else(one: str, other: str) -> None:
    assert not is_same(fold(Text(one)), fold(Text(other)))
    assert not is_same(fold(Text(other)), fold(Text(one)))


def test_a_bare_refusal_is_the_same_only_about_the_same() -> None:
    bare = fold(Text("No, that's wrong."))
    assert is_same(bare, bare)
    assert not is_same(bare, bare, about=False)


@pytest.mark.parametrize("first", [0, 1])
def test_the_fuller_of_two_is_kept_with_its_place(first: int) -> None:
    said = (SAME[0][first], SAME[0][1 - first])
    session = [
        human(1, "Build the exporter."),
        agent(2, "I added a retry loop with a pause of one second."),
        human(3, said[0]),
        agent(4, "You are right, I removed it."),
        agent(5, "I added a pause between pages again."),
        human(6, said[1]),
        agent(7, "Sorry, removed."),
    ]
    (found,) = [one for one in mine(session) if one.kind == "correction"]
    assert (found.quote, found.line) == (SAME[0][1], 3 if first else 6)


@pytest.mark.parametrize(
    "said",
    [
        ("No, the timeout for large uploads behind the proxy must be 30 seconds, nothing else.",
         "No, the timeout for large uploads behind the proxy must be 60 seconds."),
        ("No, the importer must read utf-8 before latin-1.", "No, the importer must read latin-1 before utf-8."),
    ],
)  # fmt: skip
def test_a_later_correction_with_another_number_stands_beside_the_first(said: tuple[str, str]) -> None:
    session = [
        human(1, "Build the exporter."),
        agent(2, "I added a limit to the exporter."),
        human(3, said[0]),
        agent(4, "You are right, I changed it."),
        human(5, said[1]),
        agent(6, "Sorry, changed."),
    ]
    assert [one.line for one in mine(session) if one.kind == "correction"] == [3, 5]
