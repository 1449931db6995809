"""Texts for answers that no observation supports."""

from __future__ import annotations

from typing import Final

#: Prefix of an answer that a model gives without a tool.
FROM_MODEL: Final = "From the model's own knowledge, nothing was looked up: "
#: Answer in place of one by a model that is too small to know anything.
NO_ANSWER: Final = (
    "I cannot answer that: no tool was called, and the model in use is too small to know it."
)
