"""Arguments are narrowed to what a request offers; every narrowed value obeys the tool."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from okso_jupyter.planning.slot_filling.argument_schema import Grounding
from okso_jupyter.planning.slot_filling.mentions import Reading, read
from okso_jupyter.planning.slot_filling.provenance import unsaid


def offered(request: str, required: tuple[str, ...] = (), **parts: Any) -> dict[str, Any]:
    """Return the schema of every argument for a request."""
    parameters = {"type": "object", "properties": parts, "required": list(required)}
    properties: dict[str, Any] = Grounding(Reading(request)).arguments(parameters)["properties"]
    return properties


def test_a_number_goes_to_the_parameter_that_its_words_name() -> None:
    """The order of the parameters does not matter."""
    number = {"type": "integer"}
    found = offered(
        "a height of 5 and a base of 10", ("base", "height"), base=number, height=number
    )

    assert found == {"base": {"const": 10}, "height": {"const": 5}}


def test_pairs_are_taken_in_order() -> None:
    """What differs in a figure only is said in that order."""
    number = {"type": "integer"}
    found = offered(
        "the sides 3, 4 and 5",
        ("side1", "side2", "side3"),
        side1=number,
        side2=number,
        side3=number,
    )

    assert [found[name]["const"] for name in ("side1", "side2", "side3")] == [3, 4, 5]


def test_a_share_is_a_fraction_unless_a_percentage_is_wanted() -> None:
    """8% is 0.08 of a rate, and 8 where the description says percent."""
    found = offered("a rate of 8%", ("rate",), rate={"type": "number", "description": "The rate."})
    assert found == {"rate": {"const": 0.08}}

    wants = {"type": "number", "description": "The rate in percent."}
    assert offered("a rate of 8%", ("rate",), rate=wants) == {"rate": {"const": 8}}


@pytest.mark.parametrize(
    ("request_", "name", "schema", "value"),
    [
        ("Book it for March 5, 2024", "date", {"description": "YYYY-MM-DD"}, "2024-03-05"),
        ("Book it for March 5, 2024", "date", {"description": "MM/DD/YYYY"}, "03/05/2024"),
        ("Tell me about the player 'Sam'", "player", {}, "Sam"),
        ("a song by Ann Lee", "artist", {}, "Ann Lee"),
        ("a flight from Oslo to Rome", "destination", {}, "Rome"),
        ("mail it to ann@example.org", "email", {}, "ann@example.org"),
        ("games of the Premier League", "league", {}, "Premier League"),
        ("run the command dir /s now, please", "command", {}, "dir /s now"),
        ("museums in Paris, France", "country", {}, "France"),
        ("museums in Paris, France", "city", {}, "Paris"),
    ],
)
def test_a_sign_decides(request_: str, name: str, schema: dict[str, str], value: str) -> None:
    """What a request says by its form is not left to a model."""
    assert offered(request_, (name,), **{name: {"type": "string", **schema}}) == {
        name: {"enum": [value]}
    }


def test_what_nobody_speaks_of_is_left_out() -> None:
    """An optional parameter that no word of the request names is not there to be filled."""
    found = offered(
        "museums in Paris", ("city",), city={"type": "string"},
        unit={"enum": ["km", "miles"]}, detailed={"type": "boolean"}, limit={"type": "integer"},
    )  # fmt: skip
    assert list(found) == ["city"]


def test_an_option_that_is_said_is_taken() -> None:
    """Of an enumeration, what the request speaks of."""
    unit = {"type": "string", "enum": ["celsius", "fahrenheit"]}
    assert offered("in Fahrenheit please", unit=unit) == {"unit": {"enum": ["fahrenheit"]}}


def test_a_code_is_looked_up_in_the_description() -> None:
    """Where a description lists what its numbers mean, the meaning is enough."""
    service = {"type": "integer", "description": "1 for cleaning, 2 for ironing, 3 for massage."}
    assert offered("someone for ironing", ("service",), service=service) == {
        "service": {"enum": [2]}
    }


def test_a_list_is_taken_as_a_whole() -> None:
    """A row of numbers or names is one value of a parameter that takes several."""
    row = {"type": "array", "items": {"type": "number"}}
    assert offered("the mean of 1, 2 and 3", ("data",), data=row) == {"data": {"const": [1, 2, 3]}}


@given(
    st.text(max_size=120),
    st.sampled_from(
        [
            {"type": "string"},
            {"type": "integer"},
            {"type": "number"},
            {"type": "boolean"},
            {"enum": ["one thing", "another"]},
            {"type": "array", "items": {"type": "string"}},
            {"type": "array", "items": {"type": "integer"}},
            {"type": "object", "properties": {"inner": {"type": "string"}}, "required": ["inner"]},
        ]
    ),
)
def test_every_offer_is_a_schema_that_something_obeys(text: str, part: dict[str, Any]) -> None:
    """No request makes a schema that is broken, or an enumeration without a value."""
    parameters = {"type": "object", "properties": {"thing": part}, "required": ["thing"]}
    found = Grounding(Reading(text)).arguments(parameters)

    Draft202012Validator.check_schema(found)
    assert found["properties"]["thing"].get("enum") != []


def test_what_is_made_up_is_named() -> None:
    """A value is said by the request, as it is or as a share or date, or by the schema."""
    parameters = {
        "properties": {
            "rate": {"type": "number"},
            "unit": {"enum": ["km"]},
            "city": {"type": "string"},
        }
    }
    request = "a rate of 8% in Oslo"

    assert unsaid({"rate": 0.08, "unit": "km", "city": "Oslo"}, parameters, request) == []
    assert unsaid({"rate": 0.09, "city": "Rome"}, parameters, request) == ["rate", "city"]


@pytest.mark.parametrize(
    ("request_", "part", "offer"),
    [
        ("for 10 days", {"type": "integer", "maximum": 7}, {"type": "integer", "maximum": 7}),
        ("for -3 days", {"type": "integer", "exclusiveMinimum": 0}, {"exclusiveMinimum": 0}),
        ("the days 'ab' and 'abcd'", {"type": "string", "minLength": 3}, {"minLength": 3}),
        ("days of 1, 2 and 3", {"type": "array", "items": {"type": "integer"}, "maxItems": 2},
         {"maxItems": 2}),
    ],
)  # fmt: skip
def test_a_value_that_the_tool_forbids_is_not_offered(
    request_: str, part: dict[str, Any], offer: dict[str, Any]
) -> None:
    """What a request says and the tool refuses gives way to the tool's own schema."""
    found = offered(request_, ("days",), days=part)["days"]

    assert offer.items() <= found.items()
    assert "const" not in found


