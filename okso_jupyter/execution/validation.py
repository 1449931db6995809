"""Answer validation: checks an answer once; the answer is shown whatever the result.

Rules detect without a model that an answer is empty, has a placeholder, or uses nothing that was
observed. A model larger than the bundled one is asked in addition.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from okso_jupyter import assets
from okso_jupyter.errors import ModelError
from okso_jupyter.execution.model_calls import ModelCalls, Question
from okso_jupyter.execution.run_transcript import mark_of, within_budget
from okso_jupyter.journal.events import AnswerChecked
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.plan.records import Observation

_SCHEMA: Final = "answer_check.schema.json"
#: The digest of a run without results.
NOTHING: Final = "Nothing was run."
_PLACEHOLDER: Final = re.compile(r"(?i)\b(?:todo|tbd|lorem ipsum|__missing__)\b|\[insert")
_WORD: Final = re.compile(r"\w{3,}|\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerVerdict:
    """The result of an answer check.

    Attributes:
        satisfied: Whether the answer is acceptable.
        reasoning: Why, in one sentence.
        by: "checks", or "model".
    """

    satisfied: bool
    reasoning: str
    by: Literal["checks", "model"] = "checks"


@dataclass(frozen=True, slots=True)
class Validator:
    """Checks answers.

    Attributes:
        model_calls: Calls the model.
        asks_model: Whether the validator's model is asked; the bundled one is too small to judge.
    """

    model_calls: ModelCalls
    asks_model: bool = False

    def check(self, answer: str, observations: Sequence[Observation]) -> AnswerVerdict:
        """Return the verdict on an answer and record it."""
        # the final step's output is the answer itself
        observations = [o for o in observations if o.call.tool != FINAL_TOOL]
        verdict = by_rules(answer, observations)
        if verdict.satisfied and self.asks_model:
            verdict = self._by_model(answer, observations) or verdict
        self.model_calls.recorder.record(AnswerChecked(**asdict(verdict)))
        if not verdict.satisfied:
            detail = {"why": verdict.reasoning, "by": verdict.by}
            LOGGER.info("the answer may be inadequate", extra={"detail": detail})
        return verdict

    def _by_model(self, answer: str, observations: Sequence[Observation]) -> AnswerVerdict | None:
        """Return the model's verdict; None if it cannot be asked or gives no usable verdict."""
        max_tokens = self.model_calls.settings.validation_max_tokens
        mark = mark_of(answer)
        prompt = within_budget(
            lambda shown: assets.prompt(
                "validate",
                request=self.model_calls.asked,
                answer=answer,
                observations=shown,
                mark=mark,
            ),
            observations,
            self.model_calls.settings,
            max_tokens=max_tokens,
        )
        question = Question(
            text=prompt, role="validator", schema=assets.schema(_SCHEMA), max_tokens=max_tokens
        )
        try:
            said = _read(self.model_calls.ask(question).text)
        except (ModelError, json.JSONDecodeError) as error:
            LOGGER.warning("the answer is not checked", extra={"detail": str(error)})
            return None
        if assets.first_violation(_SCHEMA, said) is not None:
            LOGGER.warning("the answer is not checked", extra={"detail": "no verdict was given"})
            return None
        return AnswerVerdict(satisfied=said["satisfied"], reasoning=said["reasoning"], by="model")


def _read(text: str) -> Any:  # noqa: ANN401  any JSON value
    """Return the parsed JSON; accept 0 and 1 as booleans, since some servers ignore the schema."""
    said = json.loads(text)
    if isinstance(said, dict) and said.get("satisfied") in {0, 1}:
        return {**said, "satisfied": bool(said["satisfied"])}
    return said


def by_rules(answer: str, observations: Sequence[Observation]) -> AnswerVerdict:
    """Return the verdict of the rules that need no model."""
    if answer.strip() in {"", NOTHING}:
        return AnswerVerdict(satisfied=False, reasoning="the answer is empty")
    if has_placeholder(answer, observations):
        return AnswerVerdict(satisfied=False, reasoning="the answer holds a placeholder")
    if not _uses(answer, observations):
        return AnswerVerdict(
            satisfied=False, reasoning="the answer has nothing of what was observed"
        )
    return AnswerVerdict(
        satisfied=True, reasoning="it is there, whole, and made of what was observed"
    )


def has_placeholder(answer: str, observations: Sequence[Observation]) -> bool:
    """Return whether an answer has a placeholder that was not observed."""
    seen = "\n".join(o.text for o in observations).lower()
    return any(mark.lower() not in seen for mark in _PLACEHOLDER.findall(answer))


def _uses(answer: str, observations: Sequence[Observation]) -> bool:
    """Return whether an answer has an observed word or number; True if nothing was observed."""
    seen = {
        word.lower()
        for o in observations
        if o.status == "completed"
        for word in _WORD.findall(o.text)
    }
    return not seen or any(word.lower() in seen for word in _WORD.findall(answer))
