"""Arguments as form fields: what is shown, and what is read back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.approval.editing.fields import Edited, edited
from okso_jupyter.plan.holes import FILL
from okso_jupyter.plan.plan import Step
from okso_jupyter.toolkit.tool import Tool
from tests.each_row import each_row

PARAMETERS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["path"],
    "properties": {
        "path": {"type": "string", "description": "Where it is", "minLength": 1},
        "note": {"type": "string"},
        "body": {"type": "string", "x-empty": True},
        "page": {"type": "integer", "minimum": 1},
        "share": {"type": "number"},
        "deep": {"type": "boolean"},
        "mode": {"enum": ["add", "replace", 3]},
        "names": {"type": "array", "items": {"type": "string"}},
        "either": {"type": ["string", "array"]},
        "any": {},
        "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "label": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "ratio": {"oneOf": [{"type": "integer"}, {"type": ["number"]}]},
        "loose": {"anyOf": [{"type": "integer"}, {"minLength": 1}]},
    },
}
TOOL = Tool.from_schema("look", "look at it", PARAMETERS, lambda **_: None, effect="reads")
ARGS: dict[str, Any] = {
    "path": "a.txt", "body": "tea", "page": 2, "share": 0.5, "deep": True, "mode": "add",
    "names": ["a", "b"], "either": ["c"], "any": {"n": 1},
}  # fmt: skip


def read(texts: dict[str, str], args: dict[str, Any] | None = None) -> Edited:
    """Return a step whose fields contain these texts."""
    return edited(Step(id=1, tool="look", args=ARGS if args is None else args), TOOL, texts)


def shown(args: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Return kind and text of every field."""
    return {one.name: (one.kind, one.text) for one in read({}, args).fields}


def error(texts: dict[str, str], args: dict[str, Any] | None = None) -> str:
    """Return the error of the only field that has one."""
    (wrong,) = [one for one in read(texts, args).fields if one.error]
    assert wrong.text == texts[wrong.name]
    return wrong.error


def test_every_kind_of_argument_has_a_field() -> None:
    """The schema determines the field's kind; an omitted argument has an empty field."""
    assert shown(ARGS) == {
        "path": ("text", "a.txt"),
        "body": ("text", "tea"),
        "page": ("number", "2"),
        "share": ("number", "0.5"),
        "deep": ("boolean", "true"),
        "mode": ("choice", "add"),
        "names": ("json", '[\n  "a",\n  "b"\n]'),
        "either": ("json", '[\n  "c"\n]'),
        "any": ("json", '{\n  "n": 1\n}'),
        "note": ("text", ""),
        "limit": ("json", ""),
        "label": ("text", ""),
        "ratio": ("number", ""),
        "loose": ("text", ""),
    }


def test_a_planned_value_of_the_wrong_type_can_be_corrected() -> None:
    """The field follows the schema: a number, a choice or JSON replaces the wrong value."""
    wrong = {"path": "a.txt", "page": "many", "deep": "yes", "mode": 7, "names": "a", "share": True}
    assert shown(wrong) | {
        "page": ("number", "many"),
        "deep": ("boolean", "yes"),
        "mode": ("choice", "7"),
        "names": ("json", '"a"'),
        "share": ("json", "true"),
    } == shown(wrong)
    assert {one.name for one in read({}, wrong).fields if one.error} == set(wrong) - {"path"}
    mended = {"page": "3", "deep": "true", "mode": "3", "names": '["a"]', "share": "0.5"}
    step = read(mended, wrong)
    assert step.is_good
    assert step.step.args == {
        "path": "a.txt", "page": 3, "deep": True, "mode": 3, "names": ["a"], "share": 0.5,
    }  # fmt: skip


def test_a_field_shows_the_schemas_information() -> None:
    """A field has its description, its choices, and whether it is required."""
    fields = {one.name: one for one in read({}).fields}
    assert (fields["path"].description, fields["path"].is_required) == ("Where it is", True)
    assert (fields["mode"].choices, fields["mode"].is_required) == (("add", "replace", "3"), False)


@each_row(
    ("texts", "changes"),
    [
        ({}, {}),
        ({"path": "b.txt"}, {"path": "b.txt"}),
        ({"page": " 3 "}, {"page": 3}),
        ({"share": "1"}, {"share": 1}),
        ({"share": "-.5e1"}, {"share": -5.0}),
        ({"deep": "false"}, {"deep": False}),
        ({"mode": "3"}, {"mode": 3}),
        ({"names": "[]"}, {"names": []}),
        ({"either": '"text"'}, {"either": "text"}),
        ({"note": "5"}, {"note": "5"}),
        ({"any": "null"}, {"any": None}),
        ({"note": "new"}, {"note": "new"}),
        ({"body": ""}, {"body": ""}),
        ({"limit": "3"}, {"limit": 3}),
        ({"label": "3"}, {"label": "3"}),
        ({"ratio": "0.5"}, {"ratio": 0.5}),
        ({"any": "[0.5, 1e3, 2]"}, {"any": [0.5, 1000.0, 2]}),
    ],
)
def test_a_text_is_parsed_by_the_fields_kind(
    texts: dict[str, str], changes: dict[str, Any]
) -> None:
    """An edited field changes its argument, and an unedited one changes nothing."""
    step = read(texts)
    assert step.is_good
    assert repr(dict(step.step.args)) == repr({**ARGS, **changes})


