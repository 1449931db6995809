"""The data as cases and tools, and which of them a limit takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.quality.cases import Case, CasesError, categories, json_schema, load, spread
from tests.quality.made_cases import AREA_IS, case_of, write_cases


def test_the_datas_types_become_those_of_json_schema() -> None:
    """Types are mapped at every depth; a property that is called "type" is left alone."""
    data = {
        "type": "dict",
        "properties": {
            "type": {"type": "float"},
            "pair": {"type": "tuple", "items": {"type": "float"}},
            "free": {"type": "any", "description": "dict"},
        },
    }

    assert json_schema(data) == {
        "type": "object",
        "properties": {
            "type": {"type": "number"},
            "pair": {"type": "array", "items": {"type": "number"}},
            "free": {"description": "dict"},
        },
    }


def test_enumerations_that_their_type_forbids_are_read_as_meant() -> None:
    """Texts of numbers and truth values become those; of a list, the items are enumerated."""
    schemas: Sequence[Mapping[str, Any]] = [
        {"type": "integer", "enum": ["1", 2, "any"]},
        {"type": "boolean", "enum": ["True", "False", "any"]},
        {"type": "array", "items": {"type": "string"}, "enum": ["a", "b"]},
        {"type": "string", "enum": ["1", "2"]},
    ]

    assert [json_schema(schema) for schema in schemas] == [
        {"type": "integer", "enum": [1, 2]},
        {"type": "boolean", "enum": [True, False]},
        {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
        {"type": "string", "enum": ["1", "2"]},
    ]


def test_a_name_with_dots_is_a_tool() -> None:
    """The functions of a case make a catalogue under their own names."""
    assert [tool.name for tool in case_of(AREA_IS).tools()] == ["geometry.area", "root"]


def test_system_messages_stand_before_the_last_one_of_the_user() -> None:
    """Earlier turns of the user are left out; what the system was told is not."""
    turns = [("system", "Be brief."), ("user", "Hello"), ("user", "Area?")]
    messages = [{"role": role, "content": content} for role, content in turns]
    case = Case(
        name="one", category="live_simple", messages=messages, functions=(), wanted="these",
        accepted=(),
    )  # fmt: skip

    assert case.request == "Be brief.\n\nArea?"


@pytest.mark.parametrize("count", [1, 2, 7, 100, 527])
def test_every_beginning_is_spread_over_all(count: int) -> None:
    """Each item comes once; among the first n, no gap is wider than a small share of all."""
    order = spread(range(count))

    assert sorted(order) == list(range(count))
    for first in (2, 4, 8, 16):
        places = sorted(order[:first])
        gaps = [b - a for a, b in zip(places, [*places[1:], count], strict=True)]
        assert max(gaps) <= max(1, 4 * count // first)


def test_a_larger_limit_extends_a_smaller_one(tmp_path: Path) -> None:
    """The same cases come each time, and more of them for more."""
    write_cases(tmp_path, "multiple", 50)
    few, more, everything = (load(tmp_path, "multiple", limit) for limit in (5, 20, None))

    assert few == load(tmp_path, "multiple", 5)
    assert more[:5] == few
    assert len(everything) == 50


def test_a_folder_without_cases_is_said(tmp_path: Path) -> None:
    """The message names the folder, or the file and what is wrong with it."""
    with pytest.raises(CasesError, match=r"nowhere holds no cases .*--cases"):
        categories(tmp_path / "nowhere")
    (tmp_path / "multiple.jsonl").write_text('{"id": "one"}\n')
    with pytest.raises(CasesError, match=r"multiple\.jsonl cannot be read as cases: KeyError"):
        load(tmp_path, "multiple")
