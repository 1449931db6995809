"""What is said where no observation supports an answer."""

from __future__ import annotations

from typing import Final

#: Stands before what a model says without a tool.
FROM_MODEL: Final = "From the model's own knowledge, nothing was looked up: "
#: What is said where a model is too small to know anything.
NO_ANSWER: Final = (
    "I cannot answer that: no tool was called, and the model in use is too small to know it."
)