@each_row(
    ("texts", "words"),
    [
        ({"path": ""}, "look needs it"),
        ({"page": "two"}, "'two' is not a number"),
        ({"page": "1.5"}, "1.5 is not of type 'integer'"),
        ({"page": "0"}, "less than the minimum of 1"),
        ({"page": "1_0"}, "not a number"),
        ({"page": "٣"}, "not a number"),
        ({"share": "1e999"}, "not a number"),
        ({"share": "9" * 5000}, "not a number"),
        ({"deep": "yes"}, "'yes' is neither true nor false"),
        ({"mode": "drop"}, "is not one of the choices"),
        ({"names": "a, b"}, "it is not JSON"),
        ({"names": "[1]"}, "1 is not of type 'string'"),
        ({"any": "[NaN]"}, "NaN is not JSON"),
        ({"any": "[1e999]"}, "'1e999' is not a number"),
        ({"limit": "many"}, "it is not JSON"),
        ({"any": "[" * 100_000}, "nested too deep"),
        ({"any": "9" * 5000}, "it is not JSON"),
        ({"note": "\ud800"}, "characters that are not text"),
        ({"any": '"\\ud800"'}, "characters that are not text"),
    ],
)
def test_an_unreadable_text_has_a_one_line_error(texts: dict[str, str], words: str) -> None:
    """The text stays in its field with a one-line error, and the argument is unchanged."""
    assert words in error(texts)
    assert "\n" not in error(texts)


def test_a_cleared_optional_argument_is_omitted() -> None:
    """A cleared optional argument is not passed to the tool."""
    assert "page" not in read({"page": ""}).step.args


def test_a_missing_alternative_is_reported_at_the_cleared_field() -> None:
    """If a tool needs one of two arguments, the cleared field shows the error."""
    schema = {
        **PARAMETERS,
        "required": [],
        "anyOf": [{"required": ["path"]}, {"required": ["note"]}],
    }
    tool = Tool.from_schema("look", "look at it", schema, lambda **_: None, effect="reads")
    read_in = edited(Step(id=1, tool="look", args={"path": "a"}), tool, {"path": ""})
    errors = {one.name: one.error for one in read_in.fields if one.error}
    assert (errors, read_in.error) == ({"path": "it needs path or note"}, "")


def test_a_literal_empty_text_is_not_an_open_slot() -> None:
    """If the tool accepts an empty text, clearing the field gives an empty text."""
    step = read({"body": ""}).step
    assert (step.args["body"], step.open_args, step.literal) == ("", (), ("body",))


@pytest.mark.parametrize("mark", ["", None, dict(FILL), "__MISSING__"])
def test_an_open_argument_stays_open_until_text_is_typed(mark: object) -> None:
    """The field is empty and marked as open; typing a text closes it."""
    untouched, typed = read({}, {"path": mark}), read({"path": "b.txt"}, {"path": mark})
    (field,) = [one for one in untouched.fields if one.name == "path"]
    assert (field.text, field.is_open, untouched.step.args) == ("", True, {"path": mark})
    (field,) = [one for one in typed.fields if one.name == "path"]
    assert (field.is_open, typed.step.args) == (False, {"path": "b.txt"})


def test_an_open_number_is_typed_as_a_number() -> None:
    """The schema determines the type of an open argument."""
    step = read({"page": "5"}, {"path": "a", "page": ""}).step
    assert step.args["page"] == 5


def test_hidden_characters_are_shown_and_restored() -> None:
    """A mark for a hidden character of the value is decoded; other marks stay text."""
    args = {"path": "a\u202eb\r\n"}
    (field,) = [one for one in read({}, args).fields if one.name == "path"]
    assert field.text == "a⟨U+202E⟩b⟨U+000D⟩\n"
    typed = read({"path": "A⟨U+202E⟩⟨U+0000⟩⟨U+000D⟩\n"}, args)
    assert typed.step.args["path"] == "A\u202e⟨U+0000⟩\r\n"


@given(
    st.dictionaries(
        st.sampled_from(["path", "note", "body", "either", "any"]),
        st.recursive(
            st.one_of(st.text(), st.integers(), st.floats(allow_nan=False), st.booleans()),
            lambda inner: st.lists(inner, max_size=3),
            max_leaves=5,
        ),
    )
)
def test_shown_fields_read_back_unchanged(args: dict[str, Any]) -> None:
    """Sending back every field as shown changes no value."""
    texts = {one.name: one.text for one in read({}, args).fields}
    assert repr(dict(read(texts, args).step.args)) == repr(args)
