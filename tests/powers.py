"""Running a part of a test without the powers of root."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from okso_jupyter.sandbox import kernel_layers

Result = TypeVar("Result")


def as_ordinary_user(do: Callable[[], Result]) -> Result:
    """Return what a function gives where the modes of files count, which root may overlook.

    On Linux powers are those of a thread: one of its own gives them up, and so does what it starts.
    """

    def without_powers() -> Result:
        if sys.platform == "linux":
            kernel_layers.drop_capabilities(kernel_layers.load_libc())
        return do()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(without_powers).result()
