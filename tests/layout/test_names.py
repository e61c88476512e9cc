"""Keys that no two projects share."""

import os

from hypothesis import given
from hypothesis import strategies as st

from thruline import layout

PATHS = st.text(min_size=1).map(lambda text: "/" + text.replace("\0", ""))


@given(st.lists(st.tuples(st.uuids().map(str) | st.just(""), PATHS), unique=True, min_size=2, max_size=20))
def test_different_projects_never_share_a_key(projects: list[tuple[str, str]]) -> None:
    keys = {layout.build_project_key(*project).casefold() for project in projects}
    assert len(keys) == len(projects)


@given(st.text(), st.text(st.characters(exclude_categories=()), min_size=1) | st.binary(min_size=1).map(os.fsdecode))
def test_a_key_is_a_safe_short_file_name_for_any_path(project_id: str, root: str) -> None:
    key = layout.build_project_key(project_id, root)
    assert key.isascii()
    assert len(key) <= 57
    assert all(c.isalnum() or c in "-_" for c in key)
    assert not key.startswith("-")


def test_paths_that_differ_only_in_what_is_replaced_have_different_keys() -> None:
    roots = ["/p/a_b", "/p/a-b", "/p/a.b", "/p/a b", "/p/ab", "/q/a_b", "/p/A_b", "/p/a_b/"]
    assert len({layout.build_project_key("", root) for root in roots}) == len(roots)


def test_a_long_folder_name_is_cut_in_its_key() -> None:
    assert layout.build_project_key("", "/p/" + "n" * 250).startswith("n" * 40 + "-")


def test_a_clone_with_the_same_project_id_has_another_key() -> None:
    assert layout.build_project_key("x", "/p/one") != layout.build_project_key("x", "/p/two")


def test_the_same_project_has_the_same_key_in_every_process() -> None:
    # Literals: the name of a folder on disk must outlive this process and this version.
    assert layout.build_project_key("", "/home/a/project") == "project-c54c6d94398b7f91"
    assert layout.build_project_key("8e3f7c52", "/home/me/my project") == "my-project-9c7122f4e9494d6b"
