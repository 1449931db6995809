"""Base of all events: a frozen dataclass whose fields are the keys of a record's body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from okso_jupyter.journal.codec import from_json, to_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One event of a run, as stored in the journal.

    The body of its record has the fields as keys, in their order. A field that records of earlier
    versions may lack has a default; all other fields are required.

    Attributes:
        kind: The kind of its record.
    """

    kind: ClassVar[str]

    def to_json(self) -> dict[str, Any]:
        """Return the body of the record as JSON data."""
        return to_json(self)

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        """Read the body of a record; unknown keys are ignored.

        Raises:
            TypeError: A value has the wrong type.
            ValueError: A key is missing, or a value is not one of the allowed ones.
        """
        return from_json(cls, body)
