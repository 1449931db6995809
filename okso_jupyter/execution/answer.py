"""Composer: writes the answer from what was observed, never from what was planned.

What a model writes is checked: each sentence and number of it must occur in the sources.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from okso_jupyter import assets
from okso_jupyter.amounts import cut
from okso_jupyter.errors import ModelError
from okso_jupyter.execution.extracts import telling_sentences
from okso_jupyter.execution.model_calls import ModelCalls, Question
from okso_jupyter.execution.run_transcript import within_budget
from okso_jupyter.execution.text_statistics import described
from okso_jupyter.execution.validation import NOTHING, has_placeholder
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.plan import FINAL_TOOL, FROM_MODEL, NO_ANSWER
from okso_jupyter.plan.records import Observation
from okso_jupyter.plan.text_requests import (
    asks_for_summary,
    asks_for_text,
    asks_for_translation,
    plain,
)
from okso_jupyter.word_stems import english_stem

_SHORT_CHARACTERS: Final = 600
_SHORT_LINES: Final = 15
_DIGEST_CHARACTERS: Final = 1500
#: Shorter texts are shown whole instead of being quoted from.
_GLANCE_CHARACTERS: Final = 300
_MAX_TOKENS: Final = 160
#: Result keys that hold the text of a file or of a web page.
_TEXT_KEYS: Final = frozenset({"content_markdown", "body_snippet"})
#: Minimum share of a sentence's words that were observed, for a summary.
_SUMMARY_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Composer:
    """Composes answers."""

    model_calls: ModelCalls

    def compose(
        self,
        observations: Sequence[Observation],
        used: frozenset[int],
        step_id: int | None = None,
    ) -> str:
        """Return the answer.

        Short results are returned as they are. For a long one the model writes an answer; if that
        answer is not fully supported by the results, the results are shown instead. A small model
        is not asked: the most informative sentences are quoted.

        Args:
            observations: Every attempt, in order.
            used: Ids of the steps whose output went into a later step.
            step_id: The step that gives the answer, for cost accounting; None if there is none.
        """
        # the answer of a plan that was replaced is not a result
        results = [o for o in observations if o.status == "completed" and o.call.tool != FINAL_TOOL]
        telling = _telling(results, used)
        short = "\n".join(o.text.strip() for o in telling)
        if telling and _is_short(short):
            return self._quoted(telling[0]) or short if len(telling) == 1 else short
        if self.model_calls.settings.final_answer == "digest":
            return digest(observations)
        if self.model_calls.request and not any(o.call.tool != FINAL_TOOL for o in observations):
            return self._from_knowledge(step_id) or digest(observations)
        if not telling:
            return digest(observations)
        if not self._may_word_it():
            return "\n\n".join(self._shown(o) for o in telling)
        words = self._in_words(telling, step_id)
        return words if self._holds(words, telling) else digest(observations)

    def _may_word_it(self) -> bool:
        """Return whether there is a model large enough to write supported answers."""
        try:
            return not self.model_calls.model("executor").identity.is_small
        except ModelError:
            return False

    def _from_knowledge(self, step_id: int | None) -> str:
        """Return the model's own answer, marked as such, or NO_ANSWER without a large model.

        An answer supported by the values that the request names is not marked.
        """
        if not self._may_word_it():
            return NO_ANSWER
        words = self._ask(assets.prompt("direct", request=self.model_calls.asked), step_id)
        is_told = bool(self.model_calls.values) and is_supported(words, [self.model_calls.asked])
        return words if not words or is_told else FROM_MODEL + words

    def _shown(self, observation: Observation) -> str:
        """Return a result without a model: statistics or quotes of a text, else its beginning."""
        return self._quoted(observation) or cut(observation.text.strip(), _DIGEST_CHARACTERS)

    def _quoted(self, observation: Observation) -> str:
        """Return statistics of a table or log, or quoted sentences of another text.

        Empty if the result is not the text of a file or page, if the request asks for the text
        itself, or if the text is short.
        """
        text, request = observation.text.strip(), self.model_calls.request
        name, part = _source(observation)
        is_summary = asks_for_summary(request)
        if not name or asks_for_text(request) or (_is_short(text) and not is_summary):
            return ""
        if is_summary and (figures := described(name, text, part)):
            return figures
        if len(text) < _GLANCE_CHARACTERS:
            return ""
        quotes = telling_sentences(text, "" if is_summary else plain(request))
        shown = f"{name}, {part}" if part else name
        lines = [f"Quoted from {shown}:", *(f"- {quote}" for quote in quotes)]
        return "\n".join(lines) if quotes else ""

    def _in_words(self, observations: Sequence[Observation], step_id: int | None) -> str:
        """Return the model's answer from the observations."""
        prompt = within_budget(
            lambda shown: assets.prompt(
                "answer", request=self.model_calls.asked, observations=shown
            ),
            observations,
            self.model_calls.settings,
            max_tokens=_MAX_TOKENS,
        )
        return self._ask(prompt, step_id)

    def _ask(self, prompt: str, step_id: int | None) -> str:
        """Return the model's completion of a prompt; empty if it cannot be asked."""
        question = Question(text=prompt, max_tokens=_MAX_TOKENS, step_id=step_id)
        try:
            completion = self.model_calls.ask(question)
        except ModelError as error:
            LOGGER.warning("the answer is a digest", extra={"detail": str(error)})
            return ""
        return completion.text.strip()

    def _holds(self, answer: str, observations: Sequence[Observation]) -> bool:
        """Return whether an answer has no placeholder and every sentence is supported.

        No line may repeat the prompt, as models tend to do.
        """
        request = self.model_calls.request
        if not answer or has_placeholder(answer, observations):
            return False
        question = assets.prompt("answer", request=request, observations="").splitlines()
        if {line.strip() for line in answer.splitlines() if line.strip()} & set(question):
            return False
        seen = [o.text for o in observations]
        if is_supported(answer, [request]):
            return False  # it says nothing that was observed
        return is_supported(
            answer, [*seen, self.model_calls.asked], least_share=_least_share(request)
        )


