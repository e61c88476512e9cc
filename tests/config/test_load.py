"""What is in force, where it comes from, and that a repository never widens it."""

import dataclasses
import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from thruline.config import Config, Origin, Problem, load_config, load_config_tolerant
from thruline.config.load import LARGEST_FILE, MOST_PROBLEMS, build_config
from thruline.config.schema import ADD, LOWER, TURN_OFF, TURN_ON, USER_ONLY, find_settings, key
from thruline.errors import ConfigError
from thruline.layout import ProjectPaths, UserPaths


@pytest.fixture
def user(tmp_path: Path) -> UserPaths:
    (tmp_path / "config").mkdir()
    return UserPaths(str(tmp_path / "state"), str(tmp_path / "config"))


@pytest.fixture
def project(tmp_path: Path) -> ProjectPaths:
    base = tmp_path / "project" / ".agent" / "context"
    base.mkdir(parents=True)
    return ProjectPaths(str(tmp_path / "project"), str(base), marked=True, forge=False)


def write(path: str, text: str | bytes) -> None:
    Path(path).write_bytes(text.encode() if isinstance(text, str) else text)


def test_without_any_source_the_defaults_are_in_force(project: ProjectPaths, user: UserPaths) -> None:
    config = load_config(project, user, {})
    assert (config.git.timeout_seconds, config.disk.lock_seconds) == (5.0, 10.0)
    assert (config.redact.entropy, config.ark.enabled) == (True, False)
    assert set(config.origins) == {setting.key for setting in find_settings()}
    assert all(origin == Origin("default") for origin in config.origins.values())


def test_each_source_outranks_the_one_before_and_every_value_knows_its_origin(
    project: ProjectPaths, user: UserPaths
) -> None:
    write(
        user.config_file,
        "# mine\n[git]\ntimeout_seconds = 4\n\n[disk]\nlock_seconds = 9.5\n[redact]\nentropy = false\n",
    )
    write(project.config_file, "[git]\n\ntimeout_seconds = 2\n[disk]\nlock_seconds = 1\n[redact]\nentropy = true\n")
    config = load_config(project, user, {"THRULINE_DISK_LOCK_SECONDS": "30", "THRULINE_HOME": "x", "THRULINE_OFF": "1"})
    assert (config.git.timeout_seconds, config.disk.lock_seconds, config.redact.entropy) == (2.0, 30.0, True)
    assert config.origins["git.timeout_seconds"] == Origin("project", project.config_file, 3)
    assert config.origins["disk.lock_seconds"] == Origin("variable", "THRULINE_DISK_LOCK_SECONDS")
    assert config.origins["redact.entropy"] == Origin("project", project.config_file, 7)
    assert config.origins["ark.enabled"] == Origin("default")


def test_a_project_that_would_widen_is_ignored_with_a_warning_that_names_the_line(
    project: ProjectPaths, user: UserPaths
) -> None:
    write(user.config_file, "[git]\ntimeout_seconds = 3\n")
    write(project.config_file, "[git]\ntimeout_seconds = 4\n[redact]\nentropy = false\n[ark]\nenabled = true\n")
    config = load_config(project, user, {})
    assert (config.git.timeout_seconds, config.redact.entropy, config.ark.enabled) == (3.0, True, False)
    assert config.origins["git.timeout_seconds"].kind == "user"
    assert [(problem.path, problem.line, problem.ignored) for problem in config.problems] == [
        (project.config_file, 2, True),
        (project.config_file, 4, True),
        (project.config_file, 6, True),
    ]
    assert "lower git.timeout_seconds" in config.problems[0].what


