"""Running a part of a test without root privileges."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from okso_jupyter.sandbox import kernel_layers

Result = TypeVar("Result")


def as_ordinary_user(do: Callable[[], Result]) -> Result:
    """Return the result of a function called with file modes enforced, as for users.

    Root may ignore file modes. On Linux capabilities belong to a thread: a new one drops them,
    and whatever it starts lacks them too.
    """

    def without_powers() -> Result:
        if sys.platform == "linux":
            kernel_layers.drop_capabilities(kernel_layers.load_libc())
        return do()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(without_powers).result()
