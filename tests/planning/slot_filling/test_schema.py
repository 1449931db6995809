"""Arguments are narrowed to values from the request that are valid for the tool."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from okso_jupyter.planning.slot_filling.argument_schema import Grounding
from okso_jupyter.planning.slot_filling.mentions import Reading, read
from okso_jupyter.planning.slot_filling.provenance import unsaid
from tests.each_row import each_row


def offered(request: str, required: tuple[str, ...] = (), **parts: Any) -> dict[str, Any]:
    """Return the schema of every argument for a request."""
    parameters = {"type": "object", "properties": parts, "required": list(required)}
    properties: dict[str, Any] = Grounding(Reading(request)).arguments(parameters)["properties"]
    return properties


def test_a_number_goes_to_the_parameter_named_beside_it() -> None:
    """A number is assigned by the name next to it, whatever the order of the parameters."""
    number = {"type": "integer"}
    found = offered(
        "a height of 5 and a base of 10", ("base", "height"), base=number, height=number
    )

    assert found == {"base": {"const": 10}, "height": {"const": 5}}


def test_numbered_parameters_are_filled_in_order() -> None:
    """Parameters that differ only in a digit take the numbers in the request's order."""
    number = {"type": "integer"}
    found = offered(
        "the sides 3, 4 and 5",
        ("side1", "side2", "side3"),
        side1=number,
        side2=number,
        side3=number,
    )

    assert [found[name]["const"] for name in ("side1", "side2", "side3")] == [3, 4, 5]


def test_a_percentage_becomes_a_fraction_unless_percent_is_asked() -> None:
    """8% becomes 0.08 for a rate, or 8 where the description says percent."""
    found = offered("a rate of 8%", ("rate",), rate={"type": "number", "description": "The rate."})
    assert found == {"rate": {"const": 0.08}}

    wants = {"type": "number", "description": "The rate in percent."}
    assert offered("a rate of 8%", ("rate",), rate=wants) == {"rate": {"const": 8}}


@each_row(
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
        ("Read notes.txt with the reader of files", "path", {}, "notes.txt"),
        ("open the project in /srv/new data", "path", {}, "/srv/new"),
        ("Rename a.txt to b/c.txt", "source", {}, "a.txt"),
        ("Rename a.txt to b/c.txt", "destination", {}, "b/c.txt"),
        ("Show the git log of this repository", "repo_path", {}, "."),
        ("Which commits came last?", "repo_path", {}, "."),
        ("list the folder 'docs' here", "path", {}, "docs"),
    ],
)
def test_a_value_with_a_clear_form_is_fixed(
    request_: str, name: str, schema: dict[str, str], value: str
) -> None:
    """A value that the form of the request determines is not left to the model."""
    assert offered(request_, (name,), **{name: {"type": "string", **schema}}) == {
        name: {"enum": [value]}
    }


def test_an_unmentioned_optional_parameter_is_left_out() -> None:
    """The schema omits an optional parameter that the request does not mention."""
    found = offered(
        "museums in Paris", ("city",), city={"type": "string"},
        unit={"enum": ["km", "miles"]}, detailed={"type": "boolean"}, limit={"type": "integer"},
    )  # fmt: skip
    assert list(found) == ["city"]


def test_a_mentioned_option_is_chosen() -> None:
    """An enumeration is reduced to the option that the request mentions."""
    unit = {"type": "string", "enum": ["celsius", "fahrenheit"]}
    assert offered("in Fahrenheit please", unit=unit) == {"unit": {"enum": ["fahrenheit"]}}


def test_a_code_is_looked_up_in_the_description() -> None:
    """Where a description lists the meanings of codes, a mentioned meaning gives its code."""
    service = {"type": "integer", "description": "1 for cleaning, 2 for ironing, 3 for massage."}
    assert offered("someone for ironing", ("service",), service=service) == {
        "service": {"enum": [2]}
    }


def test_a_list_is_taken_as_a_whole() -> None:
    """A series of numbers is one value for an array parameter."""
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
def test_every_offered_schema_can_be_satisfied(text: str, part: dict[str, Any]) -> None:
    """No request produces an invalid schema or an empty enumeration."""
    parameters = {"type": "object", "properties": {"thing": part}, "required": ["thing"]}
    found = Grounding(Reading(text)).arguments(parameters)

    Draft202012Validator.check_schema(found)
    assert found["properties"]["thing"].get("enum") != []


def test_values_without_a_source_are_named() -> None:
    """A value must occur in the request, also as a share or date, or in the schema."""
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
    """A value that the tool's schema forbids is dropped; the tool's own schema is used."""
    found = offered(request_, ("days",), days=part)["days"]

    assert offer.items() <= found.items()
    assert "const" not in found


def test_an_optional_value_that_the_tool_forbids_is_left_out() -> None:
    """An optional parameter is omitted if the requested value would be refused."""
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
def test_every_offered_value_is_valid_for_the_tool(
    text: str,
    part: dict[str, Any],
    required: bool,  # noqa: FBT001  hypothesis gives it
) -> None:
    """Every value offered for a request is valid under the tool's schema."""
    found = offered(f"thing {text}", ("thing",) if required else (), thing=part).get("thing", {})
    values = found.get("enum", [found["const"]] if "const" in found else [])

    assert all(Draft202012Validator(part).is_valid(value) for value in values)


@pytest.mark.parametrize(
    "text", ["12 and 13, " * 3000, "a-" * 10_000, "Oslo, Rome, " * 1500, "A" * 20_000]
)
def test_a_long_request_is_read_up_to_a_bound(text: str) -> None:
    """A request is searched for values in its first 4000 characters only."""
    assert len(read(f"weather {text}").text) == 4000
