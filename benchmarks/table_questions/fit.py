"""Fits the weights that rank queries (`make fit`).

A log-linear model over the candidates of each question: the likelihood of the candidates that
give the right answer. It is fitted on real questions with answers, WikiTableQuestions' training
part, and on the phrases of `phrases.py`. Source of the method: Pasupat and Liang, ACL 2015.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import random
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain
from multiprocessing import Pool
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from benchmarks.table_questions.calibration import Outcomes
from benchmarks.table_questions.phrases import Phrase, phrases
from okso_jupyter.planning.table_questions.answers import Answers, Cell
from okso_jupyter.planning.table_questions.enumeration import candidates
from okso_jupyter.planning.table_questions.features import Features, form_of
from okso_jupyter.planning.table_questions.fitted_weights import (
    FittedWeights,
    shipped_weights,
)
from okso_jupyter.planning.table_questions.readings import readings_of
from okso_jupyter.planning.table_questions.stated_parts import LOOKED_THROUGH, as_stated
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.query import Query

SHARED: Final = Path(__file__).parents[2].parent / "shared" / "wtq"
#: Words that features may name: of the real questions, and of the phrases.
_REAL_WORDS: Final = 450
_PHRASE_WORDS: Final = 300
_EPOCHS: Final = 6
_RATE: Final = 0.2
#: Features of fewer questions than this are not kept.
_FEWEST: Final = 10
_SMALLEST: Final = 0.03
_PHRASE_SEED: Final = 13
_CHUNK: Final = 50
_NOTHING: Final = 1e-12

#: The share of a weight that is kept where it was fitted before. Without it, kinds of questions
#: that no phrase is of are read worse; with it the figures on other questions are as good.
_KEPT: Final = 0.5
#: Squared gradients of a weight that was fitted before.
_FITTED_BEFORE: Final = 4.0

#: Weights by the checksum of the feature.
Weights = dict[int, float]
#: Whether a query with its answer is right.
Test = Callable[[Query, Sequence[tuple[Cell, ...]]], bool]
Codes = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64] | npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


class _Codes(dict[str, int]):
    """The checksum of each feature's name, computed once."""

    def __missing__(self, name: str) -> int:
        self[name] = zlib.crc32(name.encode())
        return self[name]


_CODES: Final = _Codes()


