"""Whether a value suits a setting, and how text becomes one."""

import math
from typing import Any

from thruline.config.schema import Setting, Value

_TRUE = ("true", "1", "yes", "on")
_FALSE = ("false", "0", "no", "off")


class Unsuitable(Exception):
    """Why a value does not suit its setting; becomes a ConfigError or UsageError with a place."""


def check_value(setting: Setting, value: Any) -> Value:
    """`value` in the setting's own type; Unsuitable where it has another or is out of bounds."""
    made = _convert(setting, value)
    strange = [each for each in made if each not in setting.rule.choices] if isinstance(made, tuple) else []
    if strange and setting.rule.choices:
        raise Unsuitable(f'{setting.key} has no "{strange[0]}": any of {", ".join(setting.rule.choices)}.')
    if isinstance(made, bool | str | tuple):
        return made
    if not (math.isfinite(made) and setting.rule.least <= made <= setting.rule.most):
        raise Unsuitable(f"{setting.key} must lie between {setting.rule.least:g} and {setting.rule.most:g}.")
    return made


def _convert(setting: Setting, value: Any) -> Value:
    if setting.type is float and type(value) is int and abs(value) < 2**53:
        return float(value)
    if setting.type is tuple and isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    if type(value) is setting.type and isinstance(value, bool | int | float | str | tuple):
        return value
    raise Unsuitable(f"{setting.key} must be {setting.type_name}.")


def parse_value(setting: Setting, text: str) -> Value:
    """The value that `text`, from a variable or the command line, stands for; a list is parted by commas, or in []."""
    made: Any = text
    word = text.strip().lower()
    try:
        if setting.type is bool:
            made = True if word in _TRUE else False if word in _FALSE else text
        elif setting.type is int:
            made = int(text)
        elif setting.type is float:
            made = float(text)
        elif setting.type is tuple and word.startswith("["):
            import tomllib

            made = tomllib.loads("it = " + text)["it"]  # as it stands in the file
        elif setting.type is tuple:
            made = [each.strip() for each in text.split(",") if each.strip()]
    except ValueError:
        made = text
    return check_value(setting, made)
