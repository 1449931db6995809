"""The rules that rank the readings of a question about a table.

Each adds ten times the sum of the fitted weights of its features (`table_questions/weights.json`,
written by `make fit`), so that the readings' order is that of their fitted probability. The last
one adds the same to all readings of a question, so that scores of questions can be compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Final

from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Candidate
from okso_jupyter.planning.scoring.rules import Case, Rule, RuleResult
from okso_jupyter.planning.table_questions.fitted_weights import CERTAINTY
from okso_jupyter.planning.table_questions.query_tool import TABLE_TOOL

#: The fitted points of readings: query -> rule -> points.
Readings = Mapping[str, Mapping[str, float]]

#: Points for each unit of fitted weight: the fitted rules decide between readings.
SCALE: Final = 10
_PREFIX: Final = "query_"


def query_of(plan: Plan) -> str:
    """Return the arguments of a plan's query as text, or of its queries; "" for another plan."""
    queries = [step.args for step in plan.steps if step.tool == TABLE_TOOL]
    if not queries:
        return ""
    told = queries[0] if len(queries) == 1 else queries
    return json.dumps(told, sort_keys=True, ensure_ascii=False)


def query_operation(case: Case) -> RuleResult:
    """How well the words of the question fit what is computed: "average", "how many", "which"."""
    return _fitted(case, "operation")


def query_columns(case: Case) -> RuleResult:
    """How well the columns fit their roles: named in the question, where, and of which kind."""
    return _fitted(case, "columns")


def query_filters(case: Case) -> RuleResult:
    """How well the conditions fit the values and numbers in the question."""
    return _fitted(case, "filters")


def query_unexplained(case: Case) -> RuleResult:
    """What the query leaves of the question: words and numbers that nothing takes up."""
    return _fitted(case, "unexplained")


def query_answer(case: Case) -> RuleResult:
    """How well the answer fits the question: a number for "how many", one value or several."""
    return _fitted(case, "answer")


def query_size(case: Case) -> RuleResult:
    """How many columns and conditions the query has."""
    return _fitted(case, "size")


def query_certainty(case: Case) -> RuleResult:
    """How often the best reading of such a question is right; the same for every reading of it.

    It brings the fitted points of the best reading to the log-odds of its being right, so that the
    scores of different questions can be compared.
    """
    return _fitted(case, CERTAINTY)


def _fitted(case: Case, rule: str) -> RuleResult:
    """Return the points of one rule for the case's reading; none for a plan that is no reading."""
    points = (case.readings or {}).get(query_of(case.plan))
    if points is None:
        return RuleResult(0, 0, "it is not one of the readings of the question")
    if rule not in points:
        return RuleResult(0, 0, "it was recorded before there was such a rule")
    value = round(SCALE * points[rule], 2)
    return RuleResult(value, 1, f"{rule}: {value:+g} by fitted weights")


QUERY_RULES: Final = (
    Rule("P130", "query_operation", query_operation),
    Rule("P140", "query_columns", query_columns),
    Rule("P150", "query_filters", query_filters),
    Rule("P160", "query_unexplained", query_unexplained),
    Rule("P170", "query_answer", query_answer),
    Rule("P180", "query_size", query_size),
    Rule("P190", "query_certainty", query_certainty),
)


def recorded_readings(candidates: Iterable[Candidate]) -> Readings:
    """Return the readings that candidates were scored with; empty for sampled plans."""
    found = {}
    for candidate in candidates:
        points = {
            finding.rule.removeprefix(_PREFIX): finding.raw_points / SCALE
            for finding in candidate.scorecard.findings
            if finding.rule.startswith(_PREFIX) and finding.raw_points is not None
        }
        if points:
            found[query_of(candidate.plan)] = points
    return found
