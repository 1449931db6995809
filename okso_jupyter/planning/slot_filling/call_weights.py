"""CallWeights: fitted weights for calls of tools without examples; `make fit-calls` writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

FILE: Final = "call_weights.json"


@dataclass(frozen=True, slots=True)
class CallWeights:
    """Fitted weights.

    Attributes:
        about: What they were fitted on: date, cases, checksum, shares of held-out cases.
        need: The weight of each sign that a request needs a tool, and "bias".
    """

    about: Mapping[str, Any]
    need: Mapping[str, float]


@cache
def shipped_weights() -> CallWeights:
    """Return the weights that ship with the package."""
    text = resources.files(__package__).joinpath(FILE).read_text("utf-8")
    return CallWeights(**json.loads(text))
