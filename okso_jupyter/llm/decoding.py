"""Decoding: grows a tree of branches until all completions end, within the model's context."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from okso_jupyter.llm.prefix_tree import Branch
from okso_jupyter.llm.progress import ProgressMeter
from okso_jupyter.llm.prompt_memory import PROMPT_SEQUENCE
from okso_jupyter.llm.weights import Logits, Weights


class Decoding:
    """Grows the completions of a prompt, which is read where a completion depends on it.

    Args:
        weights: The model.
        prompt_tokens: Tokens of the prompt.
        meter: Receives the progress.
    """

    def __init__(self, weights: Weights, prompt_tokens: int, meter: ProgressMeter) -> None:
        self._weights = weights
        self._prompt_tokens = prompt_tokens
        self._meter = meter
        self._used = prompt_tokens
        self._sequences = itertools.count(PROMPT_SEQUENCE + 1)
        self._taken: list[int] = []
        self._finished: list[Branch] = []

    def grow(self, roots: Sequence[Branch], read_prompt: Callable[[], Logits]) -> list[Branch]:
        """Return all finished branches that grow from the roots.

        Args:
            roots: Branches with the prompt alone and all completions; one per schema.
            read_prompt: Brings the prompt into the context and returns the logits at its end. It
                is not called where the schemas determine all texts.
        """
        growing = self._unfinished(self._begun(roots, read_prompt))
        waiting: list[Branch] = []
        while growing or waiting:
            if self._meter.is_late or self._meter.is_over:
                growing, waiting = self._hurried(growing, waiting)
                if not growing and not waiting:
                    break
            if not growing or self._used + _undecoded(growing) > self._weights.context_tokens:
                growing, waiting = self._make_room([*growing, *waiting])
            self._used += _undecoded(growing)
            rows = self._weights.decode([item for branch in growing for item in branch.undecoded])
            growing = self._unfinished(
                [
                    branch
                    for grown in growing
                    for branch in grown.grow(rows[grown.sequence], self._new_sequence)
                ]
            )
        # Only now: a place freed earlier would be taken by another branch's next token, and sums
        # over tokens in another order round differently, so that texts would depend on N.
        self._forget()
        return self._finished

    def _begun(self, roots: Sequence[Branch], read_prompt: Callable[[], Logits]) -> list[Branch]:
        """Return the branches of the roots after their first tokens."""
        for root in roots:
            root.sequence = self._new_sequence()
            root.begin()
        if all(root.done for root in roots):
            return [*roots]
        logits = read_prompt()
        for root in roots:
            self._weights.fork(PROMPT_SEQUENCE, root.sequence)
        return [
            branch
            for root in roots
            for branch in ([root] if root.tokens else root.grow(logits, self._new_sequence))
        ]

    def _unfinished(self, branches: list[Branch]) -> list[Branch]:
        """Return the unfinished branches; store the finished ones."""
        for branch in branches:
            if branch.done:
                branch.duration_s = self._meter.elapsed_s
                self._finished.append(branch)
                self._meter.whole += len(branch.lanes) * (branch.finish == "stop")
        self._meter.wrote(
            _undecoded(branches), sum(len(branch.lanes) for branch in branches if branch.done)
        )
        return [branch for branch in branches if not branch.done]

    def _hurried(
        self, growing: list[Branch], waiting: list[Branch]
    ) -> tuple[list[Branch], list[Branch]]:
        """End all branches, except the longest if none is finished and time is left."""
        is_over = self._meter.is_over
        farthest = max(growing or waiting, key=lambda branch: len(branch.tokens))
        for branch in (*growing, *waiting):
            if branch is not farthest or self._meter.whole or is_over:
                branch.give_up(self._meter.elapsed_s)
                self._finished.append(branch)
                self._meter.wrote(0, len(branch.lanes))
        if is_over and not self._meter.whole:
            for branch in self._finished:  # also those that were ended in favour of the longest
                branch.finish = "draft" if branch.finish == "time" else branch.finish
        return [b for b in growing if not b.done], [b for b in waiting if not b.done]

    def _make_room(self, branches: list[Branch]) -> tuple[list[Branch], list[Branch]]:
        """Drop all but the prompt, and continue as many branches as fit in full; at least one.

        Returns:
            The branches that continue, to be decoded again from the prompt, and those that wait.
        """
        self._forget()
        self._used = room_taken = self._prompt_tokens
        going: list[Branch] = []
        for branch in branches:
            if going and room_taken + branch.most_tokens > self._weights.context_tokens:
                break
            room_taken += branch.most_tokens
            self._weights.fork(PROMPT_SEQUENCE, branch.sequence)
            branch.rewind()
            going.append(branch)
        return going, branches[len(going) :]

    def _new_sequence(self) -> int:
        self._taken.append(next(self._sequences))
        return self._taken[-1]

    def _forget(self) -> None:
        for sequence in self._taken:
            self._weights.forget(sequence)


def _undecoded(branches: list[Branch]) -> int:
    return sum(len(branch.undecoded) for branch in branches)