def digest(observations: Sequence[Observation]) -> str:
    """Return the results and failures as text, without a model."""
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


def _telling(results: Sequence[Observation], used: frozenset[int]) -> list[Observation]:
    """Return the results that make up the answer: those that no later step used.

    A value that a later step wrote unchanged into a file is included too.
    """
    spoken = [o for o in results if o.text.strip()]
    last = [o for o in spoken if o.call.step_id not in used]
    writes = [o for o in last if o.changes.created or o.changes.updated]
    written = "\n".join(str(arg) for o in writes for arg in o.call.args.values())
    both = [o for o in spoken if o in last or _is_in(o, written)]
    return both if _is_short("\n".join(o.text.strip() for o in both)) else last


def _is_in(observation: Observation, written: str) -> bool:
    """Return whether the whole output of a step was written."""
    raw = observation.raw
    printed = raw.get("stdout") if isinstance(raw, Mapping) else None
    given = (printed if isinstance(printed, str) else observation.text).strip()
    return bool(given) and given in written


def _source(observation: Observation) -> tuple[str, str]:
    """Return the name and part of the file or page a result is the text of; empty for others."""
    raw = observation.raw
    if not isinstance(raw, Mapping) or not raw.keys() & _TEXT_KEYS:
        return "", ""
    name = raw.get("path") or raw.get("final_url") or ""
    total = raw.get("total_pages", 1)
    part = f"page {raw.get('page', 1)} of {total}" if isinstance(total, int) and total > 1 else ""
    return (str(name), part) if name else ("", "")


def _least_share(request: str) -> float:
    """Return the minimum share of a sentence's words that must have been observed."""
    if asks_for_translation(request):
        return 0.0
    return _SUMMARY_SHARE if asks_for_summary(request) else 1.0


def _is_short(text: str) -> bool:
    return len(text) <= _SHORT_CHARACTERS and text.count("\n") < _SHORT_LINES


_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
#: Function words of answers, which make no claim.
_PLAIN: Final = frozenset(
    "the and are was were has have had does did not but for with from that this these those there "
    "their its his her they them then than which who what when where how one all any each both "
    "into about also only more most some such according based answer says said say shows show "
    "mentions mention mentioned contains contain states file files document text following found "
    "observed given result total here can been being you your "
    "der die das und ist sind war waren hat haben nicht aber für mit von aus dass diese dieser "
    "dieses ein eine einen einer laut datei steht".split()
)
#: Tolerance for binary rounding errors.
_SLACK: Final = 1e-9


def is_supported(answer: str, sources: Iterable[str], *, least_share: float = 1.0) -> bool:
    """Return whether every sentence of an answer is supported by the sources.

    Args:
        answer: The answer.
        sources: The observed texts and the request.
        least_share: Minimum share of a sentence's content words in the sources; all numbers must be
            there.
    """
    source = "\n".join(sources)
    known, figures = set(_stems(source)), _NUMBER.findall(source)
    return all(
        _share(sentence, known) >= least_share
        and all(_is_one_of(number, figures) for number in _NUMBER.findall(sentence))
        for sentence in _SENTENCE_END.split(answer)
    )


def _share(sentence: str, known: set[str]) -> float:
    """Return the share of a sentence's content words that are known."""
    words = _stems(sentence)
    return sum(word in known for word in words) / len(words) if words else 1.0


def _stems(text: str) -> list[str]:
    words = (word.lower() for word in _WORD.findall(text))
    return [english_stem(word) for word in words if word not in _PLAIN]


def _is_one_of(number: str, figures: Collection[str]) -> bool:
    """Return whether a number occurs in the sources, as written or rounded."""
    wanted, half = _value(number), 0.5 / 10 ** len(number.partition(".")[2])
    values = (_value(figure) for figure in figures)
    return number in figures or any(
        wanted is not None and value is not None and abs(value - wanted) <= half * (1 + _SLACK)
        for value in values
    )


def _value(number: str) -> float | None:
    """Return the value of a number, which may have thousands separators; None if it has none."""
    try:
        return float(re.sub(r",(?=\d{3}(?:\D|$))", "", number))
    except ValueError:
        return None
