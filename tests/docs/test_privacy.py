"""The privacy page lists every path that the code knows."""

import os
from pathlib import Path

import pytest

from thruline.layout import ProjectPaths, UserPaths

PAGE = (Path(__file__).parents[2] / "docs" / "privacy.md").read_text(encoding="utf-8")


def find_paths(paths: object) -> list[str]:
    kind = type(paths)
    return sorted(str(getattr(paths, name)) for name in dir(kind) if isinstance(getattr(kind, name), property))


@pytest.mark.parametrize("path", find_paths(UserPaths("<state>", "<config>")))
def test_every_path_of_the_user_is_on_the_privacy_page(path: str) -> None:
    folder, _, name = path.partition(os.sep)
    assert f"`{path}" in PAGE or (f"`{folder}/" in PAGE and f"`{name}`" in PAGE)


@pytest.mark.parametrize("forge", [False, True])
def test_every_path_of_a_project_is_on_the_privacy_page(forge: bool) -> None:
    base = os.path.join("root", ".agent", "context")
    for path in find_paths(ProjectPaths("root", base, marked=True, forge=forge)):
        name = os.path.relpath(path, "root")
        shown = name.removeprefix(".agent/context/") if "journal" in name else name
        assert f"`{shown}" in PAGE, name
