import os
from pathlib import Path

import pytest

from thruline.harnesses.registry import HARNESSES, build_home, find_installed


def add_program(folder: Path, name: str, mode: int = 0o755) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("#!/bin/sh\nexit 9\n")
    (folder / name).chmod(mode)
    return folder / name


def test_the_eight_have_names_packages_and_programs_of_their_own():
    assert [harness.name for harness in HARNESSES] == [
        "claude-code", "codex", "gemini-cli", "opencode", "droid", "copilot", "qwen", "pi",
    ]  # fmt: skip
    for field in ("name", "title", "package", "programs", "npm", "home"):
        values = [getattr(harness, field) for harness in HARNESSES]
        assert all(values)
        assert len(set(values)) == len(values), field


def test_package_is_the_name_as_python_writes_it():
    for harness in HARNESSES:
        assert harness.package == "thruline.harnesses." + harness.name.replace("-", "_")


def test_nothing_installed_nothing_found(tmp_path):
    assert find_installed({"PATH": str(tmp_path)}, str(tmp_path)) == []
    assert find_installed({}, str(tmp_path)) == []


@pytest.mark.parametrize("harness", HARNESSES, ids=lambda harness: harness.name)
def test_program_in_the_path_is_found(harness, tmp_path):
    program = add_program(tmp_path / "bin", harness.programs[0])
    (found,) = find_installed({"PATH": str(tmp_path / "bin")}, str(tmp_path))
    assert (found.harness, found.program, found.home) == (harness, str(program), "")


@pytest.mark.parametrize("harness", HARNESSES, ids=lambda harness: harness.name)
def test_home_folder_alone_is_found_without_being_opened(harness, tmp_path):
    home = tmp_path / harness.home
    home.mkdir(parents=True)
    home.chmod(0)  # nothing in it can be read, and nothing needs to be
    try:
        (found,) = find_installed({"PATH": ""}, str(tmp_path))
    finally:
        home.chmod(0o700)
    assert (found.harness, found.program, found.home) == (harness, "", str(home))


@pytest.mark.parametrize(
    "harness", [each for each in HARNESSES if each.home_variable], ids=lambda harness: harness.name
)
def test_variable_moves_the_home(harness, tmp_path):
    moved = build_home(harness, {harness.home_variable: str(tmp_path)}, "/home/ada")
    assert moved == os.path.join(tmp_path, harness.home_below).rstrip("/")
    assert build_home(harness, {}, "/home/ada") == "/home/ada/" + harness.home


def test_file_that_cannot_be_run_and_relative_path_do_not_count(tmp_path, monkeypatch):
    add_program(tmp_path / "bin", HARNESSES[0].programs[0], mode=0o644)
    add_program(tmp_path, HARNESSES[1].programs[0])
    monkeypatch.chdir(tmp_path)
    assert find_installed({"PATH": os.pathsep.join([str(tmp_path / "bin"), ".", ""])}, str(tmp_path / "home")) == []
