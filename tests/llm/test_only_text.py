"""A text that its schema determines is known without a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest

from okso_jupyter.llm.only_text import only_text, with_end, without_end
from okso_jupyter.llm.protocol import ServedQuestion
from tests.each_row import each_row
from tests.llm.asking import CITY, ROME, model_at, question
from tests.llm.openai_server import OpenAIServer, says

_PATH = {
    "type": "object",
    "properties": {"path": {"enum": ["über notes.txt"]}, "lines": {"const": 0.3}},
    "required": ["path", "lines"],
    "additionalProperties": False,
}
_CERTAIN: dict[str, tuple[Mapping[str, Any], str]] = {
    "object": (_PATH, '{"path":"über notes.txt","lines":0.3}'),
    "array": (
        {
            "type": "array", "prefixItems": [{"$ref": "#/$defs/step"}, {"const": None}],
            "items": False, "minItems": 2, "maxItems": 2, "$defs": {"step": _PATH},
        },
        '[{"path":"über notes.txt","lines":0.3},null]',
    ),
    "one way": ({"anyOf": [{"const": {"a": [1, 2]}}]}, '{"a":[1,2]}'),
    "no items": ({"type": "array", "maxItems": 0}, "[]"),
    "no properties": ({"type": "object", "additionalProperties": False}, "{}"),
}  # fmt: skip
_OPEN: dict[str, Mapping[str, Any] | None] = {
    "free": None,
    "anything": {},
    "text": CITY,
    "two values": {"enum": ["a", "b"]},
    "two ways": {"anyOf": [{"const": 1}, {"const": 2}]},
    "maybe missing": {**_PATH, "required": ["path"]},
    "more properties": {**_PATH, "additionalProperties": True},
    "more items": {"type": "array", "prefixItems": [{"const": 1}], "minItems": 1},
    "fewer items": {"type": "array", "prefixItems": [{"const": 1}], "maxItems": 1},
    "another keyword": {**_PATH, "minProperties": 3},
    "endless": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}},
    "no JSON": {"const": {1}},
}


@pytest.mark.parametrize(("schema", "text"), _CERTAIN.values(), ids=_CERTAIN)
def test_the_only_text_is_known(schema: Mapping[str, Any], text: str) -> None:
    """It is compact, and obeys the schema."""
    assert only_text(schema) == text
    jsonschema.validate(json.loads(text), schema)


@each_row("schema", _OPEN.values())
def test_a_schema_with_a_choice_has_no_only_text(schema: Mapping[str, Any] | None) -> None:
    """Neither has one with keywords that are not read."""
    assert only_text(schema) is None


def test_a_server_is_not_asked_for_it() -> None:
    """No token is counted, and no prompt was sent."""
    with OpenAIServer([]) as server:
        answers = model_at(server.spec).complete(question(1, 2, schema=_PATH))

    assert server.seen == []
    assert [answer.text for answer in answers] == [_CERTAIN["object"][1]] * 2
    assert [(one.seed, one.finish, one.flaw) for one in answers] == [
        (1, "stop", ""),
        (2, "stop", ""),
    ]
    assert {(one.prompt, one.prompt_tokens, one.output_tokens) for one in answers} == {("", 0, 0)}


def test_the_other_texts_of_a_call_are_asked_for() -> None:
    """Each completion may have a schema of its own."""
    with OpenAIServer([says(ROME)]) as server:
        asked = question(1, 2, schema=None, schemas=(_PATH, CITY))
        answers = model_at(server.spec).complete(asked)

    assert len(server.seen) == 1
    assert [answer.text for answer in answers] == [_CERTAIN["object"][1], ROME]
    assert answers[0].prompt == ""
    assert "Name a city." in answers[1].prompt


def test_it_stands_within_what_is_known_around_it() -> None:
    """The completion is the whole text, as it is of an answer."""
    asked = question(schema=CITY)
    served = ServedQuestion(asked.messages, _PATH, before='[{"args":', after="}]")
    with OpenAIServer([]) as server:
        (answer,) = model_at(server.spec).complete(question(schema=CITY, served=served))

    assert answer.text == f'[{{"args":{_CERTAIN["object"][1]}}}]'


_TICKETS = {
    "type": "object",
    "properties": {
        "city": {"enum": ["Rome", "Oslo"]},
        "seats": {"const": 2},
        "day": {"const": "é"},
    },
    "required": ["day", "city", "seats"],
    "additionalProperties": False,
}
_FIRST = {**_TICKETS, "properties": {"city": {"enum": ["Rome", "Oslo"]}}, "required": ["city"]}
_BOTH = {"seats": 2, "day": "é"}


def test_the_end_of_an_object_may_be_known() -> None:
    """It is taken off in order, up to the last property with a choice."""
    assert without_end(_TICKETS) == (_FIRST, _BOTH)
    assert list(without_end(_TICKETS)[1]) == ["seats", "day"]


@each_row(
    "schema",
    [
        *_OPEN.values(), _PATH, _FIRST, {**_TICKETS, "required": ["city"]},
        {**_TICKETS, "additionalProperties": True}, {**_TICKETS, "properties": 5},
        {**_TICKETS, "minProperties": 3}, True,
    ],
)  # fmt: skip
def test_other_schemas_are_asked_for_as_they_are(schema: Any) -> None:
    """A property that may be missing has no certain place, and a whole text is no end."""
    assert without_end(schema) == (schema, {})


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (ROME, '{"city":"Rome","seats":2,"day":"é"}'),
        (f"```json\n{ROME}\n```", '{"city":"Rome","seats":2,"day":"é"}'),
        ('{"city":"Rome","seats":3,"day":"é"}', '{"city":"Rome","seats":3,"day":"é"}'),
        ('{"steps":[]}', '{"steps":[]}'),
        ('{"city":"Ro', '{"city":"Ro'),
        ("[1]", "[1]"),
    ],
)
def test_the_end_is_added_to_an_answer_alone(text: str, whole: str) -> None:
    """What the model wrote itself stays, to be judged; so does a text of another form."""
    assert with_end(text, _FIRST, _BOTH) == whole


def test_a_server_is_not_asked_for_an_end() -> None:
    """The completion has it, and obeys the schema that was asked for."""
    with OpenAIServer([says(ROME)]) as server:
        (answer,) = model_at(server.spec).complete(question(schema=_TICKETS))

    (seen,) = server.seen
    assert seen.body["response_format"]["json_schema"]["schema"] == _FIRST
    assert answer.text == '{"city":"Rome","seats":2,"day":"é"}'
    assert answer.flaw == ""


def test_an_answer_that_breaks_the_whole_schema_is_told() -> None:
    """The server gave the end another value than the only one."""
    with OpenAIServer([says('{"city":"Rome","seats":3,"day":"é"}')]) as server:
        (answer,) = model_at(server.spec).complete(question(schema=_TICKETS))

    assert "seats" in answer.flaw
