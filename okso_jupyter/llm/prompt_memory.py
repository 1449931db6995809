"""PromptMemory: the prompt that a model holds, and how much of the next one is in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Final

from okso_jupyter.llm.prompt_states import PromptStates
from okso_jupyter.llm.weights import BatchToken, Logits, Weights

#: The sequence that holds the prompt; completions are forked from it.
PROMPT_SEQUENCE: Final = 0
#: Fewest tokens of a prompt's beginning that are worth a file.
_LEAST_SAVED_TOKENS: Final = 64


class PromptMemory:
    """Brings prompts into the model, computing only what is not known from before.

    Args:
        weights: The model.
        states: Beginnings of prompts on disk; None keeps them in memory alone.
        maker: Names weights, build and processor: a state is good for these alone.
    """

    def __init__(self, weights: Weights, states: PromptStates | None, maker: Sequence[str]) -> None:
        self._weights = weights
        self._states = states
        self._maker = [*maker]
        self._held: list[int] = []

    def forget(self) -> None:
        """Start from nothing: what the model holds is not known."""
        self._weights.forget_all()
        self._held = []

    def recall(self, tokens: Sequence[int], fixed: int) -> int:
        """Return how many tokens of a prompt are known, after a look at the disk.

        Args:
            tokens: The prompt.
            fixed: How many of its first tokens stay the same from request to request.
        """
        known = self._known(tokens)
        if known < min(fixed, len(tokens) - 1) and self._restore(tokens[:fixed]):
            known = self._known(tokens)
        return known

    def hold(self, tokens: Sequence[int], fixed: int, read: Callable[[int], None]) -> Logits:
        """Bring a prompt into the model and return the logits at its end.

        Args:
            tokens: The prompt.
            fixed: How many of its first tokens stay the same from request to request; they are
                saved when they have been computed.
            read: Told how many more tokens were read.
        """
        known = self._known(tokens)
        self._weights.forget(PROMPT_SEQUENCE, from_position=known)
        self._held = [*tokens[:known]]
        if known < fixed < len(tokens):
            self._read(tokens[:fixed], read)
            self._save()
        logits = self._read(tokens, read)
        return logits[PROMPT_SEQUENCE]

    def _known(self, tokens: Sequence[int]) -> int:
        """Return how many tokens are held, but for the last: its logits are always wanted."""
        same = 0
        for held, wanted in zip(self._held, tokens[:-1], strict=False):
            if held != wanted:
                break
            same += 1
        return same

    def _read(self, tokens: Sequence[int], read: Callable[[int], None]) -> dict[int, Logits]:
        """Decode what follows on the tokens that are held, a little at a time."""
        logits: dict[int, Logits] = {}
        batch = [
            BatchToken(token, position, PROMPT_SEQUENCE, wants_logits=position == len(tokens) - 1)
            for position, token in enumerate(tokens)
        ]
        for chunk in self._weights.chunks(batch[len(self._held) :]):
            logits = self._weights.decode(chunk)
            self._held += [item.token for item in chunk]
            read(len(chunk))
        return logits

    def _save(self) -> None:
        if self._states is not None and len(self._held) >= _LEAST_SAVED_TOKENS:
            self._states.save(self._key(self._held), self._weights.save(PROMPT_SEQUENCE))

    def _restore(self, tokens: Sequence[int]) -> bool:
        """Bring the beginning of a prompt into the model from disk; say whether it was there."""
        if self._states is None or len(tokens) < _LEAST_SAVED_TOKENS:
            return False
        state = self._states.load(self._key(tokens))
        if state is None:
            return False
        # From an empty memory, so that every token lies where it would lie had it been computed.
        self.forget()
        if not self._weights.restore(PROMPT_SEQUENCE, state):
            self.forget()
            return False
        self._held = [*tokens]
        return True

    def _key(self, tokens: Sequence[int]) -> str:
        return hashlib.sha256(json.dumps([self._maker, [*tokens]]).encode()).hexdigest()
