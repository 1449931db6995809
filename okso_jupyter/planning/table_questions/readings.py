"""Readings: what a question about a table may mean, as queries with points and probabilities."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from okso_jupyter.planning.table_questions.answers import Answers
from okso_jupyter.planning.table_questions.enumeration import candidates
from okso_jupyter.planning.table_questions.features import Features, words_left
from okso_jupyter.planning.table_questions.fitted_weights import CERTAINTY, RULES, FittedWeights
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.query import Query

#: Rows that are enough to tell what a query gives: nothing, one value, a few or many.
_MOST_ROWS: Final = 1_000
#: The certainty of a query that is stated: the most that any reading can have, as log-odds.
_STATED: Final = 5.0


@dataclass(frozen=True, slots=True)
class QueryReading:
    """One meaning of a question.

    Attributes:
        query: The query.
        points: The points of each rule; their sum ranks the readings.
        probability: Its share of the probability of all readings.
        confidence: How often a reading with this evidence is right.
        answer: The hash of what it gives over the beginning of the table; rows may be many.
        left: The words of the question that it does not take up, and those that no weight knows.
        evidence: What the confidence was computed from; () of a reading that was recorded.
        also: Queries that answer further questions of the same request.
        left_out: A question of the request that is not answered; "" if all are.
    """

    query: Query
    points: Mapping[str, float]
    probability: float
    confidence: float = 0.0
    answer: int = field(default=0, compare=False, repr=False)
    left: tuple[int, int] = field(default=(0, 0), compare=False, repr=False)
    evidence: tuple[float, ...] = field(default=(), compare=False, repr=False)
    also: tuple[Query, ...] = ()
    left_out: str = ""

    @classmethod
    def of_statement(cls, query: Query) -> QueryReading:
        """Return the one reading of a request that says its query: no fitted weight has judged."""
        points = {**dict.fromkeys(RULES, 0.0), CERTAINTY: _STATED}
        return cls(query, points, probability=1.0, confidence=1.0)

    def to_json(self) -> dict[str, Any]:
        """Return the reading as JSON data."""
        return {
            "query": self.query.to_json(),
            "points": dict(self.points),
            "probability": self.probability,
            "confidence": self.confidence,
            # rare fields only where they are set
            **({"also": [query.to_json() for query in self.also]} if self.also else {}),
            **({"left_out": self.left_out} if self.left_out else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> QueryReading:
        """Return the reading of JSON data."""
        return cls(
            query=Query.from_json(data["query"]),
            points=data["points"],
            probability=data["probability"],
            confidence=data["confidence"],
            also=tuple(map(Query.from_json, data.get("also", ()))),
            left_out=data.get("left_out", ""),
        )


def readings_of(
    text: str, table: TableSample, weights: FittedWeights, most: int
) -> tuple[QueryReading, ...]:
    """Return the best readings of a question, best first; none if no word of it is understood.

    Their confidence is left to `confidence.with_confidence`.

    Args:
        text: The question, without the name of the file.
        table: The table.
        weights: The fitted weights.
        most: The most readings that are wanted.
    """
    question = QuestionWords(text.rstrip("?.! "), table.header_words, weights.words)
    answers = Answers(table, _MOST_ROWS)
    features = Features(question, table, weights.words)
    if not features.is_about_table:
        return ()
    ranked = []
    for candidate in candidates(question, table):
        answer = answers.of(candidate.query)
        if candidate.query.combine and not answer:
            continue  # there are no two numbers to combine
        own = features.of(candidate, answer)
        points = _points(own, weights)
        ranked.append(
            (sum(points.values()), candidate.query, points, words_left(own), hash(tuple(answer)))
        )
    if not ranked:
        return ()
    ranked.sort(key=lambda each: -each[0])
    best = ranked[0][0]
    powers = [math.exp(total - best) for total, *_ in ranked]
    whole = sum(powers)
    return tuple(
        QueryReading(query, points, power / whole, answer=answer, left=left)
        for (_, query, points, left, answer), power in zip(ranked[:most], powers, strict=False)
    )


def _points(features: Iterable[str], weights: FittedWeights) -> dict[str, float]:
    """Return the points of each rule: the sum of the weights of its features."""
    points = dict.fromkeys(RULES, 0.0)
    for feature in features:
        if weight := weights.by_feature.get(feature):  # few have one
            points[feature.partition(":")[0]] += weight
    return {rule: round(value, 3) for rule, value in points.items()}
