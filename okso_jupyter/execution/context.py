"""What a model is shown of a run so far, within the prompt budget."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from okso_jupyter.plan.records import Observation
from okso_jupyter.settings import Settings

#: okso's measure: four characters count as one token.
_CHARACTERS_PER_TOKEN: Final = 4
_RESERVED_TOKENS: Final = 512


def transcript(observations: Sequence[Observation], settings: Settings) -> str:
    """Return the steps so far: the latest in full, earlier ones by their summary.

    Text of tools stands between marks that it cannot forge, since it is data and never an
    instruction. What does not fit the budget is cut from the end of the latest output, then
    from the oldest steps.
    """
    if not observations:
        return "(nothing was observed yet)"
    mark = _mark(observations)
    parts = [_between(mark, o, o.summary) for o in observations[:-1]]
    last = observations[-1]
    room = _room_characters(settings) - sum(map(len, parts))
    text = cut(last.text or last.summary, max(room, 200))
    parts.append(_between(mark, last, text))
    while len(parts) > 1 and sum(map(len, parts)) > _room_characters(settings):
        parts.pop(0)
    return "\n".join(parts)


def _between(mark: str, observation: Observation, text: str) -> str:
    """Return what a step gave between marks that it cannot have written itself."""
    call = observation.call
    return f"Step {call.step_id} ({call.tool}):\n<<<{mark}\n{text}\n{mark}>>>"


def _mark(observations: Sequence[Observation]) -> str:
    """Return a word that no output can hold: the hash of all of them.

    A random word would do as well, but a recorded run has to ask the same again.
    """
    digest = hashlib.sha256()
    for observation in observations:
        digest.update(observation.text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]


def cut(text: str, max_characters: int) -> str:
    """Return the text, cut to a length with its full length said."""
    if len(text) <= max_characters:
        return text
    return f"{text[:max_characters]}… (truncated, {len(text)} characters)"


def _room_characters(settings: Settings) -> int:
    return max(settings.prompt_token_budget - _RESERVED_TOKENS, 64) * _CHARACTERS_PER_TOKEN
