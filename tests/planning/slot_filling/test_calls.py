"""A request is split where a tool would get two values for a single-valued parameter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter import Tool
from okso_jupyter.planning.slot_filling.mentions import read
from okso_jupyter.planning.slot_filling.split import split, split_for
from okso_jupyter.planning.slot_filling.tool_match import fits
from tests.each_row import each_row

NUMBER = {"type": "number"}
TEXT = {"type": "string"}


def schema(required: tuple[str, ...] = (), **parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object schema; all parameters are required unless some are named."""
    return {"type": "object", "properties": parts, "required": list(required or parts)}


AREA = schema(base=NUMBER, height=NUMBER)
WEATHER = schema(city=TEXT)
MEAN = schema(numbers={"type": "array", "items": NUMBER})


@each_row(
    ("request_", "parameters", "count"),
    [
        ("Area of a triangle with a base of 10 and a height of 5", AREA, 1),
        ("Area with base 10 and height 5, and also with base 3 and height 4", AREA, 2),
        ("The weather in Oslo and Rome", WEATHER, 2),
        ("The weather in Oslo, Norway", WEATHER, 1),
        ("The weather in Oslo. Also tell me how it is in Rome.", WEATHER, 2),
        ("Mean of [1, 2, 3]", MEAN, 1),
        ("Mean of [1, 2, 3] and of [4, 5]", MEAN, 2),
        ("Distance from Oslo to Rome", schema(origin=TEXT, destination=TEXT), 1),
    ],
)
def test_a_request_is_split_into_the_right_number_of_calls(
    request_: str, parameters: Mapping[str, Any], count: int
) -> None:
    """A request yields one call for each value of a single-valued parameter."""
    assert len(split_for(request_, parameters)) == count


def test_a_list_is_split_into_one_request_per_item() -> None:
    """Each part reads like a request for one item; parallel lists are paired."""
    parts = split_for(
        "Play songs by Ann Lee and Bob Ray for 20 minutes and 15 minutes respectively",
        schema(artist=TEXT, minutes={"type": "integer"}),
    )

    assert parts == ["Play songs by Ann Lee for 20 minutes", "Play songs by Bob Ray for 15 minutes"]


def test_a_request_in_quotes_is_read_as_what_they_enclose() -> None:
    """Marks around the whole request are no quote: its words, numbers and clauses count."""
    tool = Tool.from_schema("triangle_area", "Area of a triangle.", AREA, str)
    request = (
        "The area of a triangle with base 10 and height 5, and of one with base 3 and height 4."
    )

    quoted = split(f'"{request}"', {tool.name: tool})

    assert quoted == split(request, {tool.name: tool})
    assert len(quoted) == 2


def test_a_quoted_title_stays_a_quote() -> None:
    """A few words in quotes are a value, also where nothing else is said."""
    assert [quote.value for quote in read('"The Trial"').quotes] == ["The Trial"]


def test_each_tool_gets_its_own_part() -> None:
    """Each part of a request is assigned to the tool that it is about."""
    tools = {
        tool.name: tool
        for tool in (
            Tool.from_schema("weather_forecast", "Forecast the weather of a city.", WEATHER, str),
            Tool.from_schema("triangle_area", "Area of a triangle.", AREA, str),
        )
    }
    parts = split(
        "What is the weather forecast for Oslo? Also compute the area of a triangle with base 3 "
        "and height 4.",
        tools,
    )

    assert [part.tools for part in parts] == [("weather_forecast",), ("triangle_area",)]
    assert "Oslo" in parts[0].text
    assert "base 3" in parts[1].text


@pytest.mark.parametrize(
    ("request_", "tool"),
    [
        ("We go to Lille for some days. Search for a cottage with a garden.", "search_cottage"),
        (
            "I want to hear some music, so I go to Lille. Find concerts of jazz there.",
            "find_concerts",
        ),
    ],
)
def test_what_is_told_beside_a_request_is_no_call(request_: str, tool: str) -> None:
    """A sentence that only shares a word with another tool is for the tool of the request."""
    tools = {
        tool.name: tool
        for tool in (
            Tool.from_schema("search_cottage", "Search for a cottage in a place.", WEATHER, str),
            Tool.from_schema(
                "reserve_cottage", "Reserve a cottage for some days.",
                schema(city=TEXT, nights={"type": "integer"}), str,
            ),
            Tool.from_schema("find_concerts", "Find concerts in a city.", WEATHER, str),
        )
    }  # fmt: skip

    assert [part.tools[:1] for part in split(request_, tools)] == [(tool,)]


def test_an_unrelated_request_is_assigned_to_no_tool() -> None:
    """A request that matches no tool's description is assigned to no tool."""
    tool = Tool.from_schema("triangle_area", "Area of a triangle.", AREA, str)

    (part,) = split("Who painted the ceiling of that chapel?", {tool.name: tool})

    assert part.tools == ()


def test_a_tool_without_its_numbers_fits_poorly() -> None:
    """A tool with two numeric parameters scores low for a request without numbers."""
    tool = Tool.from_schema("triangle_area", "Area of a triangle.", AREA, str)

    without = fits("What is the area of a triangle?", [tool])["triangle_area"]
    with_them = fits("What is the area of a triangle of base 3, height 4?", [tool])["triangle_area"]

    assert without < 0.5 * with_them


@given(st.text(max_size=300), st.sampled_from([AREA, WEATHER, MEAN]))
def test_any_request_can_be_split(text: str, parameters: Mapping[str, Any]) -> None:
    """Any text is split into 1 to 12 parts."""
    assert 1 <= len(split_for(text, parameters)) <= 12
