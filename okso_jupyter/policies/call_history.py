"""CallHistory: the calls before a call, and what they make of it: origins of values, the trifecta.

The calls of a run are read from its journal; those of a plan are added one by one, as far as their
effects are known before they run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from okso_jupyter.effects.effect import Effect, Effects
from okso_jupyter.effects.trifecta import Role, is_complete, roles_of
from okso_jupyter.journal.events import (
    ArgumentsFilled,
    CallStarted,
    DecisionMade,
    ObservationMade,
    PlanMade,
    PlanProposed,
    Recorded,
)
from okso_jupyter.policies.typed_values import TypedValues
from okso_jupyter.toolkit.steering import words_in

OutputOrigin = Literal["file", "web", "tool"]
#: The kinds of events that it is made of.
READS: Final = (
    CallStarted, ObservationMade, ArgumentsFilled, PlanMade, PlanProposed, DecisionMade,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CallHistory:
    """The calls before a call.

    Attributes:
        roles: What they contribute to the trifecta together.
        origins: Origins of their outputs.
        words: Words of the outputs so far, by origin.
        sources: Origins of the values that were filled into the arguments of a step, by its id.
        typed: The values that a person typed into the form.
    """

    roles: frozenset[Role] = frozenset()
    origins: frozenset[OutputOrigin] = frozenset()
    words: Mapping[OutputOrigin, frozenset[str]] = field(default_factory=dict)
    sources: Mapping[int, frozenset[OutputOrigin]] = field(default_factory=dict)
    typed: TypedValues = field(default_factory=TypedValues)

    @classmethod
    def of_events(
        cls, events: Iterable[Recorded], run_id: str, *, has_inputs: bool = False
    ) -> CallHistory:
        """Return the history of a run from its events, in order.

        Args:
            events: The events.
            run_id: The run.
            has_inputs: See `roles_of`.
        """
        history = cls()
        effects_of: dict[int, Effects] = {}
        for event in events:
            match event:
                case CallStarted(step_id=step_id, effects=effects):
                    effects_of[step_id] = effects
                    history = history.after(effects, has_inputs=has_inputs)
                case ObservationMade(observation=seen):
                    origin = _origin_of(effects_of.get(seen.call.step_id, frozenset()))
                    history = history.with_output(origin, (seen.text, seen.error))
                case ArgumentsFilled(step_id=step_id, sources=sources):
                    given = [effects_of.get(source, frozenset()) for source in sources]
                    history = history.with_filled(step_id, frozenset(map(_origin_of, given)))
                case PlanMade() | PlanProposed() | DecisionMade():
                    history = replace(history, typed=history.typed.after(event, run_id))
        return history

    def after(self, effects: Effects, *, has_inputs: bool = False) -> CallHistory:
        """Return the history with one more call, of which only the effects are known."""
        roles = self.roles | roles_of(effects, has_inputs=has_inputs)
        return replace(self, roles=roles, origins=self.origins | {_origin_of(effects)})

    def with_output(self, origin: OutputOrigin, texts: Iterable[str]) -> CallHistory:
        """Return the history with the words of an output."""
        words = self.words.get(origin, frozenset()) | words_in(texts)
        return replace(self, words={**self.words, origin: words})

    def with_filled(self, step_id: int, origins: frozenset[OutputOrigin]) -> CallHistory:
        """Return the history with the origins of values that were filled into a step."""
        known = self.sources.get(step_id, frozenset())
        return replace(self, sources={**self.sources, step_id: known | origins})

    def gave(self, step_id: int) -> frozenset[OutputOrigin]:
        """Return the origins of what was filled into the arguments of a step."""
        return self.sources.get(step_id, frozenset())

    def origins_of(self, words: frozenset[str]) -> frozenset[OutputOrigin]:
        """Return the origins of the outputs in which any of these words occurs."""
        return frozenset(origin for origin, known in self.words.items() if words & known)

    def completes_trifecta(self, effects: Effects, *, has_inputs: bool = False) -> bool:
        """Return whether a call with these effects completes the trifecta."""
        return is_complete(roles_of(effects, has_inputs=has_inputs), self.roles)


def _origin_of(effects: Effects) -> OutputOrigin:
    """Return the origin of a call's output; the least trusted one where several fit."""
    if effects & {Effect.NETWORK, Effect.UNDECLARED}:
        return "web"
    return "file" if Effect.READS in effects else "tool"
