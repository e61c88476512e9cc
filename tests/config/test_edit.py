"""Changing one key of a config file, and nothing else in it."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thruline.config.edit import render_value, set_key, unset_key
from thruline.config.place import find_places
from thruline.config.schema import find_settings

SETTINGS = {setting.key: setting for setting in find_settings()}
TIMEOUT = SETTINGS["git.timeout_seconds"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[git]\ntimeout_seconds = 2.0\n"),
        ("# note", "# note\n\n[git]\ntimeout_seconds = 2.0\n"),
        ("[git]\ntimeout_seconds = 5 # why\nx = 1\n", "[git]\ntimeout_seconds = 2.0 # why\nx = 1\n"),
        ("[git]\r\n  x = 1\r\n\r\n[disk]\r\n", "[git]\r\n  x = 1\r\n  timeout_seconds = 2.0\r\n\r\n[disk]\r\n"),
        ("[git] # c\n\n[disk]\n", "[git] # c\ntimeout_seconds = 2.0\n\n[disk]\n"),
        ("[git]", "[git]\ntimeout_seconds = 2.0\n"),
        ("git.x = 1\n[disk]\n", "git.x = 1\ngit.timeout_seconds = 2.0\n[disk]\n"),
        ("git . 'timeout_seconds' = 1", "git . 'timeout_seconds' = 2.0"),
        ("git = { x = {y = 1}, z = 2 } # c", "git = { x = {y = 1}, z = 2, timeout_seconds = 2.0 } # c"),
        ("git = {}", "git = { timeout_seconds = 2.0 }"),
        ("git = {timeout_seconds=1,x=2}", "git = {timeout_seconds=2.0,x=2}"),
        ("\ufeff[git]\n", "\ufeff[git]\ntimeout_seconds = 2.0\n"),
        ('a = """\n[git]\nx = 1"""\n', 'a = """\n[git]\nx = 1"""\n\n[git]\ntimeout_seconds = 2.0\n'),
        ('a = """x"""""\n[git]\ntimeout_seconds = 1', 'a = """x"""""\n[git]\ntimeout_seconds = 2.0'),
        ('a = "\\"["\n[git]\ntimeout_seconds = 1', 'a = "\\"["\n[git]\ntimeout_seconds = 2.0'),
        ("[git]\nx = [\n 1, # ]\n]\n[disk]\n", "[git]\nx = [\n 1, # ]\n]\ntimeout_seconds = 2.0\n[disk]\n"),
    ],
)  # fmt: skip
def test_setting_a_key_follows_the_form_that_is_there(before: str, after: str) -> None:
    assert set_key(before, TIMEOUT, 2.0, "") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[git]\n# c\ntimeout_seconds = 5 # why\nx = 1\n", "[git]\n# c\nx = 1\n"),
        ("[git]\ntimeout_seconds = 5", ""),
        ("[git]\ntimeout_seconds = 5\n\n\n[disk]\n", "[disk]\n"),
        ("# mine\r\n\r\n[git]\r\ntimeout_seconds = 5\r\n", "# mine\r\n"),
        ("[disk]\nlock_seconds = 1\n\n[git]\ntimeout_seconds = 5\n", "[disk]\nlock_seconds = 1\n"),
        ("[git] # mine\ntimeout_seconds = 5\n", "[git] # mine\n"),
        ("[git]\n# mine\ntimeout_seconds = 5\n", "[git]\n# mine\n"),
        ("[git]\ntimeout_seconds = 5\n# of disk\n[disk]\n", "[git]\n# of disk\n[disk]\n"),
        ("[git]\ntimeout_seconds = 5\n[git.x]\ny = 1\n", "[git.x]\ny = 1\n"),
        ("git = {timeout_seconds = 1, x = 2}\n", "git = { x = 2 }\n"),
        ("git = {timeout_seconds = 1}\n", "git = {}\n"),
        ("git.timeout_seconds = 1\ngit.x = 2\n", "git.x = 2\n"),
        ("[disk]\n", "[disk]\n"),
    ],
)
def test_unsetting_a_key_takes_its_line_only(before: str, after: str) -> None:
    assert unset_key(before, "git", "timeout_seconds", "") == after


BLOCKS = st.lists(
    st.sampled_from(
        ["# c", "", "[git]", "[disk]", "[redact]", "[ark]", "git.timeout_seconds = 1", "timeout_seconds = 3 # t",
         "lock_seconds = 1", "enabled = false", "entropy=true", 'x = """\n[git]\n"""', "y = [\n 1,\n 2 ]", "disk = {}",
         "git = { timeout_seconds = 1 }", '"hooks".enabled = true', "z = 'a # b'"]
    ),
    max_size=8,
).map("\n".join)  # fmt: skip


@given(BLOCKS, st.sampled_from(sorted(SETTINGS)), st.booleans(), st.floats(0.1, 600))
def test_a_set_key_reads_back_and_every_other_stays(text: str, name: str, flag: bool, number: float) -> None:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    setting = SETTINGS[name]
    if not isinstance(data.get(setting.section, {}), dict):
        return
    value = flag if setting.type is bool else number
    made = set_key(text, setting, value, "")
    data.setdefault(setting.section, {})[setting.name] = value
    assert tomllib.loads(made) == data
    for line in text.split("\n"):
        if setting.name not in line and "{" not in line:
            assert line in made.split("\n")
    assert set_key(made, setting, value, "") == made
    assert setting.name not in tomllib.loads(unset_key(made, setting.section, setting.name, "")).get(
        setting.section, {}
    )


@given(st.text())
def test_scanning_any_text_ends_without_an_error(text: str) -> None:
    for place in find_places(text):
        assert 0 <= place.start <= place.value <= place.end <= len(text)
        assert place.line == text.count("\n", 0, place.start) + 1


@given(
    st.one_of(
        st.text(st.characters(exclude_categories=["Cs"])), st.booleans(), st.integers(), st.floats(allow_nan=False)
    )
)
def test_a_rendered_value_is_toml(value: str | float) -> None:
    if not isinstance(value, int) or abs(value) < 2**63:
        assert tomllib.loads("x = " + render_value(value))["x"] == value
