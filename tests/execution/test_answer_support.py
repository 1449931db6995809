"""Whether a model's text is supported by the observations."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter.execution.answer import is_supported
from tests.bench import END, Bench
from tests.each_row import each_row

SEEN = "The harvest of 2024 was 1,250 tons. The mean is 10.125, the weather was dry."


@each_row(
    ("answer", "is_good"),
    [
        ("The harvest was 1,250 tons.", True),
        ("The harvest was 1250 tons in 2024.", True),
        ("The mean is 10.13.", True),
        ("The mean is 10.", True),
        ("The mean is 10.2.", False),
        ("The harvest was 1,350 tons.", False),
        ("The harvests were dry.", True),
        ("The harvest was dry. The prices doubled in spring.", False),
        ("The mayor said that the harvest was dry.", False),
        ("", True),
    ],
)
def test_every_word_and_number_was_observed(answer: str, is_good: bool) -> None:  # noqa: FBT001  pytest names it
    """One unsupported sentence or number makes an answer unsupported.

    Other forms of an observed word count as observed, and so do rounded numbers.
    """
    assert is_supported(answer, [SEEN]) == is_good


@pytest.mark.parametrize(
    ("answer", "is_good"),
    [
        ("A dry summer brought a harvest of 1,250 tons.", True),
        ("A dry summer brought a harvest of 1,260 tons.", False),
        ("The stock market crashed. The harvest was dry.", False),
    ],
)
def test_a_summary_may_choose_its_words(answer: str, is_good: bool) -> None:  # noqa: FBT001  pytest names it
    """With a share of one half, half of each sentence must be observed and all numbers."""
    assert is_supported(answer, [SEEN], least_share=0.5) == is_good


LONG: dict[str, Any] = {"tool": "file_read", "args": {"path": "long.txt"}}


@pytest.mark.parametrize(
    ("request_text", "words", "is_used"),
    [
        ("Who works here?", "Ann works with harvest and weather.", False),
        ("What of line 7?", "Line 7 speaks of harvest and weather.", True),
        ("What of line 7?", "Line 7777 speaks of harvest and weather.", False),
        ("Summarize long.txt", "Several lines speak of harvest, weather and farming.", True),
        ("Summarize long.txt", "It is a love letter from Paris to Rome.", False),
        ("Translate long.txt into German", "Zeile 3 spricht von Ernte und Wetter.", True),
        ("Translate long.txt into German", "Zeile 333 spricht von Ernte und Wetter.", False),
    ],
)
def test_an_unsupported_answer_of_a_model_is_not_used(
    bench: Bench,
    request_text: str,
    words: str,
    is_used: bool,  # noqa: FBT001  pytest names it
) -> None:
    """A model's answer is used if it is supported; otherwise the output itself is shown."""
    lines = [f"line {number} speaks of harvest and weather" for number in range(200)]
    (bench.root / "long.txt").write_text("\n".join(lines))
    run = bench.run({"request": request_text, "steps": [LONG, END]}, words)

    assert run.answer is not None
    assert (run.answer == words) == is_used
    assert is_used or run.answer.startswith("line 0 speaks of harvest")
