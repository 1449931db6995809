"""Stores of packages: the function of an entry point that opens one, by the name in a setting."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from okso_jupyter.errors import SettingError, error_text


def opener_of(group: str, name: str, setting: str, hint: str) -> Callable[..., Any]:
    """Return the function that opens a store of an installed package.

    Args:
        group: Group of the entry points.
        name: Name of the store.
        setting: Setting that holds the name.
        hint: What to do where no package offers it.

    Raises:
        SettingError: No package offers it, or it cannot be loaded.
    """
    for point in entry_points(group=group, name=name):
        try:
            found: Callable[..., Any] = point.load()
        except Exception as error:  # a package may fail in any way
            msg = f"the store {name!r} cannot be loaded: {error_text(error)}"
            raise SettingError(msg) from error
        return found
    msg = f"{setting} is {name!r}, and no installed package offers such a store"
    raise SettingError(msg, hint=hint)
