"""Plans, scorecards and plannings, as a notebook shows them."""

from __future__ import annotations

import importlib
import pkgutil

from bs4 import BeautifulSoup

import okso_jupyter.plan
from okso_jupyter import Plan, score_plan
from okso_jupyter.plan.displayable import Displayable
from okso_jupyter.plan.records import Scorecard
from tests.bench import END, Bench
from tests.each_row import each_row
from tests.hostile import STRINGS

READ = {"tool": "file_read", "args": {"path": "notes.txt"}, "thought": "Look"}


def _text(html: str) -> str:
    return BeautifulSoup(html, "html.parser").get_text()


def test_every_displayable_record_names_an_existing_view() -> None:
    """Every record that can be shown names its view as a string, and that view exists.

    A string avoids an import of the view by the record.
    """
    for module in pkgutil.iter_modules(okso_jupyter.plan.__path__):
        importlib.import_module(f"okso_jupyter.plan.{module.name}")
    views = {kind: kind._view for kind in Displayable.__subclasses__()}
    assert {Plan, Scorecard} <= set(views)
    assert all(callable(pkgutil.resolve_name(view)) for view in views.values())


def test_a_plan_is_drawn_before_it_runs() -> None:
    """A plan shows its steps and arguments in each format; its repr is unchanged."""
    plan = Plan.from_dict({"title": "Notes", "steps": [READ, END]})
    faces = plan._repr_mimebundle_()
    assert "1. file_read: Read notes.txt; path=notes.txt" in faces["text/plain"]
    assert "1. file_read: Read notes.txt; path=notes.txt" in faces["text/markdown"]
    assert faces["text/html"].count("<svg") == 1
    assert _text(faces["text/html"]).startswith("Notes")
    assert repr(plan).startswith("Plan(steps=(Step(id=1, tool='file_read'")


def test_a_scorecard_is_a_table_of_its_rules(bench: Bench) -> None:
    """A scorecard lists every rule and the total score in each format."""
    with bench.session() as session:
        card = score_plan(Plan.from_dict([READ, END]), session.tools)
    faces = card._repr_mimebundle_()
    for face in (faces["text/plain"], _text(faces["text/html"]), faces["text/markdown"]):
        for finding in card.findings:
            assert finding.rule in face
        assert f"{card.score:g} points in all" in face


def test_a_planning_shows_plan_choice_and_tables(bench: Bench) -> None:
    """A planning shows its note and the tables of candidates and tools."""
    with bench.session([READ, END], PLANNER_SAMPLE_COUNT=1) as session:
        planning = session.plan("What is in notes.txt?")
    faces = planning._repr_mimebundle_()
    assert faces["text/plain"] == repr(planning)
    text = _text(faces["text/html"])
    assert planning.note in text
    assert "Candidates (1)" in text
    assert "Tools by fit" in text
    assert "Tree" not in text


@each_row("text", STRINGS[::7])
def test_hostile_plan_titles_are_escaped(text: str) -> None:
    """Hostile titles of a plan and its steps add no HTML element."""
    step = {"tool": "t", "title": text}
    shown = Plan.from_dict({"title": text, "steps": [step]})._repr_mimebundle_()["text/html"]
    plain = Plan.from_dict({"title": "x", "steps": [step]})._repr_mimebundle_()["text/html"]
    names = [
        [tag.name for tag in BeautifulSoup(h, "html.parser").find_all()] for h in (shown, plain)
    ]
    assert names[0] == names[1]
