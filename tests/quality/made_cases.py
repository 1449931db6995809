"""Cases made for tests: two tools, one request, and files with them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.quality.answers import Key
from benchmarks.quality.cases import Case, Wanted, json_schema
from benchmarks.quality.checker import Call

AREA: Mapping[str, Any] = {
    "name": "geometry.area",
    "description": "Area of a triangle.",
    "parameters": {
        "type": "dict",
        "properties": {
            "base": {"type": "float"},
            "height": {"type": "float"},
            "unit": {"type": "string"},
        },
        "required": ["base", "height"],
    },
}
AREA_IS: Mapping[str, Any] = {"geometry.area": {"base": [10], "height": [5], "unit": ["units", ""]}}
ROOT: Mapping[str, Any] = {
    "name": "root",
    "description": "Root of a number.",
    "parameters": {"type": "dict", "properties": {"of": {"type": "float"}}, "required": ["of"]},
}
#: What is right in the categories that have no accepted calls.
WANTED: Mapping[str, Wanted] = {"irrelevance": "none", "live_relevance": "some"}
KEY = Key(contestant="okso_jupyter", model="tiny", settings="", code="1")


def case_of(
    *accepted: Mapping[str, Any], category: str = "simple_python", name: str = "one"
) -> Case:
    """Return a case with the tools above."""
    return Case(
        name=name,
        category=category,
        messages=[{"role": "user", "content": "Area of a triangle, base 10, height 5"}],
        functions=[
            {**each, "parameters": json_schema(each["parameters"])} for each in (AREA, ROOT)
        ],
        wanted=WANTED.get(category, "these"),
        accepted=accepted,
    )


def write_cases(folder: Path, category: str, count: int) -> None:
    """Write a file of cases that all accept the same call."""
    lines = [
        json.dumps(
            {
                "id": f"{category}_{number}",
                "question": [
                    [{"role": "user", "content": "Area of a triangle, base 10, height 5"}]
                ],
                "function": [AREA],
                "accepted": None if category == "irrelevance" else [AREA_IS],
            }
        )
        for number in range(count)
    ]
    (folder / f"{category}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


def area(**changed: Any) -> Call:
    """Return the accepted call, or one with changed arguments."""
    return Call("geometry.area", {"base": 10, "height": 5, **changed})
