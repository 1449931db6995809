"""What a contestant made of a case, and the file that keeps it."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from benchmarks.quality.cases import Case
from benchmarks.quality.checker import Call, Verdict, judge


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The calls of one contestant for one case, and what they cost.

    Attributes:
        calls: The calls, without a final answer.
        duration_s: Seconds from request to calls.
        prompt_tokens: Tokens of all prompts; 0 where the source does not say.
        output_tokens: Tokens written, over all candidates; 0 where the source does not say.
        plain_s: Seconds of the plain batch of candidates to compare with; None: not measured.
        error: Why there are no calls, where that is not a decision.
    """

    calls: tuple[Call, ...]
    duration_s: float
    prompt_tokens: int = 0
    output_tokens: int = 0
    plain_s: float | None = None
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What an answer depends on: with the same key the same case need not be asked again.

    Attributes:
        contestant: Who answered.
        model: Which model did the work.
        settings: Whatever was set otherwise than by default.
        code: Version of the contestant's code.
    """

    contestant: str
    model: str
    settings: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """An answer and what is right about it."""

    key: Key
    case: Case
    answer: Answer
    verdict: Verdict = field(init=False)

    def __post_init__(self) -> None:
        """Judge the answer, also one that was read from a file; a failure is never right."""
        failed = Verdict(right=False, right_tools=False)
        verdict = failed if self.answer.error else judge(self.case, self.answer.calls)
        object.__setattr__(self, "verdict", verdict)


_COLUMNS = (
    *(part.name for part in fields(Key)), "category", "case", "right", "right_tools",
    *(part.name for part in fields(Answer)),
)  # fmt: skip


class AnswerFile:
    """Answers in a CSV file: read at the start, one row added per answer.

    Args:
        path: The file; None keeps nothing. A missing one is made with the first answer.

    Raises:
        ValueError: The file is something else.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[tuple[Key, str], Answer] = {}
        if path is not None and path.exists() and path.stat().st_size:
            with path.open(newline="", encoding="utf-8") as file:
                rows = csv.DictReader(file)
                if tuple(rows.fieldnames or ()) != _COLUMNS:
                    msg = f"{path} has other columns than a file of this benchmark"
                    raise ValueError(msg)
                self._known = dict(_read(rows, path))

    def known(self, key: Key, case: Case) -> Answer | None:
        """Return what is known already."""
        return self._known.get((key, case.name))

    def keys_like(self, key: Key) -> list[Key]:
        """Return the keys of a contestant with a model, in the order of their first answers."""
        keys = dict.fromkeys(known for known, _ in self._known)
        like = (key.contestant, key.model)
        return [known for known in keys if (known.contestant, known.model) == like]

    def add(self, judged: Judged) -> None:
        """Write an answer down; it is on disk when this returns."""
        self._known[judged.key, judged.case.name] = judged.answer
        if self._path is None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, _COLUMNS)
            if not file.tell():
                writer.writeheader()
            writer.writerow(_row(judged))


def _row(judged: Judged) -> dict[str, Any]:
    answer = judged.answer
    return {
        **asdict(judged.key),
        "category": judged.case.category,
        "case": judged.case.name,
        **{part.name: getattr(judged.verdict, part.name) for part in fields(Verdict)},
        **{part.name: getattr(answer, part.name) for part in fields(Answer)},
        "calls": json.dumps([asdict(call) for call in answer.calls], ensure_ascii=False),
    }


def _read(
    rows: Iterable[Mapping[str, str]], path: Path
) -> Iterator[tuple[tuple[Key, str], Answer]]:
    """Yield key, case and answer of every row."""
    for number, row in enumerate(rows, start=2):
        try:
            key = Key(**{part.name: row[part.name] for part in fields(Key)})
            answer = Answer(
                calls=tuple(Call(**call) for call in json.loads(row["calls"])),
                duration_s=float(row["duration_s"]),
                prompt_tokens=int(row["prompt_tokens"]),
                output_tokens=int(row["output_tokens"]),
                plain_s=float(row["plain_s"]) if row["plain_s"] else None,
                error=row["error"],
            )
        except (KeyError, TypeError, ValueError) as error:
            msg = f"{path}, row {number}: it is no answer of this benchmark ({error})"
            raise ValueError(msg) from error
        yield (key, row["case"]), answer


def code_version(*places: Path) -> str:
    """Return twelve digits that change with any file of program or text under these places."""
    digest = hashlib.sha256()
    for place in places:
        files = [place] if place.is_file() else sorted(place.rglob("*"))
        for file in files:
            if file.suffix in {".py", ".json", ".txt", ".md"}:
                digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
