"""`%okso init`: writes the default settings into the user's config.env."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from okso_jupyter.config_file import append_config, read_config
from okso_jupyter.settings import Settings, aliases_of


def write_defaults(file: Path) -> list[str]:
    """Add a line to a `config.env` for every setting that has a default.

    Existing values are kept.

    Returns:
        The names that were added.

    Raises:
        SettingError: The file cannot be read or written.
    """
    present = read_config(file)
    defaults = Settings()
    missing = {}
    for spec in fields(Settings):
        value, spellings = getattr(defaults, spec.name), {spec.name.upper(), *aliases_of(spec)}
        if spellings & set(present) or spec.metadata.get("optional") or value == {}:
            continue
        missing[spec.name.upper()] = str(value).lower() if isinstance(value, bool) else str(value)
    append_config(file, missing)
    return list(missing)
