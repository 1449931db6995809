"""QueryReading and FollowUp: what a request means as a query, as it is kept in the journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from okso_jupyter.planning.table_questions.fitted_weights import CERTAINTY, RULES
from okso_jupyter.tables.query import Query

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


@dataclass(frozen=True, slots=True)
class FollowUp:
    """The last query as a request changes it.

    Attributes:
        query: The changed query.
        changed: What was changed, in words.
        kept: What was kept, in words.
    """

    query: Query
    changed: str
    kept: str

    @property
    def words(self) -> str:
        """How the query was made, for the form."""
        return self.words_about("last question")

    def words_about(self, what: str) -> str:
        """How the query was made, with a name for what was changed."""
        return f"read as a change of the {what}: {self.changed}; kept: {self.kept}"

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {"query": self.query.to_json(), "changed": self.changed, "kept": self.kept}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FollowUp:
        """Return it from JSON data."""
        return cls(Query.from_json(data["query"]), data["changed"], data["kept"])
