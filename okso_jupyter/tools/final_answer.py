"""final_answer: the last step of every plan."""

from __future__ import annotations

from okso_jupyter.toolkit.tool import tool


@tool(
    parameters={"properties": {"input": {"type": "string", "x-omit": True}}},
    effect="none",
    groups=("general",),
)
def final_answer(input: str = "") -> str:  # noqa: A002  okso's name for a lone text argument
    """Answer the user; always the last step."""
    return input