def test_an_optional_value_that_the_tool_forbids_is_left_out() -> None:
    """Nobody needs it, and the call would be refused with it."""
    assert offered("for 10 days", days={"type": "integer", "maximum": 7}) == {}


RULES = st.sampled_from(
    [
        {"type": "integer", "minimum": 3},
        {"type": "number", "maximum": 2, "multipleOf": 0.5},
        {"type": "string", "maxLength": 4},
        {"type": "string", "pattern": "^[a-z]+$"},
        {"type": "array", "items": {"type": "integer"}, "minItems": 3},
        {"anyOf": [{"type": "integer"}, {"enum": ["none"]}]},
    ]
)


@given(st.text("abc Oslo 0123456789,.'and", max_size=60), RULES, st.booleans())
def test_every_constant_obeys_the_tool(text: str, part: dict[str, Any], required: bool) -> None:  # noqa: FBT001  hypothesis gives it
    """Whatever a request says, what is offered as a value is one that the tool takes."""
    found = offered(f"thing {text}", ("thing",) if required else (), thing=part).get("thing", {})
    values = found.get("enum", [found["const"]] if "const" in found else [])

    assert all(Draft202012Validator(part).is_valid(value) for value in values)


@pytest.mark.parametrize(
    "text", ["12 and 13, " * 3000, "a-" * 10_000, "Oslo, Rome, " * 1500, "A" * 20_000]
)
def test_a_long_request_is_read_to_a_bound(text: str) -> None:
    """What is pasted behind a request is not searched for values."""
    assert len(read(f"weather {text}").text) == 4000
