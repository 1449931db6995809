"""Helpers of the tree planning tests: small worlds of plans and an obedient model."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from okso_jupyter.llm.protocol import Completion, CompletionRequest, ModelIdentity
from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.planning.tree.node import Path, ProposedSteps


@dataclass(frozen=True, slots=True)
class Place:
    """A partial plan in a world: its score, its sampling weight, the possible next steps.

    A place without next steps is a complete plan.
    """

    points: float
    weight: int = 1
    behind: tuple[Place, ...] = ()


@dataclass(slots=True)
class World:
    """A search space without a model: all possible next steps are given at the start."""

    start: Place
    asked: list[Path] = field(default_factory=list)

    def expand(self, paths: Sequence[Path]) -> list[list[ProposedSteps]]:
        """Return the possible next steps of each path."""
        self.asked += paths
        return [self._proposals(self.at(path)) for path in paths]

    def complete(self, path: Path) -> Path | None:
        """Return the plan that always continues with the most frequent step."""
        while (place := self.at(path)).behind:
            path = (*path, max(self._proposals(place), key=lambda one: one.share).step)
        return path

    def score(self, paths: Sequence[Path]) -> list[float]:
        """Return the score of each path."""
        return [self.at(path).points for path in paths]

    def at(self, path: Path) -> Place:
        """Return the place that a path leads to."""
        place = self.start
        for step in path:
            place = place.behind[step["args"]["way"]]
        return place

    def wholes(self, path: Path = ()) -> Iterator[Path]:
        """Yield every complete plan."""
        place = self.at(path)
        if not place.behind:
            yield path
        for proposal in self._proposals(place):
            yield from self.wholes((*path, proposal.step))

    def _proposals(self, place: Place) -> list[ProposedSteps]:
        total = sum(one.weight for one in place.behind)
        return [
            ProposedSteps(
                {"tool": "go" if one.behind else FINAL_TOOL, "args": {"way": way}},
                one.weight / total,
            )
            for way, one in enumerate(place.behind)
        ]


_points = st.integers(-20, 60).map(float)
_weights = st.integers(1, 5)
_ends = st.builds(Place, _points, _weights)
_places = st.recursive(
    _ends,
    lambda behind: st.builds(
        Place, _points, _weights, st.lists(behind, min_size=1, max_size=3).map(tuple)
    ),
    max_leaves=12,
)
#: Worlds whose first step is not a whole plan already.
worlds = st.builds(
    Place, _points, _weights, st.lists(_places, min_size=1, max_size=3).map(tuple)
).map(World)


class Obedient:
    """A model that writes what a schema allows, choosing at random where it may.

    Attributes:
        requests: The requests so far.
        written_tokens: The number of tokens that it wrote.
    """

    def __init__(self) -> None:
        self.requests: list[CompletionRequest] = []
        self.written_tokens = 0

    @property
    def identity(self) -> ModelIdentity:
        """A name that differs from every real model's."""
        return ModelIdentity(spec="obedient", name="Obedient")

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Return one text per seed."""
        self.requests.append(request)
        return [
            self._completion(seed, request.schema_of(place) or {})
            for place, seed in enumerate(request.seeds)
        ]

    def close(self) -> None:
        """Do nothing."""

    def _completion(self, seed: int, schema: Mapping[str, Any]) -> Completion:
        text = json.dumps(write(schema, schema, random.Random(seed)))  # noqa: S311  a test's luck
        self.written_tokens += len(text)
        return Completion(
            text=text, seed=seed, prompt="?", prompt_tokens=1, cached_tokens=0,
            output_tokens=len(text), duration_s=0.0, finish="stop",
        )  # fmt: skip


def write(schema: Mapping[str, Any], whole: Mapping[str, Any], luck: random.Random) -> Any:
    """Return a value that is valid under a schema of the kind that plans have."""
    match schema:
        case {"$ref": name}:
            value = write(whole["$defs"][name.rpartition("/")[2]], whole, luck)
        case {"anyOf": ways}:
            value = write(luck.choice(ways), whole, luck)
        case {"const": value}:
            pass
        case {"enum": values}:
            value = luck.choice(values)
        case {"prefixItems": items}:
            value = [write(item, whole, luck) for item in items]
        case {"type": "array", "items": item, "minItems": least}:
            value = [write(item, whole, luck) for _ in range(least)]
        case {"type": "object"}:
            parts = schema.get("properties", {})
            wanted = schema.get("required", ())
            value = {name: write(parts[name], whole, luck) for name in wanted}
        case _:
            plain = {"array": [], "integer": 1, "number": 1.0, "boolean": True}
            value = plain.get(str(schema.get("type")), "because it fits")
    return value
