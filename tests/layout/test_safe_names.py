"""Names that others chose, and what of them may become a file."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hooks.conftest import SESSION
from thruline.layout import is_safe_id, is_safe_name


@given(st.text(st.characters() | st.sampled_from("./\\:-_ \x00"), max_size=140))
def test_a_safe_name_is_one_component_of_a_path_and_stays_in_its_folder(name):
    if is_safe_name(name):
        assert os.path.basename(name) == name
        assert os.path.normpath(os.path.join("/folder", name)) == "/folder/" + name
        assert not set(name) & set('/\\:*?"<>| \x00')


@pytest.mark.parametrize(
    "name", ["..", ".", "a/b", "a\\b", "C:x", ".hidden", "a..b", "end.", "", "ä", "a" * 129, "-.", "-rf", "--help"]
)
def test_names_that_could_leave_their_folder_or_are_flags_are_refused(name):
    assert not is_safe_name(name)


@pytest.mark.parametrize(
    "name", [SESSION, "ses_5f2a9c81", "019a8b7c-1234-7abc-8def-0123456789ab", "2026-11-16T01.22.33_abc"]
)
def test_ids_that_clients_use_are_taken(name):
    assert is_safe_id(name)


@pytest.mark.parametrize("name", ["con", "NUL", "com1", "lpt9"])
def test_device_names_of_windows_are_no_ids(name):
    assert not is_safe_id(name)
