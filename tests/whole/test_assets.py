"""Schemas are valid, and prompts and their callers use the same placeholders."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from string import Template

import pytest

from okso_jupyter import assets
from okso_jupyter.errors import DocumentError
from okso_jupyter.plan.plan import Plan, Step
from tests.each_row import each_row
from tests.whole.code import FILES, PACKAGE, nodes

PROMPTS = sorted(file.stem for file in (PACKAGE / "prompts").iterdir())


def _calls() -> list[tuple[str, set[str]]]:
    """Return the name and keywords of every `assets.prompt(...)` in the package."""
    return [
        (node.args[0].value, {str(keyword.arg) for keyword in node.keywords})
        for file in FILES
        for node in nodes(file)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and ast.unparse(node.func) == "assets.prompt"
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    ]


@pytest.mark.slow
def test_every_prompt_has_a_caller_that_fills_it() -> None:
    """Each prompt is used, and each use supplies exactly its placeholders."""
    calls = _calls()
    places = {
        name: set(
            Template((PACKAGE / "prompts" / f"{name}.md").read_text("utf-8")).get_identifiers()
        )
        for name in PROMPTS
    }

    assert {name for name, _ in calls} == set(PROMPTS)
    assert [(name, given) for name, given in calls if given != places[name]] == []


def test_a_missing_placeholder_value_is_an_error() -> None:
    """A prompt without a value for a placeholder is an error that lists the placeholders."""
    with pytest.raises(DocumentError, match=r"it has \['tools'\] and was given \[\]"):
        assets.prompt("planner")


def test_placeholders_inside_values_are_not_filled() -> None:
    """Text inside a value that looks like a placeholder is not replaced."""
    assert "${request} $x" in assets.prompt("planner_request", request="${request} $x", feedback="")


@each_row("name", PROMPTS)
def test_an_unknown_placeholder_is_an_error(name: str) -> None:
    """Each prompt refuses a value for a placeholder that it does not have."""
    with pytest.raises(DocumentError, match=f"prompt {name}: it has "):
        assets.prompt(name, nowhere="x")


@pytest.mark.parametrize(
    ("text", "reason"), [("costs $5", "begins no place"), (None, "cannot be read")]
)
def test_an_invalid_prompt_file_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, reason: str
) -> None:
    """A stray dollar sign or a missing file is an error when the prompt is loaded."""
    monkeypatch.setattr(assets, "folder", tmp_path.joinpath)
    (tmp_path / "prompts").mkdir()
    if text is not None:
        (tmp_path / "prompts" / "odd_one.md").write_text(text)

    with pytest.raises(DocumentError, match=reason):
        assets.prompt("odd_one")


@each_row("name", assets.schema_names())
def test_every_schema_is_a_json_schema(name: str) -> None:
    """Each file in `schemas/` is valid under the dialect that it names."""
    document = assets.schema(name)

    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert assets.validator_for(document).is_valid(json.loads("17")) is False


def test_an_invalid_schema_is_refused() -> None:
    """An invalid schema raises a DocumentError, not an exception of the library."""
    with pytest.raises(DocumentError, match="not a JSON Schema"):
        assets.validator_for({"type": "nonsense"})


def test_a_schema_with_a_tuple_is_refused_after_one_with_a_list() -> None:
    """Which schemas were checked is remembered by what they hold, not by what JSON makes of it."""
    assets.validator_for({"required": ["a"]})
    with pytest.raises(DocumentError, match="not a JSON Schema"):
        assets.validator_for({"required": ("a",)})


def test_the_plan_schema_has_the_fields_of_the_records() -> None:
    """The plan schema has exactly the fields of Plan and Step."""
    document = assets.schema("planner_plan.schema.json")

    assert set(document["properties"]) == set(Plan.__dataclass_fields__)
    assert set(document["$defs"]["step"]["properties"]) == set(Step.__dataclass_fields__)