def test_a_project_without_a_marker_has_no_config(project: ProjectPaths, user: UserPaths) -> None:
    write(project.config_file, "[git]\ntimeout_seconds = 1\n")
    project.marked = False
    assert load_config(project, user, {}).git.timeout_seconds == 5.0


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("[git]\ntimeout_seconds = 1\n[gti]\nx = 1\n", 3, '"gti"'),
        ("[git]\n# c\ntimout_seconds = 1\n", 3, '"git.timout_seconds"'),
        ('[git]\ntimeout_seconds = "5"\n', 2, "must be a number"),
        ("[git]\ntimeout_seconds = true\n", 2, "must be a number"),
        ("[git]\ntimeout_seconds = nan\n", 2, "between"),
        ("[git]\ntimeout_seconds = -1\n", 2, "between"),
        ("[redact]\nentropy = 1\n", 2, "must be true or false"),
        ("# x\ngit.timout_seconds = 1\n", 2, '"git.timout_seconds"'),
        ("\ngit = { timeout_seconds = 1, x = 2 }\n", 2, '"git.x"'),
        ("[ 'git' ]\n\"x y\" = '''\n[git]\nx = 1'''\n[disk]\n", 2, '"git.x y"'),
        ("[git]\ntimeout_seconds = [\n  1, # x = 2\n]\n", 2, "must be a number"),
        ("git = 5\n", 1, "section"),
        ("[[git]]\ntimeout_seconds = 1\n", 1, "section"),
        ("[git.timeout_seconds]\na = 1\n", 1, "must be a number"),
        ("[git]\r\n\r\nx = 1\r\n", 3, '"git.x"'),
        ("[git]\ntimeout_seconds = \n", 2, "Bad TOML"),
        ("[git]\ntimeout_seconds = 1\ntimeout_seconds = 2\n", 3, "Bad TOML"),
        ("[git]\nx = '''\n", 2, "Bad TOML"),
        ("\n[git]\nx = '\udcff'\n", 3, "UTF-8"),
        ("x = " + "[" * 5000, 0, "Bad TOML"),
        ("x = " + "9" * 5000, 0, "Bad TOML"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(
    text: str, line: int, what: str, project: ProjectPaths, user: UserPaths
) -> None:
    write(user.config_file, text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ConfigError, match=what) as caught:
        load_config(project, user, {})
    assert (caught.value.path, caught.value.line) == (user.config_file, line)
    assert caught.value.next
    config = load_config_tolerant(project, user, {})
    assert config.problems[0].line == line
    assert not config.ark.enabled


@pytest.mark.parametrize(
    ("text", "meant"), [("[git]\ntimout_second = 1", "git.timeout_seconds"), ("[disc]\nx = 1", "disk")]
)
def test_a_misspelt_name_gets_the_right_one(text: str, meant: str, project: ProjectPaths, user: UserPaths) -> None:
    write(user.config_file, text)
    assert load_config_tolerant(project, user, {}).problems[0].next.startswith(f"did you mean {meant}?")


def test_a_broken_file_leaves_the_other_sources_in_force(project: ProjectPaths, user: UserPaths) -> None:
    write(user.config_file, "[git\n")
    write(project.config_file, "[git]\ntimeout_seconds = 1\n[disk]\nlock_second = 1\n")
    config = load_config_tolerant(
        project, user, {"THRULINE_REDACT_ENTROPY": "off", "THRULINE_GIT_TIMEOUT_SECONDS": "x"}
    )
    assert (config.git.timeout_seconds, config.redact.entropy) == (1.0, False)
    assert [(problem.path, problem.line) for problem in config.problems] == [
        (user.config_file, 1),
        (project.config_file, 4),
        ("THRULINE_GIT_TIMEOUT_SECONDS", 0),
    ]


def test_a_misspelt_variable_of_a_section_is_an_error(project: ProjectPaths, user: UserPaths) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(project, user, {"THRULINE_GIT_TIMEOUT_SECOND": "1"})
    assert caught.value.next == "did you mean THRULINE_GIT_TIMEOUT_SECONDS?"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_in_place_of_the_file_does_not_hang(project: ProjectPaths, user: UserPaths) -> None:
    os.mkfifo(project.config_file)
    assert "no regular file" in load_config_tolerant(project, user, {}).problems[0].what


def test_a_monstrous_file_is_not_read(project: ProjectPaths, user: UserPaths) -> None:
    write(project.config_file, b"#" * (LARGEST_FILE + 1))
    assert "1 MiB" in load_config_tolerant(project, user, {}).problems[0].what


# --- every way of narrowing, on a schema that has them all ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limits:
    fixed: str = key("a", "", project=USER_ONLY)
    down: int = key(5, "", project=LOWER)
    less: float = key(5.0, "", project=LOWER)
    off: bool = key(True, "", project=TURN_OFF)
    on: bool = key(False, "", project=TURN_ON)
    more: tuple[str, ...] = key(("a",), "", project=ADD)


@dataclass(frozen=True, slots=True)
class Sample:
    limits: Limits = Limits()
    origins: dict[str, Origin] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def load_sample(folder: Path, mine: str, theirs: str) -> Sample:
    write(str(folder / "user.toml"), "[limits]\n" + mine)
    write(str(folder / "project.toml"), "[limits]\n" + theirs)
    files = [("user", str(folder / "user.toml")), ("project", str(folder / "project.toml"))]
    return build_config(Sample, files, {})


@pytest.mark.parametrize(
    ("mine", "theirs", "name", "value", "warned"),
    [
        ("", "fixed = 'b'", "fixed", "a", True),
        ("fixed = 'b'", "fixed = 'b'", "fixed", "b", False),
        ("", "down = 4", "down", 4, False),
        ("down = 3", "down = 4", "down", 3, True),
        ("", "less = 4", "less", 4.0, False),
        ("", "less = 5.1", "less", 5.0, True),
        ("", "off = false", "off", False, False),
        ("off = false", "off = true", "off", False, True),
        ("", "on = true", "on", True, False),
        ("on = true", "on = false", "on", True, True),
        ("more = ['b']", "more = ['c', 'b']", "more", ("b", "c"), False),
        ("", "more = []", "more", ("a",), False),
    ],
)
def test_a_project_narrows_as_the_key_declares(
    tmp_path: Path, mine: str, theirs: str, name: str, value: object, warned: bool
) -> None:
    sample = load_sample(tmp_path, mine, theirs)
    assert getattr(sample.limits, name) == value
    assert [problem.ignored for problem in sample.problems] == [True] * warned


@pytest.mark.parametrize(
    "line", ["down = true", "less = inf", "less = true", "on = 1", "more = 'a'", "more = [1]", "fixed = 1"]
)
def test_a_value_of_a_neighbouring_type_does_not_pass(tmp_path: Path, line: str) -> None:
    sample = load_sample(tmp_path, line, "")
    assert [(problem.line, problem.ignored) for problem in sample.problems] == [(2, False)]
    assert sample.limits == Limits()


PLAIN = st.one_of(
    st.booleans().map(lambda value: str(value).lower()),
    st.integers(-10, 10).map(str),
    st.floats().map(repr),
    st.lists(st.sampled_from(["'a'", "'b'", "1"])).map(lambda items: f"[{', '.join(items)}]"),
    st.sampled_from(["'a'", '"b"', "2026-11-16", "{}", "inf", "-nan"]),
)
LINES = st.lists(st.tuples(st.sampled_from([each.name for each in dataclasses.fields(Limits)]), PLAIN), max_size=6)


def join(rows: list[tuple[str, str]]) -> str:
    return "\n".join(f"{name} = {value}" for name, value in dict(rows).items())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LINES, LINES)