@dataclass(frozen=True, slots=True)
class Judged:
    """The candidates of one question.

    Attributes:
        features: The features of all candidates, one after the other, as checksums of their names.
        sizes: How many of them each candidate has.
        right: Whether each candidate gives the right answer.
    """

    features: Codes
    sizes: npt.NDArray[np.int32]
    right: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question with the places of its features in the model, each place once."""

    item: Judged
    unique: Places
    inverse: Places

    @classmethod
    def of(cls, item: Judged, places: Places) -> Lesson:
        """Return the lesson of a question."""
        unique, inverse = np.unique(places, return_inverse=True)
        return cls(item, unique.astype(np.int32), inverse.astype(np.int32))


def real_questions(name: str) -> list[dict[str, Any]]:
    """Return the questions of a file of WikiTableQuestions."""
    return [json.loads(line) for line in (SHARED / name).read_text().splitlines()]


@lru_cache(maxsize=64)
def real_table(name: str) -> tuple[TableSample, Answers]:
    """Return a table of WikiTableQuestions."""
    with (SHARED / "tables" / name).open(newline="") as opened:
        rows = list(csv.reader(opened))
    table = TableSample("table.csv", rows[0], rows[1:])
    return table, Answers(table)


def flat(answer: Sequence[tuple[Cell, ...]]) -> list[str]:
    """Return the values of an answer as texts."""
    return [text_of(value) for row in answer for value in row if value is not None]


def text_of(value: Cell) -> str:
    """Return a value as text; whole numbers without a point."""
    return str(int(value)) if isinstance(value, float) and value == int(value) else str(value)


def _judged_real(question: dict[str, Any], vocabulary: frozenset[str]) -> Judged:
    table, answers = real_table(question["table"])
    right = _test_of_real(question)
    return _judged(question["question"].rstrip("?. "), table, answers, right, vocabulary)


def _test_of_real(question: dict[str, Any]) -> Test:
    """Return the test of a query and its answer."""
    sys.path.insert(0, str(SHARED))
    from check import is_right  # type: ignore[import-not-found]  # noqa: PLC0415

    def right(_query: Query, answer: Sequence[tuple[Cell, ...]]) -> bool:
        values = flat(answer)
        wanted = question["answer"]
        return len(values) == len(wanted) and bool(is_right(", ".join(values), wanted))

    return right


def _judged_phrase(phrase: Phrase, vocabulary: frozenset[str]) -> Judged:
    table = TableSample(phrase.source, phrase.header, phrase.rows)
    answers = Answers(table)
    right = _test_of_phrase(phrase, answers)
    return _judged(phrase.question.rstrip("?. "), table, answers, right, vocabulary)


def _test_of_phrase(phrase: Phrase, answers: Answers) -> Test:
    """Return the test of a query and its answer."""
    wanted, form = answers.of(phrase.query), form_of(phrase.query)

    def right(query: Query, answer: Sequence[tuple[Cell, ...]]) -> bool:
        return query == phrase.query or (
            form_of(query) == form and answer == wanted and bool(wanted)
        )

    return right


def _judged(
    text: str,
    table: TableSample,
    answers: Answers,
    right: Test,
    vocabulary: frozenset[str],
) -> Judged:
    question = QuestionWords(text, table.header_words, vocabulary)
    features = Features(question, table, vocabulary)
    codes: list[int] = []
    sizes, marks = [], []
    for candidate in candidates(question, table):
        answer = answers.of(candidate.query)
        found = [*chain.from_iterable(features.of(candidate, answer).values())]
        marks.append(right(candidate.query, answer))
        sizes.append(len(found))
        codes += map(_CODES.__getitem__, found)
    return Judged(
        np.array(codes, dtype=np.uint32),
        np.array(sizes, dtype=np.int32),
        np.array(marks, dtype=bool),
    )


def _work(task: tuple[list[Any], frozenset[str]]) -> tuple[list[Judged], dict[int, str]]:
    questions, vocabulary = task
    made = [
        (_judged_phrase if isinstance(q, Phrase) else _judged_real)(q, vocabulary)
        for q in questions
    ]
    return made, {code: name for name, code in _CODES.items()}


def judged(
    questions: Sequence[Any], vocabulary: frozenset[str], processes: int
) -> tuple[list[Judged], dict[int, str]]:
    """Return the candidates of each question, and the features' names by checksum."""
    tasks = [
        (list(questions[i : i + _CHUNK]), vocabulary) for i in range(0, len(questions), _CHUNK)
    ]
    every: list[Judged] = []
    names: dict[int, str] = {}
    with Pool(processes) as pool:
        for done, known in pool.imap(_work, tasks):
            every += done
            names |= known
    return every, names


def vocabulary_of(questions: Iterable[str], most: int) -> frozenset[str]:
    """Return the words that occur in most questions."""
    counted = Counter(word for text in questions for word in set(QuestionWords(text).english))
    return frozenset(word for word, _ in counted.most_common(most) if not word[0].isdigit())


