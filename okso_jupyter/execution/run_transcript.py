"""Transcript of a run for a model's prompt, within the prompt budget.

The latest step is shown in full and earlier ones by their summary (HISTORY_STYLE=latest_raw), or
each step as one JSON line (compact). A prompt and its completion share PROMPT_TOKEN_BUDGET tokens.
What does not fit is dropped in this order:

1. When arguments are filled, always: everything of a web page except address, status and snippet,
   and of every output everything after the beginning that can be chosen.
2. Earlier outputs, oldest first: they are replaced by their summary.
3. The ends of long lines of the latest output (SUMMARY_LINE_CHAR_LIMIT).
4. The end of the latest output.
5. The earlier steps, oldest first.
6. The rest of the latest step; nothing is shown if the rest of the prompt fills the budget.
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

#: okso's estimate: four characters per token.
_CHARACTERS_PER_TOKEN: Final = 4
#: Characters of the list of calls, and of the arguments or the error of one call in it.
_MOST_BRIEF: Final = 4000
_MOST_ARGS: Final = 400
#: Characters of the latest step that are kept until all earlier steps are dropped.
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
    """Return a prompt with as much of the transcript as fits the budget.

    Args:
        prompt: Returns the prompt for a transcript.
        observations: The observations, in order.
        settings: HISTORY_STYLE, PROMPT_TOKEN_BUDGET and SUMMARY_LINE_CHAR_LIMIT.
        max_tokens: Maximum tokens of the completion.
    """
    room = settings.prompt_token_budget - max_tokens - tokens_of(prompt(""))
    return prompt(transcript(observations, settings, max_characters=room * _CHARACTERS_PER_TOKEN))


def tokens_of(text: str) -> int:
    """Return the estimated number of tokens in a text: one per four characters."""
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def transcript(
    observations: Sequence[Observation], settings: Settings, *, max_characters: int
) -> str:
    """Return the transcript in at most `max_characters`, shortened as the module docstring says.

    Tool output is enclosed in marks that it cannot forge, since it is data and never an
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
    """Format of the steps in a transcript.

    Attributes:
        mark: A word that no output contains.
        compact: Whether each step is one line of JSON.
    """

    mark: str
    compact: bool

    def framed(self, shown: Sequence[str]) -> str:
        """Return the steps as one text; JSON lines are enclosed in marks together."""
        text = "\n".join(shown)
        return f"<<<{self.mark}\n{text}\n{self.mark}>>>" if self.compact and shown else text

    def whole(self, observations: Sequence[Observation]) -> list[str]:
        """Return every step in its full form."""
        *earlier, last = observations
        return [
            *(self._show(o, _output(o) if self.compact else o.summary) for o in earlier),
            self._show(last, self._latest(last)),
        ]

    def lessened(
        self, observations: Sequence[Observation], max_characters: int, line_limit: int
    ) -> list[str]:
        """Return the steps shortened to `max_characters`, in the order of the module docstring."""
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
        """Return a step whose output is cut so that it fits, marks included; empty if it cannot."""
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
        """Return a step as text; its output is enclosed in marks or is a JSON value."""
        call = observation.call
        if not self.compact:
            return f"Step {call.step_id} ({call.tool}):\n<<<{self.mark}\n{output}\n{self.mark}>>>"
        step = {
            "step": call.step_id, "tool": call.tool, "args": dict(call.args),
            "status": observation.status, "observation": output,
        }  # fmt: skip
        return json.dumps(step, ensure_ascii=False, separators=(",", ":"), default=str)


def calls_in_brief(
    observations: Sequence[Observation], *, output_chars: int = 0, most_chars: int = _MOST_BRIEF
) -> str:
    """Return the calls of a run, one per line, between marks: how each ended, and its error.

    Args:
        observations: The observations, in order.
        output_chars: Characters of each output to show.
        most_chars: Most characters in all; the oldest calls are left out first.
    """
    lines: list[str] = []
    for seen in reversed(observations):
        lines.insert(0, _call_in_brief(seen, output_chars))
        if sum(map(len, lines)) > most_chars:
            lines.pop(0)
            break
    if not lines:
        return _NOTHING
    mark = mark_of(*lines)
    return "\n".join([f"<<<{mark}", *lines, f"{mark}>>>"])


def _call_in_brief(seen: Observation, output_chars: int) -> str:
    args = json.dumps(dict(seen.call.args), ensure_ascii=False, default=str)
    code = "" if seen.exit_code is None else f", exit code {seen.exit_code}"
    line = f"step {seen.call.step_id} {seen.call.tool} {cut(args, _MOST_ARGS)}: {seen.status}{code}"
    error = f"; {cut(seen.error, _MOST_ARGS)}" if seen.error else ""
    output = beginning(seen.text.strip(), output_chars) if output_chars else ""
    return f"{line}{error}" + (f"\n{output}" if output else "")


def _output(observation: Observation) -> Any:  # noqa: ANN401  any JSON value
    """Return the output of a step as data, or the error of a failed one."""
    return observation.error or observation.raw


def _text(output: Any) -> str:  # noqa: ANN401  any JSON value
    return output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)


def _length(shown: Sequence[str]) -> int:
    return sum(map(len, shown)) + len(shown)


def pages_in_brief(observations: Sequence[Observation]) -> list[Observation]:
    """Return the observations with web pages reduced to address, status and snippet.

    A page is recognized by the keys of its result, whichever tool fetched it.
    """
    return [_in_brief(o) if _is_page(o.raw) else o for o in observations]


def beginnings(observations: Sequence[Observation], most: int) -> list[Observation]:
    """Return the observations with outputs cut to at most `most` characters."""
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
    """Return a word that none of the texts can contain: the hash of all of them.

    It is not random, because a replayed run has to send the same prompts.
    """
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]
