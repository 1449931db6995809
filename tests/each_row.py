"""`each_row` runs a test for many rows at once, where `pytest.mark.parametrize` makes one of each.

It is for functions that take microseconds: around each test, pytest takes some milliseconds.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

_Test = Callable[..., None]


def each_row(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[_Test], _Test]:
    """Return a decorator that runs a test for each row, and tells all the rows that fail.

    Args:
        names: The parameters that a row has values for, as for `pytest.mark.parametrize`.
        rows: Values in the order of the names; a value for one name stands alone.

    Raises:
        ValueError: There are no rows, or one has more or fewer values than there are names.
    """
    own = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    values = [dict(zip(own, row if len(own) > 1 else [row], strict=True)) for row in rows]
    if not values:
        msg = "a test without rows cannot fail"
        raise ValueError(msg)

    def decorated(test: _Test) -> _Test:
        @functools.wraps(test)
        def whole(**others: Any) -> None:
            failed = [error for row in values if (error := _failure(test, row, others))]
            if failed:
                msg = f"{len(failed)} of {len(values)} rows failed"
                raise BaseExceptionGroup(msg, failed)

        left = [p for p in inspect.signature(test).parameters.values() if p.name not in own]
        whole.__signature__ = inspect.Signature(left)  # type: ignore[attr-defined]  # pytest reads it
        return whole

    return decorated


def _failure(test: _Test, row: dict[str, Any], others: dict[str, Any]) -> BaseException | None:
    try:
        test(**row, **others)
    except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  any failure of the test
        error.add_note(f"in the row {row!r}")
        return error
    return None