class Model:
    """Weights of features by checksum, fitted by AdaGrad."""

    def __init__(self, codes: Codes, start: Weights) -> None:
        self.codes = codes  # sorted
        self.weights = np.zeros(len(codes) + 1)  # the last is that of unknown features: 0
        self._squares = np.full(len(codes) + 1, 1e-8)
        for place, code in enumerate(codes.tolist()):
            if code in start:  # what was fitted before moves in small steps
                self.weights[place], self._squares[place] = start[code], _FITTED_BEFORE

    def mix(self, before: Weights, share: float) -> None:
        """Take a share of each weight from those before."""
        own = (before.get(code, 0.0) for code in self.codes.tolist())
        self.weights[:-1] = (1 - share) * self.weights[:-1] + share * np.array([*own])

    def places(self, features: Codes) -> Places:
        """Return the place of each feature's weight."""
        places = np.searchsorted(self.codes, features)
        nearest = np.minimum(places, len(self.codes) - 1)
        return np.where(self.codes[nearest] == features, nearest, len(self.codes))

    def probabilities(self, item: Judged, places: Places) -> Floats:
        """Return the probability of each candidate."""
        owner = np.repeat(np.arange(len(item.sizes)), item.sizes)
        points = np.bincount(owner, weights=self.weights[places], minlength=len(item.sizes))
        powers: Floats = np.exp(points - points.max())
        shares: Floats = powers / powers.sum()
        return shares

    def learn(self, lesson: Lesson) -> None:
        """Take one step towards the candidates that give the right answer."""
        item = lesson.item
        probability = self.probabilities(item, lesson.unique[lesson.inverse])
        good = probability * item.right
        if good.sum() < _NOTHING:
            return
        pull = np.repeat(good / good.sum() - probability, item.sizes)
        gradient = np.bincount(lesson.inverse, weights=pull)
        self._squares[lesson.unique] += gradient**2
        self.weights[lesson.unique] += _RATE * gradient / np.sqrt(self._squares[lesson.unique])
        self.weights[-1] = 0.0


def fit(items: Sequence[Judged], start: Weights | None = None) -> Model:
    """Return the model of questions; those that any or no candidate answers teach nothing.

    Args:
        items: The questions.
        start: Weights to go on from, by the checksum of the feature.
    """
    start = start or {}
    usable = [i for i in items if i.right.any() and i.right.sum() < 0.2 * len(i.right) + 3]
    seen: Counter[int] = Counter()
    for item in usable:
        seen.update(np.unique(item.features).tolist())
    known = sorted({code for code, count in seen.items() if count >= _FEWEST} | start.keys())
    model = Model(np.array(known, dtype=np.uint32), start)
    lessons = [Lesson.of(item, model.places(item.features)) for item in usable]
    for epoch in range(_EPOCHS):
        random.Random(epoch).shuffle(lessons)
        for lesson in lessons:
            model.learn(lesson)
    return model


def share_right(model: Model, items: Sequence[Judged]) -> float:
    """Return the share of questions whose best candidate is right."""
    return float(np.mean([_is_right(model, item) for item in items if len(item.right)]))


def _is_right(model: Model, item: Judged) -> bool:
    probability = model.probabilities(item, model.places(item.features))
    return bool(item.right[int(np.argmax(probability))])


def shipped_outcomes(real: int, made: int, seed: int, processes: int) -> tuple[Outcomes, Outcomes]:
    """Return the outcomes of the shipped weights on real questions and on new phrases.

    What a question states outright decides as it does in a session.

    Args:
        real: How many questions of tables that were not fitted on.
        made: How many phrases.
        seed: That of the phrases, which were not fitted on.
        processes: How many processes work.
    """
    held = real_questions("dev.jsonl")
    random.Random(2).shuffle(held)
    with Pool(processes) as pool:
        of_real = pool.map(_stated_outcome, held[:real], chunksize=5)
        of_made = pool.map(_stated_outcome, list(phrases(made, seed)), chunksize=5)
    return [o for o in of_real if o[0]], [o for o in of_made if o[0]]


def _stated_outcome(question: Any) -> tuple[tuple[float, ...], bool]:  # noqa: ANN401  real or made
    """Return the evidence for the best reading of a question, and whether it is right."""
    if isinstance(question, Phrase):
        table, text = (
            TableSample(question.source, question.header, question.rows),
            question.question,
        )
        answers = Answers(table)
        right = _test_of_phrase(question, answers)
    else:
        (table, answers), text = real_table(question["table"]), question["question"]
        right = _test_of_real(question)
    ranked = readings_of(text, table, shipped_weights(), LOOKED_THROUGH)
    found = as_stated(text, ranked, table)
    if not found:
        return (), False
    return found[0].evidence, right(found[0].query, answers.of(found[0].query))


