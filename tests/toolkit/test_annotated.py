"""A function's annotations and docstring are its schema; pydantic models reach it as such."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, field_validator

from okso_jupyter import tool
from okso_jupyter.errors import ToolDefinitionError, ToolInputError
from okso_jupyter.toolkit.context import ToolContext
from tests.bench import END, Bench


class Place(BaseModel):
    """Where something is."""

    city: str
    zip_code: int = 0

    @field_validator("city")
    @classmethod
    def _is_known(cls, city: str) -> str:
        if city == "Atlantis":
            msg = "it was lost"
            raise ValueError(msg)
        return city


def _many(  # noqa: PLR0913  one of each kind
    context: ToolContext,
    path: Annotated[str, "File to read.", {"x-ground": "file"}],
    most: int,
    share: float | None = None,
    *,
    order: Literal["first", "last"] = "first",
    names: Sequence[str] = (),
    limits: Mapping[str, float] | None = None,
) -> str:
    """List lines.

    They are counted.

    Args:
        context: What it is lent.
        path: This is said better by the annotation.
        most: How many lines
            to list.
        share: Share of the lines.
        order: Which ones.
        names: Whose lines.
        limits: Where to stop.

    Returns:
        The lines.
    """
    return f"{context} {path} {most} {share} {order} {names} {limits}"


def test_annotations_and_docstring_are_the_schema() -> None:
    """The context is no argument; defaults are optional; descriptions are those of `Args:`."""
    made = tool(effect="reads")(_many)
    assert (made.name, made.description) == ("_many", "List lines.")
    assert made.parameters == {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "path": {"type": "string", "description": "File to read.", "x-ground": "file"},
            "most": {"type": "integer", "description": "How many lines to list."},
            "share": {"type": ["number", "null"], "description": "Share of the lines."},
            "order": {
                "type": "string", "enum": ["first", "last"], "description": "Which ones.",
                "default": "first",
            },
            "names": {
                "type": "array", "items": {"type": "string"}, "description": "Whose lines.",
            },
            "limits": {
                "anyOf": [
                    {"type": "object", "additionalProperties": {"type": "number"}},
                    {"type": "null"},
                ],
                "description": "Where to stop.",
            },
        },
        "required": ["path", "most"],
    }  # fmt: skip


def _unannotated(x):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    return x


def _open(*words: str) -> None:
    del words


def _folder(path: Path) -> None:
    del path


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (_unannotated, "argument x has no annotation"),
        (_open, "argument words stands for any number of values"),
        (_folder, "argument path is annotated Path, which is no JSON value"),
    ],
)
def test_what_json_schema_cannot_say_is_refused(function: Callable[..., Any], reason: str) -> None:
    """The error names the argument and the way out."""
    with pytest.raises(ToolDefinitionError, match=f"{reason}; say it in parameters="):
        tool(effect="none")(function)


def test_a_model_of_pydantic_is_an_argument_with_its_schema(bench: Bench) -> None:
    """The call is checked by the model's schema, and the function gets the model or a list."""
    got: list[Any] = []

    @tool(effect="none")
    def travel(place: Place, others: list[Place]) -> str:
        """Travel to a place."""
        got.extend([place, *others])
        return place.city

    assert travel.violations({"place": {"zip_code": 1}, "others": []})
    bench.extra.append(travel)
    args = {"place": {"city": "Rome"}, "others": [{"city": "Oslo", "zip_code": 7}]}
    run = bench.run([{"tool": "travel", "args": args}, END])
    assert run.answer == "Rome"
    assert got == [Place(city="Rome"), Place(city="Oslo", zip_code=7)]


def test_what_a_model_refuses_is_a_wrong_argument() -> None:
    """A rule that the schema does not say fails the call and names the argument."""

    @tool(effect="none")
    def travel(place: Place) -> str:
        """Travel to a place."""
        return place.city

    with pytest.raises(ToolInputError, match=r"place: .*it was lost"):
        travel.call(None, {"place": {"city": "Atlantis"}})
