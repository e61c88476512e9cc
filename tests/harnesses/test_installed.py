"""Which clients this machine has: by their programs and their folders, each by its own reading of its variable."""

import os
from pathlib import Path

import pytest

from thruline.harnesses.capability import load
from thruline.harnesses.installed import find_homes, find_installed
from thruline.harnesses.registry import HARNESSES
from thruline.harnesses.transcripts import find_transcripts


def add_program(folder: Path, name: str, mode: int = 0o755) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("#!/bin/sh\nexit 9\n")
    (folder / name).chmod(mode)
    return folder / name


def test_nothing_installed_nothing_found(tmp_path):
    assert find_installed({"PATH": str(tmp_path)}, str(tmp_path)) == []
    assert find_installed({}, str(tmp_path)) == []


@pytest.mark.parametrize("harness", HARNESSES, ids=lambda harness: harness.name)
def test_program_in_the_path_is_found(harness, tmp_path):
    program = add_program(tmp_path / "bin", harness.programs[0])
    (found,) = find_installed({"PATH": str(tmp_path / "bin")}, str(tmp_path))
    assert (found.harness, found.program, found.homes) == (harness, str(program), ())


@pytest.mark.parametrize("harness", HARNESSES, ids=lambda harness: harness.name)
def test_home_folder_alone_is_found_without_being_opened(harness, tmp_path):
    home = tmp_path / harness.home
    home.mkdir(parents=True)
    home.chmod(0)  # nothing in it can be read, and nothing needs to be
    try:
        (found,) = find_installed({"PATH": ""}, str(tmp_path))
    finally:
        home.chmod(0o700)
    assert (found.harness, found.program, found.homes) == (harness, "", (str(home),))


@pytest.mark.parametrize(
    "harness", [each for each in HARNESSES if each.home_variable], ids=lambda harness: harness.name
)
def test_variable_moves_the_home(harness, tmp_path):
    moved = find_homes(harness, {harness.home_variable: str(tmp_path)}, "/home/ada")
    assert moved == [os.path.join(tmp_path, harness.home_below).rstrip("/")]
    assert find_homes(harness, {}, "/home/ada")[0] == "/home/ada/" + harness.home


def test_file_that_cannot_be_run_and_relative_path_do_not_count(tmp_path, monkeypatch):
    add_program(tmp_path / "bin", HARNESSES[0].programs[0], mode=0o644)
    add_program(tmp_path, HARNESSES[1].programs[0])
    monkeypatch.chdir(tmp_path)
    assert find_installed({"PATH": os.pathsep.join([str(tmp_path / "bin"), ".", ""])}, str(tmp_path / "home")) == []


def test_both_folders_of_two_accounts_are_found(tmp_path):
    accounts = [tmp_path / "one", tmp_path / "two"]
    for folder in accounts:
        folder.mkdir()
    for separator in (os.pathsep, ",", " , "):
        env = {HARNESSES[0].home_variable: separator.join(map(str, accounts))}
        (found,) = find_installed(env, str(tmp_path))
        assert found.homes == tuple(map(str, accounts))


def test_a_client_is_found_where_its_sessions_are_whatever_stands_around_the_folder(tmp_path):
    codex = HARNESSES[1]
    day = tmp_path / "moved" / "sessions" / "2026" / "11" / "16"
    day.mkdir(parents=True)
    (day / "rollout-2026-11-16T10-00-00-019a0000-0000-7000-8000-000000000001.jsonl").write_text("{}\n")
    env = {codex.home_variable: f" {tmp_path / 'moved'} "}
    assert [found.path for _, found in find_transcripts(env, str(tmp_path))] == [str(next(day.iterdir()))]
    (found,) = find_installed(env, str(tmp_path))
    assert (found.harness, found.homes) == (codex, (str(tmp_path / "moved"),))


@pytest.mark.parametrize("harness", HARNESSES[:2], ids=lambda harness: harness.name)
@pytest.mark.parametrize("told", ["", "  ", "~/x", "/a:/b", "/a,/b", " /a "])
def test_nobody_reads_a_clients_variable_a_second_time(harness, told):
    env = {harness.home_variable: told}
    assert find_homes(harness, env, "/home/ada") == load(harness, "find").find_homes(env, "/home/ada")
