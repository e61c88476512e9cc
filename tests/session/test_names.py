"""An id is letters, digits, dashes and underscores: nothing that a path, a shell or a command takes for something."""

import pytest

from thruline.session.identity import Identity
from thruline.session.names import is_id
from thruline.session.parts import Changed


@pytest.mark.parametrize("text", ["5e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34", "ses_4f0000000ffe", "a", "x" * 255])
def test_ids_of_clients_are_ids(text: str) -> None:
    assert is_id(text)


@pytest.mark.parametrize("text", ["", "../../../x", "-rf", "a/b", "a.b", "a b", "a\n", "a\x00", "\u0430", "x" * 256])
def test_what_means_something_else_is_none(text: str) -> None:
    assert not is_id(text)


def test_a_session_that_calls_itself_a_path_has_no_name_of_its_own() -> None:
    seen = Identity()
    seen.see_all([Changed(1, "session_id", "../../../x")])
    assert seen.session_id == ""
    seen.see_all([Changed(2, "session_id", "5e0c7f4a")])
    seen.see_all([Changed(3, "session_id", "-rf")])
    assert seen.session_id == "5e0c7f4a"
