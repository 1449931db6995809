"""Buttons that a cell leaves below its result: where clicks work, and how many are kept."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, Protocol

from okso_jupyter.kernel.front_end import detect
from okso_jupyter.kernel.waiting import strategy

_MOST_KEPT: Final = 50


class Closable(Protocol):
    """A widget with buttons."""

    def close(self) -> None:
        """Remove the buttons."""


class KeptButtons:
    """The buttons of one kind in this kernel, by what they are for; the oldest are closed."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Closable] = {}

    def keep(self, key: Hashable, button: Closable) -> None:
        """Keep a button in place of the one with the same key."""
        self.drop(key)
        while len(self._kept) >= _MOST_KEPT:
            self._kept.pop(next(iter(self._kept))).close()
        self._kept[key] = button

    def drop(self, key: Hashable) -> None:
        """Close the button with a key, if there is one."""
        if key in self._kept:
            self._kept.pop(key).close()


def can_click() -> bool:
    """Return whether the kernel can handle clicks."""
    return detect() == "notebook" and strategy() != "prompt"