def test_a_project_never_widens_whatever_it_says(
    tmp_path: Path, mine: list[tuple[str, str]], theirs: list[tuple[str, str]]
) -> None:
    alone = load_sample(tmp_path, join(mine), "").limits
    both = load_sample(tmp_path, join(mine), join(theirs)).limits
    assert both.fixed == alone.fixed
    assert both.down <= alone.down
    assert both.less <= alone.less
    assert both.off <= alone.off
    assert both.on >= alone.on
    assert set(both.more) >= set(alone.more)


PIECES = st.sampled_from(
    ["[git]", "[[git]]", "git", ".", "timeout_seconds", " = ", "1", "'", '"', '"""', "'''", "\n", "\r\n", "[", "]", "{",
     "}", ",", "#", "\\", "disk.lock_seconds = 2\n", "[ark]\n", "true", "é", "\ufeff", "x = 1\n", "\x00"]
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(max_size=60), st.lists(PIECES, max_size=20).map(lambda parts: "".join(parts).encode())))
def test_no_text_breaks_loading(project: ProjectPaths, user: UserPaths, data: bytes) -> None:
    write(user.config_file, data)
    write(project.config_file, data)
    config = load_config_tolerant(project, user, {})
    assert isinstance(config, Config)
    assert all(problem.path and problem.what for problem in config.problems)


def test_of_many_problems_the_first_are_told_and_the_rest_counted(project: ProjectPaths, user: UserPaths) -> None:
    write(user.config_file, "[git]\n" + "".join(f"k{n} = 1\n" for n in range(50)) + "timeout_seconds = 2\n")
    config = load_config_tolerant(project, user, {})
    assert len(config.problems) == MOST_PROBLEMS + 1
    assert [problem.line for problem in config.problems[:3]] == [2, 3, 4]
    assert config.problems[-1].what == f"And {50 - MOST_PROBLEMS} more like these."
    assert config.git.timeout_seconds == 2.0
    with pytest.raises(ConfigError, match="k0"):
        load_config(project, user, {})


def test_an_error_beyond_the_most_that_are_told_still_stops(project: ProjectPaths, user: UserPaths) -> None:
    text = "[ark]\nenabled = true\n[git]\n" + "".join(f"k{n} = 1\n" for n in range(MOST_PROBLEMS + 5))
    write(project.config_file, text)
    config = load_config_tolerant(project, user, {})
    assert [problem.ignored for problem in config.problems] == [True, *[False] * MOST_PROBLEMS]


MISTAKES = {
    "keys": "[git]\n" + "".join(f"k{n}=1\n" for n in range(40_000)),
    "inline": "git = {" + ", ".join(f"k{n}={{a=1}}" for n in range(20_000)) + "}",
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("kind", MISTAKES)
def test_a_file_of_nothing_but_mistakes_is_read_in_one_pass(kind: str, project: ProjectPaths, user: UserPaths) -> None:
    # Looking for the line of each key from the top again would take minutes.
    write(user.config_file, MISTAKES[kind])
    assert len(load_config_tolerant(project, user, {}).problems) == MOST_PROBLEMS + 1
