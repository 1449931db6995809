"""Readings: what a question about a table may mean, as queries with points and probabilities."""

from __future__ import annotations

import math
from functools import cache
from itertools import repeat
from typing import Final

from okso_jupyter.planning.table_questions.answers import Answers
from okso_jupyter.planning.table_questions.enumeration import candidates
from okso_jupyter.planning.table_questions.features import Features, words_left
from okso_jupyter.planning.table_questions.fitted_weights import FittedWeights
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import QuestionWords

#: Rows that are enough to tell what a query gives: nothing, one value, a few or many.
_MOST_ROWS: Final = 1_000


def readings_of(
    text: str,
    table: TableSample,
    weights: FittedWeights,
    most: int,
    *,
    is_drawn: bool = False,
) -> tuple[QueryReading, ...]:
    """Return the best readings of a question, best first; none if no word of it is understood.

    Their confidence is left to `confidence.with_confidence`.

    Args:
        text: The question, without the name of the file.
        table: The table.
        weights: The fitted weights.
        most: The most readings that are wanted.
        is_drawn: Whether the result is to be drawn.
    """
    question = QuestionWords(text.rstrip("?.! "), table.header_words, weights.words)
    answers = Answers(table, _MOST_ROWS)
    features = Features(question, table, weights.words)
    if not features.is_about_table:
        return ()

    @cache  # many candidates share the features of a form, of columns and of filters
    def points_of(names: tuple[str, ...]) -> float:
        return round(sum(map(weights.by_feature.get, names, repeat(0.0)), 0.0), 3)

    ranked = []
    for candidate in candidates(question, table, is_drawn=is_drawn):
        answer = answers.of(candidate.query)
        if candidate.query.combine and not answer:
            continue  # there are no two numbers to combine
        own = features.of(candidate, answer)
        points = {rule: points_of(names) for rule, names in own.items()}
        ranked.append((sum(points.values()), candidate.query, points, own, hash(tuple(answer))))
    if not ranked:
        return ()
    ranked.sort(key=lambda each: -each[0])
    best = ranked[0][0]
    powers = [math.exp(total - best) for total, *_ in ranked]
    whole = sum(powers)
    return tuple(
        QueryReading(query, points, power / whole, answer=answer, left=words_left(own))
        for (_, query, points, own, answer), power in zip(ranked[:most], powers, strict=False)
    )
