"""Moves of a search by a model: draws the next steps of many plans in one call.

A small model is often so sure of a tool that all its unconstrained draws are the same step. So
every tool that may come next gets one more draw constrained to it, as long as there are few
tools: the model fills in its arguments, and the scoring rules judge the result.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice

from okso_jupyter.llm.protocol import Completion, CompletionRequest, LanguageModel
from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.planning.time_limit import Deadline
from okso_jupyter.planning.tree.node import Path, ProposedSteps
from okso_jupyter.planning.tree.schemas import Schema, any_of, next_step_schemas, whole_schema

#: Returns the score of each text as a plan; None for a text that is not a usable plan.
Judge = Callable[[Sequence[str]], Sequence[float | None]]


@dataclass(slots=True, kw_only=True)
class ModelMoves:
    """Implements `Moves` with a model that proposes steps and completes plans.

    Attributes:
        model: The model.
        question: The completion request for whole plans; further seeds count up from its first.
        schema: The schema of whole plans.
        judge: Returns the scores of plans.
        deadline: The time limit, after which the plans found so far are taken.
        draws: Number of unconstrained draws for the next step of each path.
        most_draws: Maximum number of draws, including those constrained to one tool.
        written: The completions that are whole plans, by `substance`.
        begun: The first completion of each partial plan, by `substance`.
        failed: The completions that could not be used.
        calls: Number of model calls.
        completions: Number of completions.
        output_tokens: Number of tokens in all completions.
    """

    model: LanguageModel
    question: CompletionRequest
    schema: Schema
    judge: Judge
    deadline: Deadline
    draws: int
    most_draws: int
    written: dict[str, Completion] = field(default_factory=dict)
    begun: dict[str, Completion] = field(default_factory=dict)
    failed: list[Completion] = field(default_factory=list)
    calls: int = 0
    completions: int = 0
    output_tokens: int = 0
    _points: dict[str, float] = field(default_factory=dict)
    _seeds: Iterator[int] = field(init=False)

    def __post_init__(self) -> None:
        """Start the seeds at the first seed of the completion request."""
        self._seeds = count(self.question.seeds[0])

    def expand(self, paths: Sequence[Path]) -> list[list[ProposedSteps]]:
        """Return for each path the next steps that the model drew, most frequent first."""
        wanted = [self._wanted(path) for path in paths]
        answers = iter(self._ask([schema for schemas in wanted for schema in schemas]))
        return [
            self._proposals(path, list(islice(answers, len(schemas))))
            for path, schemas in zip(paths, wanted, strict=True)
        ]

    def _wanted(self, path: Path) -> list[Schema]:
        """Return the schema of each draw for the step after a path."""
        kinds = next_step_schemas(self.schema, path)
        if len(kinds) <= 1:
            return list(kinds)
        held = kinds if self.draws + len(kinds) <= self.most_draws else ()
        return [*([any_of(kinds)] * self.draws), *held]

    def complete(self, path: Path) -> Path | None:
        """Return a whole plan that begins with a path, drawn like any candidate, or None."""
        schema = whole_schema(self.schema, path)
        if schema is None:
            return None
        (completion,) = self._ask([schema])
        whole = _read(completion)
        if whole is None or not _begins(whole, path) or not self._readable([whole]):
            self.failed.append(completion)
            return None
        self._keep(whole, completion)
        return whole

    def score(self, paths: Sequence[Path]) -> list[float]:
        """Return the scores of paths that `expand` or `complete` returned."""
        return [self._points[substance(path)] for path in paths]

    def _ask(self, schemas: Sequence[Schema]) -> Sequence[Completion]:
        """Return one completion per schema, each with a new seed."""
        if not schemas:
            return []
        begun_s = self.deadline.elapsed_s
        seeds = tuple(next(self._seeds) for _ in schemas)
        asked = replace(
            self.question,
            seeds=seeds,
            schemas=tuple(schemas),
            enough_after_s=self.deadline.left_s,
            drafts_after_s=self.deadline.drafts_after_s,
        )
        answers = self.model.complete(asked)
        self.calls += 1
        self.completions += len(answers)
        self.output_tokens += sum(answer.output_tokens for answer in answers)
        return [replace(one, duration_s=begun_s + one.duration_s) for one in answers]

    def _proposals(self, path: Path, completions: Sequence[Completion]) -> list[ProposedSteps]:
        """Return the distinct steps that completions add to a path; keep the whole plans."""
        drawn: Counter[str] = Counter()
        longer: dict[str, Path] = {}
        for completion in completions:
            read = _read(completion)
            if read is None or len(read) <= len(path) or not _begins(read, path):
                self.failed.append(completion)
                continue
            behind = read[: len(path) + 1]
            if substance(behind[-1:]) in {substance((step,)) for step in path}:
                continue  # repeating the same call would give the same result
            key = substance(behind)
            drawn[key] += 1
            longer.setdefault(key, behind)
            self.begun.setdefault(key, completion)
            self.deadline.has_steps = True
            if behind[-1].get("tool") == FINAL_TOOL:
                self._keep(behind, completion)
        usable = self._readable(list(longer.values()))
        total = sum(drawn[key] for key in usable)
        return [
            ProposedSteps(longer[key][-1], drawn[key] / total)
            for key, _ in drawn.most_common()
            if key in usable
        ]

    def _keep(self, whole: Path, completion: Completion) -> None:
        """Store the first completion of a whole plan."""
        self.written.setdefault(substance(whole), completion)
        self.deadline.has_plan = True

    def _readable(self, paths: Sequence[Path]) -> frozenset[str]:
        """Return the `substance` of the paths that are usable plans; store their scores."""
        keys = [substance(path) for path in paths]
        judged = self.judge([_text(path) for path in paths]) if paths else []
        good = {key: points for key, points in zip(keys, judged, strict=True) if points is not None}
        self._points.update(good)
        return frozenset(good)


def substance(path: Path) -> str:
    """Return the key by which plans count as the same: tools and arguments without thoughts."""
    return json.dumps([[step.get("tool"), step.get("args")] for step in path], sort_keys=True)


def _begins(whole: Path, path: Path) -> bool:
    return substance(whole[: len(path)]) == substance(path)


def _text(path: Path) -> str:
    return json.dumps([dict(step) for step in path], ensure_ascii=False)


def _read(completion: Completion) -> Path | None:
    """Return the steps of a completion; None if it is unfinished, flawed or not a list of steps."""
    if completion.flaw or completion.finish != "stop":
        return None
    try:
        steps = json.loads(completion.text)
    except (ValueError, RecursionError):  # the latter: very deep nesting
        return None
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        return None
    return tuple(steps)
