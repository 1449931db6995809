"""Reading the data as cases and tools, and the cases that a limit selects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.quality.cases import Case, CasesError, categories, json_schema, load, spread
from tests.quality.made_cases import AREA_IS, case_of, write_cases


def test_the_datas_types_become_json_schema_types() -> None:
    """Types are mapped at every depth; a property named "type" is left alone."""
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


def test_enumerations_that_contradict_their_type_are_repaired() -> None:
    """Texts become numbers or booleans; a list's enumeration applies to its items."""
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


def test_a_name_with_dots_can_be_a_tool() -> None:
    """The functions of a case form a catalogue under their own names."""
    assert [tool.name for tool in case_of(AREA_IS).tools()] == ["geometry.area", "root"]


def test_system_messages_precede_the_last_user_message() -> None:
    """Earlier user messages are left out; system messages are kept."""
    turns = [("system", "Be brief."), ("user", "Hello"), ("user", "Area?")]
    messages = [{"role": role, "content": content} for role, content in turns]
    case = Case(
        name="one", category="live_simple", messages=messages, functions=(), wanted="these",
        accepted=(),
    )  # fmt: skip

    assert case.request == "Be brief.\n\nArea?"


@pytest.mark.parametrize("count", [1, 2, 7, 100, 527])
def test_every_prefix_is_spread_over_all_items(count: int) -> None:
    """Each item occurs once; no gap among the first n exceeds four times an even share."""
    order = spread(range(count))

    assert sorted(order) == list(range(count))
    for first in (2, 4, 8, 16):
        places = sorted(order[:first])
        gaps = [b - a for a, b in zip(places, [*places[1:], count], strict=True)]
        assert max(gaps) <= max(1, 4 * count // first)


def test_a_larger_limit_extends_a_smaller_one(tmp_path: Path) -> None:
    """The same limit selects the same cases, and a larger one selects more after them."""
    write_cases(tmp_path, "multiple", 50)
    few, more, everything = (load(tmp_path, "multiple", limit) for limit in (5, 20, None))

    assert few == load(tmp_path, "multiple", 5)
    assert more[:5] == few
    assert len(everything) == 50


def test_a_folder_without_cases_is_reported(tmp_path: Path) -> None:
    """The message names the folder, or the file and its fault."""
    with pytest.raises(CasesError, match=r"nowhere holds no cases .*--cases"):
        categories(tmp_path / "nowhere")
    (tmp_path / "multiple.jsonl").write_text('{"id": "one"}\n')
    with pytest.raises(CasesError, match=r"multiple\.jsonl cannot be read as cases: KeyError"):
        load(tmp_path, "multiple")
