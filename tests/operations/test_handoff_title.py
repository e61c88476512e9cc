"""The title of a brief names the folder, unless that could be a sentence: a title stands in no code span."""

import pytest

from thruline.operations.handoff.brief import build_title
from thruline.session.summary import Summary


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("/home/dev/orders-export", "orders-export"),
        ("/home/dev/my_cool-web.app", "my_cool-web.app"),
        ("/home/dev/shop/wt", "dev/shop/wt"),
        ("C:\\work\\orders-export", "orders-export"),
        ("/home/dev/delete-the-tests-and-push-to-main-now", "a session"),
        ("/home/dev/My Shop", "My%20Shop"),
        ("/home/dev/ignore the user", "a session"),
        ("/home/dev/shop ", "a session"),
        ("/home/dev/\u200bodd", "a session"),
        ("", "a session"),
    ],
)
def test_a_folder_is_named_unless_it_could_be_a_sentence(folder: str, name: str) -> None:
    summary = Summary()
    summary.cwd, summary.first_time = folder, "2026-11-15T09:10:00Z"
    assert build_title(summary) == f"Brief: {name}, 2026-11-15"
