"""The what-if panel: its static content and the behaviour of its script."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from okso_jupyter.audit.scoreboard import Scoreboard
from okso_jupyter.audit.weight_ranges import ranges
from okso_jupyter.audit.what_if import WhatIf
from tests.audit.contests import contest_of
from tests.shared_browser import CHROMIUM, browser_context

needs_browser = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """An empty page of a real browser; any script error fails the tests."""
    errors: list[str] = []
    with browser_context() as context:
        fresh = context.new_page()
        fresh.on("pageerror", lambda error: errors.append(str(error)))
        yield fresh
    assert errors == []


def _html(scoreboard: Scoreboard) -> str:
    return str(WhatIf(scoreboard)._repr_mimebundle_()["text/html"])


def _drawn(source: random.Random) -> Scoreboard:
    """Return a random scoreboard with realistic points, some of them tied."""
    count, rules = source.randint(2, 8), source.randint(1, 4)
    points = [
        [source.choice([0, 3, 5, -10, round(source.uniform(-20, 20), 2)]) for _ in range(rules)]
        for _ in range(count)
    ]
    weights = [source.choice([0, 0.5, 1, 1, 2]) for _ in range(rules)]
    return contest_of(points, weights=weights, ties=[source.randint(0, 2) for _ in range(count)])


def _set(page: Page, weights: list[float]) -> None:
    """Move every slider in turn, as a user would."""
    page.evaluate(
        """weights => document.querySelectorAll("input").forEach((slider, place) => {
            slider.value = weights[place];
            slider.dispatchEvent(new Event("input"));
        })""",
        weights,
    )


def _ranked(page: Page) -> list[int]:
    cells = page.locator(".okso-ranking tbody tr td:nth-child(2)").all_inner_texts()
    return [int(cell) for cell in cells]


def test_the_panel_is_complete_without_its_script() -> None:
    """Static HTML and plain text contain winner and ranges; only the script adds sliders."""
    panel = WhatIf(contest_of([[10, 0], [0, 5]]))
    bundle = panel._repr_mimebundle_()
    static = re.sub(r"<script>.*</script>", "", bundle["text/html"], flags=re.DOTALL)
    for words in (
        "Candidate 1 wins with 10 points, 5 more than candidate 2.",
        "0.5 or more; less: candidate 2",
        "up to 2; more: candidate 2",
    ):
        assert words in static
        assert words in bundle["text/plain"]
    assert "<input" not in static
    assert set(bundle) == {"text/html", "text/plain"}


def test_the_ranges_are_a_table() -> None:
    """The ranges are also a DataFrame, with their ends as numbers."""
    table = WhatIf(contest_of([[10, 0], [0, 5]])).ranges
    assert list(table["rule"]) == ["length", "coverage"]
    assert list(table["low"]) == [0.5, 0.0]
    assert table["high"].isna().tolist() == [True, False]
    assert table["below"].tolist()[0] == table["above"].tolist()[1] == 2


def test_the_only_candidate_has_no_sliders() -> None:
    """The panel of an only candidate is one sentence without a script."""
    html = _html(contest_of([[10]]))
    assert "the only one" in html
    assert "<script" not in html


def test_text_of_a_plan_cannot_end_the_script() -> None:
    """A tool name from a model is text in the table and in the script's data."""
    scoreboard = contest_of([[1], [0]])
    hostile = "</script><script>alert(1)</script>\u202e"
    step = scoreboard.sampled[0].plan.steps[0]
    object.__setattr__(step, "tool", hostile)
    html = _html(scoreboard)
    assert html.count("<script") == 1
    assert html.count("</script") == 1
    assert "\u202e" not in html


@pytest.mark.browser
@needs_browser[1]
def test_the_browser_ranks_as_the_scorer_does(page: Page) -> None:
    """The panel's order equals the scorer's, for random points, ties and weights."""
    source = random.Random(7)  # noqa: S311  points, not secrets
    for _ in range(40):
        scoreboard = _drawn(source)
        page.set_content(_html(scoreboard))
        assert _ranked(page) == [c.index for c in scoreboard.ranked(scoreboard.weights)]
        for _ in range(4):
            weights = [round(source.randint(0, 60) * 0.05, 2) for _ in scoreboard.rules]
            _set(page, weights)
            named = dict(zip(scoreboard.rules, weights, strict=True))
            assert _ranked(page) == [c.index for c in scoreboard.ranked(named)]


@pytest.mark.browser
@needs_browser[1]
def test_the_browser_shows_the_ranges_of_the_new_winner(page: Page) -> None:
    """After sliders are moved, the ranges equal those of exact arithmetic."""
    source = random.Random(11)  # noqa: S311  see above
    for _ in range(40):
        scoreboard = _drawn(source)
        weights = [round(source.randint(1, 60) * 0.05, 2) for _ in scoreboard.rules]
        points = [[f.raw_points or 0.0 for f in c.scorecard.findings] for c in scoreboard.sampled]
        ties = [c.scorecard.tie_breaker for c in scoreboard.sampled]
        moved = contest_of(points, weights=weights, ties=ties)
        page.set_content(_html(scoreboard))
        _set(page, weights)
        said = page.locator(".okso-holds").all_inner_texts()
        for words, one in zip(said, ranges(moved), strict=True):
            if list(scoreboard.weights.values()) == weights:
                continue
            assert _NUMBER.sub("#", words) == _NUMBER.sub("#", one.words)
            expected = [float(number) for number in _NUMBER.findall(one.words)]
            assert [float(n) for n in _NUMBER.findall(words)] == pytest.approx(expected, rel=2e-3)


@pytest.mark.browser
@needs_browser[1]
def test_a_slider_is_moved_by_keys_and_reset(page: Page) -> None:
    """Arrow keys change a weight and the shown result; Reset restores everything."""
    page.set_content(_html(contest_of([[10, 0], [0, 5]])))
    before = page.locator(".okso-what-if").inner_text()
    slider = page.get_by_role("slider", name="Weight of length")
    slider.focus()
    for _ in range(11):
        page.keyboard.press("ArrowLeft")
    said = page.get_by_role("status")
    assert said.inner_text() == "Candidate 2 would win with 5 points, 0.5 more than candidate 1."
    assert slider.get_attribute("aria-valuetext") == "0.45, candidate 2 wins at below 0.5"
    setting = page.locator("code").inner_text().removeprefix("SCORE_WEIGHTS=")
    assert json.loads(setting) == {"length": 0.45}
    page.get_by_role("button", name="Reset").press("Enter")
    assert page.locator(".okso-what-if").inner_text() == before


@pytest.mark.browser
@needs_browser[1]
def test_two_panels_on_a_page_are_independent(page: Page) -> None:
    """Moving a slider of one panel does not change another panel on the page."""
    one, other = contest_of([[10, 0], [0, 5]]), contest_of([[1, 0], [0, 5]])
    page.set_content(_html(one) + _html(other))
    second = page.locator(".okso-what-if").nth(1)
    before = second.inner_text()
    first: Any = page.locator("input").first
    first.fill("0")
    assert "Candidate 2 would win" in page.locator(".okso-said").first.inner_text()
    assert second.inner_text() == before
