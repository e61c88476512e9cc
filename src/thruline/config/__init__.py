"""What a user has chosen, and how far a project may narrow it.

One tree of frozen dataclasses in `schema`, read from TOML files and variables by `load`, written back line by line by
`edit`. Everything else takes a Config, or just the value it needs; nothing else reads a config file.
"""

from thruline.config.load import load_config, load_config_tolerant
from thruline.config.schema import Config, Origin, Problem

__all__ = ["Config", "Origin", "Problem", "load_config", "load_config_tolerant"]
