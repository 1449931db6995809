"""Settings: every setting is declared once, with its name, default, range, unit and meaning.

In: the environment, `config.env`, `%config` and cell options. Out: one frozen, checked `Settings`.
`table` and the files called `*_rows` declare the settings, `ranges` their allowed values, and
`sources` where values come from. Nothing else reads the environment. Any room may import this.
"""

from okso_jupyter.settings.ranges import aliases_of, describe_range
from okso_jupyter.settings.sources import (
    config_path,
    environment,
    secret_sources,
    standing_values,
    working_folder,
)
from okso_jupyter.settings.table import Settings, misspelt, names, sources

__all__ = [
    "Settings",
    "aliases_of",
    "config_path",
    "describe_range",
    "environment",
    "misspelt",
    "names",
    "secret_sources",
    "sources",
    "standing_values",
    "working_folder",
]
