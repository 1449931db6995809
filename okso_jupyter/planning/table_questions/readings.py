"""Readings: what a question about a table may mean, as queries with points and probabilities."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from okso_jupyter.planning.table_questions.answers import Answers
from okso_jupyter.planning.table_questions.enumeration import candidates
from okso_jupyter.planning.table_questions.features import Features, words_left
from okso_jupyter.planning.table_questions.fitted_weights import RULES, FittedWeights, evidence_of
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.query import Query


@dataclass(frozen=True, slots=True)
class QueryReading:
    """One meaning of a question.

    Attributes:
        query: The query.
        points: The points of each rule; their sum ranks the readings.
        probability: Its share of the probability of all readings.
        confidence: How often a best reading of this probability is right.
        evidence: What the confidence was computed from; () of a reading that was recorded.
    """

    query: Query
    points: Mapping[str, float]
    probability: float
    confidence: float
    evidence: tuple[float, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def of_statement(cls, query: Query) -> QueryReading:
        """Return the one reading of a request that says its query: no fitted weight has judged."""
        return cls(query, dict.fromkeys(RULES, 0.0), probability=1.0, confidence=1.0)

    def to_json(self) -> dict[str, Any]:
        """Return the reading as JSON data."""
        return {
            "query": self.query.to_json(),
            "points": dict(self.points),
            "probability": self.probability,
            "confidence": self.confidence,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> QueryReading:
        """Return the reading of JSON data."""
        return cls(
            query=Query.from_json(data["query"]),
            points=data["points"],
            probability=data["probability"],
            confidence=data["confidence"],
        )


def readings_of(
    text: str, table: TableSample, weights: FittedWeights, most: int
) -> tuple[QueryReading, ...]:
    """Return the best readings of a question, best first; none if no word of it is understood.

    Args:
        text: The question, without the name of the file.
        table: The table.
        weights: The fitted weights.
        most: The most readings that are wanted.
    """
    question = QuestionWords(text.rstrip("?.! "), table.header_words, weights.words)
    answers = Answers(table)
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
        ranked.append((sum(points.values()), candidate.query, points, words_left(own)))
    if not ranked:
        return ()
    ranked.sort(key=lambda each: -each[0])
    best = ranked[0][0]
    powers = [math.exp(total - best) for total, *_ in ranked]
    shares = [power / sum(powers) for power in powers]
    rivals = [max(shares[:1] if place else shares[1:2], default=0.0) for place in range(most)]
    found = zip(ranked, shares, rivals, strict=False)
    evidence = [evidence_of(share, rival, *each[-1]) for each, share, rival in found]
    return tuple(
        QueryReading(query, points, share, weights.calibrated(own), own)
        for (_, query, points, _), share, own in zip(ranked, shares, evidence, strict=False)
    )


def _points(features: Iterable[str], weights: FittedWeights) -> dict[str, float]:
    """Return the points of each rule: the sum of the weights of its features."""
    points = dict.fromkeys(RULES, 0.0)
    for feature in features:
        rule, _, name = feature.partition(":")
        points[rule] += weights.by_rule.get(rule, {}).get(name, 0.0)
    return {rule: round(value, 3) for rule, value in points.items()}
