"""What a model is shown of a run so far, within the prompt budget.

The latest step is shown in full and earlier ones by their summary (HISTORY_STYLE=latest_raw), or
all of them as one JSON line each (compact). A prompt and its completion have PROMPT_TOKEN_BUDGET
tokens together. What does not fit is lost in this order:

1. Where arguments are filled, of a web page all but its address, status and snippet, and of every
   output what follows on the beginning that can be chosen, always.
2. Earlier outputs, the oldest first: their summary stands in their place.
3. The ends of long lines of the latest output (SUMMARY_LINE_CHAR_LIMIT).
4. The end of the latest output.
5. The earlier steps, the oldest first.
6. What is left of the latest step; nothing is shown where the rest of the prompt fills the budget.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from okso_jupyter.amounts import beginning, characters_of, cut
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.records import Observation
from okso_jupyter.settings import Settings

#: okso's measure: four characters count as one token.
_CHARACTERS_PER_TOKEN: Final = 4
#: What stays of the latest output before earlier steps are left out.
_LEAST_CHARACTERS: Final = 200
_NOTHING: Final = "(nothing was observed yet)"
_PAGE_KEYS: Final = frozenset({"final_url", "status", "body_snippet"})


def within_budget(
    prompt: Callable[[str], str],
    observations: Sequence[Observation],
    settings: Settings,
    *,
    max_tokens: int,
) -> str:
    """Return a prompt with as much of the run so far as the budget leaves room for.

    Args:
        prompt: Gives the prompt for what is shown of the run.
        observations: What was observed, in order.
        settings: HISTORY_STYLE, PROMPT_TOKEN_BUDGET and SUMMARY_LINE_CHAR_LIMIT.
        max_tokens: Most tokens of the completion.
    """
    room = settings.prompt_token_budget - max_tokens - tokens_of(prompt(""))
    return prompt(transcript(observations, settings, max_characters=room * _CHARACTERS_PER_TOKEN))


def tokens_of(text: str) -> int:
    """Return about how many tokens a text has: one for every four characters."""
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def transcript(
    observations: Sequence[Observation], settings: Settings, *, max_characters: int
) -> str:
    """Return the steps so far, in no more characters than these; see the module's docstring.

    Text of tools stands between marks that it cannot forge, since it is data and never an
    instruction.
    """
    if not observations:
        return _NOTHING
    mark = mark_of(*(o.text + o.error for o in observations))
    view = _View(mark, settings.history_style == "compact")
    whole = view.framed(view.whole(observations))
    if len(whole) <= max_characters:
        return whole
    room = max_characters - len(view.framed([""]))
    text = view.framed(view.lessened(observations, room, settings.summary_line_char_limit))
    detail = {"before": tokens_of(whole), "after": tokens_of(text)}
    LOGGER.info("the context was cut to PROMPT_TOKEN_BUDGET", extra={"detail": detail})
    return text


@dataclass(frozen=True, slots=True)
class _View:
    """How steps are written down for a model.

    Attributes:
        mark: A word that no output holds.
        compact: Whether every step is a line of JSON.
    """

    mark: str
    compact: bool

    def framed(self, shown: Sequence[str]) -> str:
        """Return the steps as one text: each stands between marks, lines of JSON do so together."""
        text = "\n".join(shown)
        return f"<<<{self.mark}\n{text}\n{self.mark}>>>" if self.compact and shown else text

    def whole(self, observations: Sequence[Observation]) -> list[str]:
        """Return every step as it is shown where there is room."""
        *earlier, last = observations
        return [
            *(self._show(o, _output(o) if self.compact else o.summary) for o in earlier),
            self._show(last, self._latest(last)),
        ]

    def lessened(
        self, observations: Sequence[Observation], max_characters: int, line_limit: int
    ) -> list[str]:
        """Return the steps with as much left out as is needed, in the order of losses."""
        *earlier, last = observations
        shown = self.whole(observations)
        for place, observation in enumerate(earlier):
            if _length(shown) > max_characters:
                shown[place] = self._show(observation, observation.summary)
        if _length(shown) <= max_characters:
            return shown
        room = max_characters - _length(shown[:-1])
        shown[-1] = self._cut_to(last, line_limit, max(room, _LEAST_CHARACTERS))
        while len(shown) > 1 and _length(shown) > max_characters:
            shown.pop(0)
        if _length(shown) > max_characters:
            shown = [self._cut_to(last, line_limit, max_characters)]
        return [step for step in shown if step]

    def _cut_to(self, observation: Observation, line_limit: int, max_characters: int) -> str:
        """Return a step whose output is cut so that all of it, its marks too, has the length."""
        whole = _text(self._latest(observation))
        text = "\n".join(cut(line, line_limit) for line in whole.splitlines())
        left = len(text)
        while left > 0:
            shown = self._show(observation, cut(text, left, whole=characters_of(whole)))
            over = len(shown) + 1 - max_characters
            if over <= 0:
                return shown
            left -= over
        return ""

    def _latest(self, observation: Observation) -> Any:  # noqa: ANN401  any JSON value
        if self.compact:
            return _output(observation)
        return observation.text or observation.error or observation.summary

    def _show(self, observation: Observation, output: Any) -> str:  # noqa: ANN401  see _latest
        """Return a step; what it gave stands where it cannot be taken for anything else."""
        call = observation.call
        if not self.compact:
            return f"Step {call.step_id} ({call.tool}):\n<<<{self.mark}\n{output}\n{self.mark}>>>"
        step = {
            "step": call.step_id, "tool": call.tool, "args": dict(call.args),
            "status": observation.status, "observation": output,
        }  # fmt: skip
        return json.dumps(step, ensure_ascii=False, separators=(",", ":"), default=str)


def _output(observation: Observation) -> Any:  # noqa: ANN401  any JSON value
    """Return what a step gave, as data; of one that failed, why."""
    return observation.error or observation.raw


def _text(output: Any) -> str:  # noqa: ANN401  any JSON value
    return output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)


def _length(shown: Sequence[str]) -> int:
    return sum(map(len, shown)) + len(shown)


def pages_in_brief(observations: Sequence[Observation]) -> list[Observation]:
    """Return the same, of web pages the address, status and snippet alone.

    A page is known by what an observation of one holds, whichever tool fetched it.
    """
    return [_in_brief(o) if _is_page(o.raw) else o for o in observations]


def beginnings(observations: Sequence[Observation], most: int) -> list[Observation]:
    """Return the same, of outputs with more characters than these the beginning alone."""
    return [_begun(o, most) if len(o.text) > most else o for o in observations]


def _begun(observation: Observation, most: int) -> Observation:
    text = beginning(observation.text, most)
    return replace(observation, raw=text, text=text)


def _is_page(raw: object) -> bool:
    return isinstance(raw, Mapping) and raw.keys() >= _PAGE_KEYS


def _in_brief(observation: Observation) -> Observation:
    raw = observation.raw
    kept = {"url": raw["final_url"], "status": raw["status"], "snippet": raw["body_snippet"]}
    text = "\n".join(str(value) for value in kept.values())
    return replace(observation, raw=kept, text=text, summary=text)


def mark_of(*texts: str) -> str:
    """Return a word that none of the texts can hold: the hash of all of them.

    A random word would do as well, but a recorded run has to ask the same again.
    """
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]
