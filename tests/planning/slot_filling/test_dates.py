"""Dates go to the parameters that take them, in the notation that the description asks for."""

from __future__ import annotations

import pytest

from okso_jupyter.planning.slot_filling.cues import signed
from okso_jupyter.planning.slot_filling.mentions import read
from okso_jupyter.planning.slot_filling.slots import Slot


@pytest.mark.parametrize(
    ("description", "found"),
    [
        ("Day of arrival, YYYY-MM-DD.", ["2025-08-14"]),
        ("Arrival (DD/MM/YYYY)", ["14/08/2025"]),
        ("Moment of arrival, YYYY-MM-DDTHH:MM.", []),
        ("Way of arrival.", []),
    ],
)
def test_a_notation_in_the_description_makes_a_date(description: str, found: list[str]) -> None:
    """A parameter whose name is no word for a date takes one where its description says how."""
    slot = Slot("arrival", {"type": "string", "description": description}, required=True)
    reading = read("I need a berth in Marstal from 14 August 2025 for two nights.")

    assert signed(reading, slot) == found
