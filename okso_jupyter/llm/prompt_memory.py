"""PromptMemory: the prompt in a model's context, and how much of the next one it can reuse.

A prompt is computed in tiles of 64 tokens, counted from its first one, and the rest token by
token. The two round differently, so a token is computed again if the next prompt puts it into the
other group. Thus the logits at a prompt's end depend on the prompt alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from okso_jupyter.llm.prompt_states import PromptStates
from okso_jupyter.llm.weights import CHUNK_TOKENS, TILE_TOKENS, BatchToken, Logits, Weights

#: The sequence that holds the prompt; completions are forked from it.
PROMPT_SEQUENCE: Final = 0
#: Names the way a state is computed: states of earlier versions round differently.
_TILES: Final = f"tiles of {TILE_TOKENS}"


class PromptMemory:
    """Brings prompts into the model's context, computing only what is not there yet.

    Args:
        weights: The model.
        states: Saved states of prompt beginnings; None keeps them in memory only.
        maker: Names weights, build and processor: a state is valid for these alone.
    """

    def __init__(self, weights: Weights, states: PromptStates | None, maker: Sequence[str]) -> None:
        self._weights = weights
        self._states = states
        self._maker = [*maker, _TILES]
        self._held: list[int] = []

    def forget(self) -> None:
        """Clear the context: its content is unknown."""
        self._weights.forget_all()
        self._held = []

    def recall(self, tokens: Sequence[int], fixed: int) -> int:
        """Return how many tokens of a prompt are known, restoring a saved state if that helps.

        Args:
            tokens: The prompt.
            fixed: How many of its first tokens stay the same from request to request.
        """
        known, fixed = self._known(tokens), _tiled(fixed)
        if known < min(fixed, len(tokens) - 1) and self._restore(tokens[:fixed]):
            known = self._known(tokens)
        return known

    def hold(self, tokens: Sequence[int], fixed: int, read: Callable[[int], None]) -> Logits:
        """Bring a prompt into the context and return the logits at its end.

        Args:
            tokens: The prompt.
            fixed: How many of its first tokens stay the same from request to request; their state
                is saved once computed.
            read: Called with the number of tokens just read.
        """
        known, fixed = self._known(tokens), _tiled(fixed)
        self._weights.forget(PROMPT_SEQUENCE, from_position=known)
        self._held = [*tokens[:known]]
        if known < fixed < len(tokens):
            self._read(tokens[:fixed], read)
            self._save()
        logits = self._read(tokens, read)
        return logits[PROMPT_SEQUENCE]

    def _known(self, tokens: Sequence[int]) -> int:
        """Return how many first tokens are held and were computed in the same way.

        The last token never counts, since its logits are always needed.
        """
        same = 0
        for held, wanted in zip(self._held, tokens[:-1], strict=False):
            if held != wanted:
                break
            same += 1
        is_left_over = max(_tiled(len(self._held)), _tiled(len(tokens))) <= _tiled(same)
        return same if is_left_over else _tiled(same)

    def _read(self, tokens: Sequence[int], read: Callable[[int], None]) -> dict[int, Logits]:
        """Decode the tokens after those that are held, in small batches."""
        logits: dict[int, Logits] = {}
        batch = [
            BatchToken(token, position, PROMPT_SEQUENCE, wants_logits=position == len(tokens) - 1)
            for position, token in enumerate(tokens)
        ]
        for part in _parts(len(self._held), len(tokens)):
            logits = self._weights.decode_at_once(batch[part])
            self._held += tokens[part]
            read(part.stop - part.start)
        return logits

    def _save(self) -> None:
        if self._states is not None:
            self._states.save(self._key(self._held), self._weights.save(PROMPT_SEQUENCE))

    def _restore(self, tokens: Sequence[int]) -> bool:
        """Restore the beginning of a prompt from disk; return whether it was there."""
        if self._states is None or not tokens:
            return False
        state = self._states.load(self._key(tokens))
        if state is None:
            return False
        # Into an empty context, so that every token has the place that computing would give it.
        self.forget()
        if not self._weights.restore(PROMPT_SEQUENCE, state):
            self.forget()
            return False
        self._held = [*tokens]
        return True

    def _key(self, tokens: Sequence[int]) -> str:
        return hashlib.sha256(json.dumps([self._maker, [*tokens]]).encode()).hexdigest()


def _tiled(count: int) -> int:
    """Return a number of first tokens of a prompt, rounded down to whole tiles."""
    return count // TILE_TOKENS * TILE_TOKENS


def _parts(known: int, count: int) -> Iterator[slice]:
    """Yield the batches in which a prompt is decoded after its known first tokens."""
    for start in range(known, _tiled(count), TILE_TOKENS):
        yield slice(start, start + TILE_TOKENS)
    for start in range(max(known, _tiled(count)), count, CHUNK_TOKENS):
        yield slice(start, min(start + CHUNK_TOKENS, count))
