"""Enumerated plans: each reading of a question about a table as a candidate of one query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from okso_jupyter.plan.flaws import flaws_text
from okso_jupyter.plan.plan import FINAL_TOOL, Plan
from okso_jupyter.plan.records import Candidate
from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.outcome import Planning, RejectedPlan
from okso_jupyter.planning.planner import select
from okso_jupyter.planning.scoring.query_rules import query_of
from okso_jupyter.planning.scoring.scorer import scorer
from okso_jupyter.planning.table_questions.confidence import UNANSWERED, less_sure
from okso_jupyter.planning.table_questions.going_on import turns_down
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.query_tool import TABLE_TOOL, query_in
from okso_jupyter.planning.unsampled import unsampled
from okso_jupyter.settings import Settings
from okso_jupyter.tables.query import Query
from okso_jupyter.tables.query_wording import one_line, sentence
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workspace import Workspace

#: How many times as probable as the next one a reading is, at least, and in words.
_LEADS: Final = ((20.0, "far ahead of"), (4.0, "well ahead of"), (1.5, "ahead of"))
_TINY: Final = 1e-12
#: Writes an answer into a file.
SAVE_TOOL: Final = "file_write"
#: Readings that an answer lists if none is sure enough.
_READINGS_SAID: Final = 3


def plan_readings(  # noqa: PLR0913  named at the one call
    request: str,
    readings: Sequence[QueryReading],
    *,
    tools: Mapping[str, Tool],
    settings: Settings,
    environment: Environment,
    workspace: Workspace | None,
    turned_down: Sequence[RejectedPlan] = (),
    how: str = "",
    saved_as: str = "",
) -> Planning | None:
    """Return the planning whose candidates are the readings; None if all were rejected before.

    A second step saves the answer in the new file `saved_as`, if one is named.
    """
    unwanted = [earlier.plan for earlier in turned_down]
    rejected = {query_of(plan) for plan in unwanted}
    if saved_as:
        readings = [*map(_of_one_answer, readings)]
    every = [(_plan_of(request, reading, saved_as), reading) for reading in readings]
    kept = [(plan, reading) for plan, reading in every if query_of(plan) not in rejected]
    if not kept:
        return None
    points = {query_of(plan): reading.points for plan, reading in kept}
    judge = scorer(tools, settings, request, unwanted, readings=points)
    cards = judge([plan for plan, _ in kept], losses=[{} for _ in kept])

    def flaw_of(plan: Plan) -> str:
        found = environment.flaws(plan, tools, workspace) if settings.plan_checks else ()
        return flaws_text(found, plan)

    candidates = tuple(
        Candidate(
            index=place,
            plan=plan,
            response=query_of(plan),
            seed=0,
            temperature=0.0,
            output_tokens=0,
            duration_s=0.0,
            scorecard=card,
            flaw=flaw_of(plan),
        )
        for place, ((plan, _), card) in enumerate(zip(kept, cards, strict=True), start=1)
    )
    chosen = select(candidates)
    return Planning(
        request=request,
        sampled=candidates,
        unusable=(),
        ranked=(),
        chosen=chosen,
        seed=0,
        how=how or _how([reading for _, reading in kept], kept[chosen.index - 1][1]),
        judge=judge,
    )


def asked_by(plan: Plan) -> Query | None:
    """Return the only query of a plan; None for another plan, or one whose query is not read."""
    queries = [step.args for step in plan.steps if step.tool == TABLE_TOOL]
    return query_in(queries[0]) if len(queries) == 1 else None


def kept_as_it_is(
    readings: Sequence[QueryReading], turned_down: Sequence[RejectedPlan]
) -> tuple[Sequence[QueryReading], Sequence[RejectedPlan]]:
    """Return readings and unwanted plans; where feedback says nothing, the last plan stays.

    That is where the best reading with the feedback was turned down before, and the feedback does
    not say that it is wrong: the next reading would be a worse one that nobody asked for.
    """
    last = turned_down[-1]
    shown = asked_by(last.plan)
    before = [query_of(earlier.plan) for earlier in turned_down]
    best = query_of(_plan_of("", readings[0], "")) if readings else ""
    if shown is None or best not in before or turns_down(last.feedback):
        return readings, turned_down
    if best != before[-1]:  # the last plan is what earlier feedback made of it
        return (QueryReading.of_statement(shown),), ()
    return readings, [earlier for earlier in turned_down if query_of(earlier.plan) != best]


def unsure(
    request: str,
    readings: Sequence[QueryReading],
    *,
    tools: Mapping[str, Tool],
    settings: Settings,
) -> Planning:
    """Return the planning that only says what the question may mean; nothing of it runs.

    Args:
        request: The request in plain words.
        readings: The readings, best first; at least one.
        tools: The catalogue.
        settings: The settings, for scoring.
    """
    said = "; ".join(
        f"({place}) {sentence(reading.query)}, {_share_right(reading)}"
        for place, reading in enumerate(readings[:_READINGS_SAID], start=1)
    )
    text = f"I am not sure what is asked. It may be: {said}. Ask for one of these in such words."
    planning = unsampled(
        request,
        answer=text,
        how=f"not run: less sure than MIN_CONFIDENCE={settings.min_confidence:g}",
        tools=tools,
        settings=settings,
    )
    return replace(planning, reply=text)


def _share_right(reading: QueryReading) -> str:
    """Return how often plans of this confidence are right, in words."""
    tenths = min(9, max(1, round(10 * reading.confidence)))
    return f"about {tenths} in 10 such plans are right"


def _how(ranked: Sequence[QueryReading], chosen: QueryReading) -> str:
    """Return how sure the plan is and how it was made, in words.

    Args:
        ranked: All readings, best first.
        chosen: The one that is shown.
    """
    rest = [one for one in ranked if one is not chosen]
    lead = _lead(chosen, rest[0]) if rest else "the only reading"
    left = f"; not answered: {one_line(chosen.left_out)!r}" if chosen.left_out else ""
    return f"{_share_right(chosen)}, {lead}{left}"


def _lead(chosen: QueryReading, other: QueryReading) -> str:
    """Return how far a reading is before another one, in words."""
    times = chosen.probability / max(other.probability, _TINY)
    words = next((words for least, words in _LEADS if times >= least), "close to")
    return f"{words} the next reading"


def _of_one_answer(reading: QueryReading) -> QueryReading:
    """Return a reading without the queries of further questions: a file holds one answer."""
    if not reading.also:
        return reading
    left = ", ".join(map(sentence, reading.also))
    return replace(less_sure(reading, UNANSWERED), also=(), left_out=left)


def _plan_of(request: str, reading: QueryReading, saved_as: str) -> Plan:
    steps: list[dict[str, Any]] = [
        {"tool": TABLE_TOOL, "args": query.to_json(), "title": sentence(query)}
        for query in (reading.query, *reading.also)
    ]
    if saved_as:
        # the open content is the output of the step that it waits for
        args = {"path": saved_as, "content": "", "mode": "create"}
        title = f"Write the result to {saved_as}"
        steps.append({"tool": SAVE_TOOL, "args": args, "depends_on": [1], "title": title})
    steps.append({"tool": FINAL_TOOL, "args": {}})
    return Plan.from_dict({"request": request, "steps": steps})
