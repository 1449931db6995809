"""Warnings about misspelt names in `config.env`, each logged once."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from okso_jupyter.errors import SettingError
from okso_jupyter.log import LOGGER
from okso_jupyter.settings import config_path, misspelt

_said: Final[set[tuple[str, str]]] = set()


def warn_misspelt() -> None:
    """Log a warning for each misspelt name in the user's `config.env`, once per process."""
    file = str(config_path())
    with suppress(SettingError):  # loading the settings reports it
        for name, near in misspelt().items():
            if (file, name) not in _said:
                _said.add((file, name))
                detail = {"file": file, "name": name}
                LOGGER.warning(
                    "%s is not a setting; did you mean %s?", name, near, extra={"detail": detail}
                )
