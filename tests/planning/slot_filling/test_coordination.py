"""What a request coordinates, what its values fill, and the values that a parameter lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from okso_jupyter.planning.slot_filling.choices import choices, said
from okso_jupyter.planning.slot_filling.coordination import halves
from okso_jupyter.planning.slot_filling.mentions import read
from okso_jupyter.planning.slot_filling.proper_names import identifiers
from okso_jupyter.planning.slot_filling.slots import Slot, slots_of
from okso_jupyter.planning.slot_filling.split import split_for
from okso_jupyter.planning.slot_filling.split_cost import cost

NUMBER = {"type": "number"}
TEXT = {"type": "string"}


def schema(**parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object schema of required parameters."""
    return {"type": "object", "properties": parts, "required": list(parts)}


def listing(description: str) -> Slot:
    """Return a text parameter with a description."""
    return Slot("method", {"type": "string", "description": description}, required=False)


@pytest.mark.parametrize(
    ("request_", "parameters", "parts"),
    [
        (
            "The power of 100 ohm at 5 V, and at 12 V",
            schema(resistance=NUMBER, voltage=NUMBER),
            ["The power of 100 ohm at 5 V", "The power of 100 ohm at 12 V"],
        ),
        (
            "Please ship 5 crates to Oslo by train and 9 crates to Rome by boat",
            schema(crates=NUMBER, city=TEXT),
            ["Please ship 5 crates to Oslo by train", "Please ship 9 crates to Rome by boat"],
        ),
        (
            "Restart web-01 and web-02",
            schema(host=TEXT),
            ["Restart web-01", "Restart web-02"],
        ),
        (
            "Show the width and the depth of box-7",
            schema(part=TEXT, side={"type": "string", "enum": ["width", "depth"]}),
            ["Show the width of box-7", "Show the depth of box-7"],
        ),
    ],
)
def test_what_is_shared_stays_in_each_part(
    request_: str, parameters: Mapping[str, Any], parts: list[str]
) -> None:
    """Each of two coordinated constituents is put into the sentence that they share."""
    assert split_for(request_, parameters) == parts


@pytest.mark.parametrize(
    ("request_", "parameters"),
    [
        ("Invest 5000 dollars at 3 %. I leave it there for 7 years.",
         schema(amount=NUMBER, rate=NUMBER, years=NUMBER)),
        ("The greatest common divisor of (45, 60)", schema(first=NUMBER, second=NUMBER)),
        ("Drive between Oslo and Rome", schema(place=TEXT)),
        ("Write 'a b' and 'c d' to Ann", schema(texts={"type": "array", "items": TEXT})),
    ],
)  # fmt: skip
def test_values_of_one_call_are_not_parted(request_: str, parameters: Mapping[str, Any]) -> None:
    """Values of different parameters, of a range or of a list make no second call."""
    assert split_for(request_, parameters) == [request_]


def test_numbers_in_brackets_are_for_one_call_each() -> None:
    """Pairs of numbers in brackets are cut apart, not paired with each other."""
    parts = split_for("Divisors of (45, 60) and (81, 27)", schema(first=NUMBER, second=NUMBER))

    assert ["45" in part and "60" in part for part in parts] == [True, False]


def test_lists_are_paired_only_where_the_request_says_so() -> None:
    """Two lists give every combination; with "respectively" their items go together."""
    parameters = schema(company=TEXT, date=TEXT)
    request = "Show the prices of Ann Corp and Bob Corp on 2024-01-02 and 2024-02-02"

    assert len(split_for(request, parameters)) == 4
    assert len(split_for(f"{request} respectively", parameters)) == 2


def test_a_list_of_names_is_no_place_with_its_country() -> None:
    """Three names with commas and "and" are three values, also beside a quote."""
    parts = split_for(
        "Translate 'thank you' into Dutch, Danish and Polish.", schema(text=TEXT, language=TEXT)
    )

    assert [part.split()[-1] for part in parts] == ["Dutch.", "Danish.", "Polish."]


def test_a_constituent_begins_like_the_other() -> None:
    """The nearest beginning of the same kind is the likeliest one."""
    first = next(halves("Flights from Oslo to Rome and from Bern to Bonn."))

    assert first == ("Flights from Oslo to Rome.", "Flights from Bern to Bonn.")


def test_a_value_that_no_parameter_takes_costs() -> None:
    """Two numbers for one parameter cost more than one; a missing number costs too."""
    slots = slots_of(schema(radius=NUMBER))
    texts = ["radius 3", "radius 3 and 5", "the radius"]

    one, two, none = (cost([text], slots, text) for text in texts)

    assert one < min(two, none)


@pytest.mark.parametrize(
    ("description", "values"),
    [
        ("Either 'gini' or 'entropy'.", ("gini", "entropy")),
        ("The platform, e.g. Xbox, PlayStation", ("Xbox", "PlayStation")),
        ("What to look for.", ()),
    ],
)
def test_a_description_lists_values(description: str, values: tuple[str, ...]) -> None:
    """Quoted values count, else those after a phrase such as "e.g."."""
    assert choices(listing(description)) == values


def test_a_listed_value_counts_where_it_is_said() -> None:
    """The value is written as the description has it; one that is not said does not count."""
    slot = listing("Options: 'Darwin', 'Lamarck'. Default is 'Darwin'.")

    assert [mention.value for mention in said(read("use the lamarck model"), slot)] == ["Lamarck"]


def test_words_with_digits_or_slashes_are_identifiers() -> None:
    """Hosts and branches are identifiers; plain words, numbers with units and mail are not."""
    text = read("merge feature/login on web-01 after 5m, mail ann2@b.org and/or well-known x")

    assert [mention.text for mention in identifiers(text)] == ["feature/login", "web-01", "and/or"]
