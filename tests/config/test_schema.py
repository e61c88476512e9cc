"""The settings themselves: documented, named once, and within their own bounds."""

from pathlib import Path

from thruline.config.check import check_value
from thruline.config.schema import find_settings, render_table

PAGE = Path(__file__).parents[2] / "docs" / "config.md"


def test_the_page_has_the_table_that_the_schema_makes() -> None:
    assert render_table() in PAGE.read_text(encoding="utf-8"), "put this into docs/config.md:\n" + render_table()


def test_no_two_settings_share_a_variable() -> None:
    names = [setting.variable for setting in find_settings()]
    assert len(set(names)) == len(names)
    assert not {"THRULINE_HOME", "THRULINE_OFF"} & set(names)


def test_every_default_suits_its_own_setting_and_has_a_sentence() -> None:
    for setting in find_settings():
        assert check_value(setting, setting.default) == setting.default
        assert setting.rule.doc.endswith(".")
