"""The answer, composed from what was observed and never from what was planned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from okso_jupyter import assets
from okso_jupyter.errors import ModelError
from okso_jupyter.execution.aids import Aids
from okso_jupyter.execution.context import cut, within_budget
from okso_jupyter.execution.validation import NOTHING, has_placeholder
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.plan.records import Observation

_SHORT_CHARACTERS: Final = 600
_SHORT_LINES: Final = 15
_DIGEST_CHARACTERS: Final = 1500
_MAX_TOKENS: Final = 160
_WORD = re.compile(r"\w{3,}|\d+")


@dataclass(frozen=True, slots=True)
class Composer:
    """Composes answers."""

    aids: Aids

    def compose(
        self,
        observations: Sequence[Observation],
        used: frozenset[int],
        step_id: int | None = None,
    ) -> str:
        """Return the answer.

        Short results are given as they are; a long one is put into words by the model, and shown
        itself where the model's words do not hold.

        Args:
            observations: Every attempt, in order.
            used: Ids of the steps whose output went into a later step.
            step_id: The step that answers, for the ledger; None where there is no such step.
        """
        # an earlier answer, of a plan that was replaced, is no result
        results = [o for o in observations if o.status == "completed" and o.call.tool != FINAL_TOOL]
        telling = [o for o in results if o.call.step_id not in used and o.text.strip()]
        short = "\n".join(o.text.strip() for o in telling)
        if telling and _is_short(short):
            return short
        if self.aids.settings.final_answer == "digest":
            return digest(observations)
        if self.aids.request and not any(o.call.tool != FINAL_TOOL for o in observations):
            prompt = assets.prompt("direct", request=self.aids.asked)
            return self._ask(prompt, step_id) or digest(observations)
        words = self._in_words(telling, step_id) if telling else ""
        return words if _holds(words, telling, self.aids.request) else digest(observations)

    def _in_words(self, observations: Sequence[Observation], step_id: int | None) -> str:
        """Return what the model makes of the observations."""
        prompt = within_budget(
            lambda shown: assets.prompt("answer", request=self.aids.asked, observations=shown),
            observations,
            self.aids.settings,
            max_tokens=_MAX_TOKENS,
        )
        return self._ask(prompt, step_id)

    def _ask(self, prompt: str, step_id: int | None) -> str:
        """Return what the model answers to a prompt; nothing where there is no model."""
        try:
            completion = self.aids.ask(prompt, max_tokens=_MAX_TOKENS, step_id=step_id)
        except ModelError as error:
            LOGGER.warning("the answer is a digest", extra={"detail": str(error)})
            return ""
        return completion.text.strip()


def digest(observations: Sequence[Observation]) -> str:
    """Return the results as text, and what failed, without a model."""
    lines = []
    for observation in observations:
        if observation.call.tool == FINAL_TOOL:
            continue
        name = f"Step {observation.call.step_id} ({observation.call.tool})"
        if observation.status == "completed":
            text = cut(observation.text.strip(), _DIGEST_CHARACTERS)
            lines.append(text or f"{name}: done")
        else:
            lines.append(f"{name} {observation.status}: {observation.error}")
    return "\n".join(lines) or NOTHING


def _is_short(text: str) -> bool:
    return len(text) <= _SHORT_CHARACTERS and text.count("\n") < _SHORT_LINES


def _holds(answer: str, observations: Sequence[Observation], request: str) -> bool:
    """Say whether an answer is one: no placeholder, made of words that were observed.

    One of them at least has to be no word of the request, and no line may be one of the question:
    a small model likes to repeat both.
    """
    if not answer or has_placeholder(answer, observations):
        return False
    question = assets.prompt("answer", request=request, observations="").splitlines()
    if {line.strip() for line in answer.splitlines() if line.strip()} & set(question):
        return False
    seen = {word.lower() for o in observations for word in _WORD.findall(o.text)}
    words = [word.lower() for word in _WORD.findall(answer)]
    if not (seen - set(_WORD.findall(request.lower()))) & set(words):
        return False
    return sum(word in seen for word in words) * 3 >= len(words)