def written(
    model: Model, names: dict[int, str], vocabulary: frozenset[str], about: dict[str, Any]
) -> dict[str, Any]:
    """Return the weights as JSON data: rule -> feature -> weight."""
    rules: dict[str, dict[str, float]] = {}
    for code, weight in zip(model.codes.tolist(), model.weights, strict=False):
        if abs(weight) >= _SMALLEST:
            rule, _, feature = names[code].partition(":")
            rules.setdefault(rule, {})[feature] = round(float(weight), 3)
    ordered = {rule: dict(sorted(own.items())) for rule, own in sorted(rules.items())}
    return {"about": about, "words": sorted(vocabulary), "weights": ordered}


def _by_code(before: FittedWeights, names: dict[int, str]) -> Weights:
    """Return fitted weights by checksum; their names are added to `names`."""
    found = {}
    for name, weight in before.by_feature.items():
        code = zlib.crc32(name.encode())
        names.setdefault(code, name)
        found[code] = weight
    return found


def _without_calibration(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is said of weights without the figures of their calibration."""
    return {name: value for name, value in about.items() if name != "calibration"}


def _digest(questions: Sequence[Any]) -> str:
    return hashlib.sha256(repr(questions).encode()).hexdigest()[:16]


def main(arguments: Iterator[str] | None = None) -> None:
    """Fit, print the shares, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=int, default=1_000_000, help="real questions")
    parser.add_argument("--phrases", type=int, default=4000)
    parser.add_argument("--held-out", type=int, default=1350)
    parser.add_argument("--new", type=int, default=300, help="phrases to test with")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--onward", action="store_true", help="go on from the shipped weights")
    asked = parser.parse_args(list(arguments) if arguments else None)
    real = real_questions("train.jsonl")
    random.Random(1).shuffle(real)
    real = real[: asked.real]
    made = list(phrases(asked.phrases, _PHRASE_SEED))
    vocabulary = vocabulary_of((r["question"] for r in real), _REAL_WORDS)
    vocabulary |= vocabulary_of((p.question for p in made), _PHRASE_WORDS)
    before = shipped_weights() if asked.onward else None
    vocabulary |= before.words if before else frozenset()
    items, names = judged([*real, *made], vocabulary, asked.processes)
    print(
        "questions",
        len(real),
        len(made),
        "reachable",
        share_any(items[: len(real)]),
        share_any(items[len(real) :]),
        flush=True,
    )
    start = _by_code(before, names) if before else {}
    model = fit(items, start)
    if before:
        model.mix(start, _KEPT)
    held = real_questions("dev.jsonl")
    random.Random(2).shuffle(held)
    tested, _ = judged(held[: asked.held_out], vocabulary, asked.processes)
    new, _ = judged(list(phrases(asked.new, _PHRASE_SEED + 1)), vocabulary, asked.processes)
    about: dict[str, Any] = {
        "date": datetime.now(UTC).date().isoformat(),
        "real questions": len(real),
        "phrases": len(made),
        "data sha256": _digest(real),
        "went on from": _without_calibration(before.about) if before else {},
        "right of held-out real questions": round(share_right(model, tested), 3),
        "reachable of them": round(share_any(tested), 3),
        "right of new phrases": round(share_right(model, new), 3),
    }
    print(json.dumps(about, indent=1))
    if asked.out:
        data = written(model, names, vocabulary, about)
        data["calibration"] = shipped_weights().calibration  # until `make calibration`
        asked.out.write_text(json.dumps(data, indent=0, ensure_ascii=False) + "\n")


def share_any(items: Sequence[Judged]) -> float:
    """Return the share of questions with a right candidate."""
    return float(np.mean([i.right.any() for i in items]))


if __name__ == "__main__":
    main()
