"""The logits at a prompt's end depend on its tokens alone, not on what was cached."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from okso_jupyter.llm.prompt_memory import PromptMemory
from okso_jupyter.llm.prompt_states import PromptStates
from okso_jupyter.llm.requantized import requantized
from okso_jupyter.llm.specs import BUNDLED, find_weights
from okso_jupyter.llm.thread_count import ThreadChoice
from okso_jupyter.llm.weights import TILE_TOKENS, Logits, Weights
from okso_jupyter.settings import Settings

pytestmark = pytest.mark.model
WORDS = "The quick brown fox jumps over the lazy dog and runs on through the wood. " * 20


@pytest.fixture(scope="module", params=[1, 2])
def weights(request: pytest.FixtureRequest) -> Iterator[Weights]:
    """The bundled model as it is used, on one thread and on two."""
    threads = ThreadChoice([request.param])
    path = requantized(find_weights(BUNDLED), Settings().cache / "weights")
    opened = Weights(path, context_tokens=1024, max_sequences=2, threads=threads)
    yield opened
    opened.close()


def _hold(memory: PromptMemory, tokens: list[int], fixed: int = 0) -> tuple[Logits, int]:
    """Return the logits at a prompt's end and the number of tokens that were computed."""
    computed: list[int] = []
    known = memory.recall(tokens, fixed)
    logits = memory.hold(tokens, fixed, computed.append)
    assert known + sum(computed) == len(tokens)
    return logits, sum(computed)


def _prompts(tokens: list[int]) -> dict[str, tuple[list[int], list[int]]]:
    """Return pairs of prompts with a shared beginning that ends in, at or after a tile."""
    tile, other = TILE_TOKENS, [7] * 200
    return {
        "grows within what is left over": (tokens[:66], tokens[:86]),
        "grows over the end of a tile": (tokens[:86], tokens[:136]),
        "shrinks into a whole tile": (tokens[:136], tokens[:86]),
        "parts in a tile": (tokens[:136], [*tokens[:100], *other[:36]]),
        "parts at the end of a tile": (tokens[:200], [*tokens[: 2 * tile], *other[:50]]),
        "parts in what is left over": (tokens[:86], [*tokens[:76], *other[:10]]),
        "parts there and fills the tile": (tokens[:86], [*tokens[:76], *other[:60]]),
        "the same, whole tiles": (tokens[: 3 * tile], tokens[: 3 * tile]),
        "the same, with some left over": (tokens[:86], tokens[:86]),
        "shorter than a tile": (tokens[:40], tokens[:63]),
        "one token": (tokens[:1], tokens[:1]),
    }


@pytest.mark.parametrize("case", _prompts([]))
def test_logits_depend_on_the_prompt_alone(weights: Weights, case: str) -> None:
    """The logits are bit-identical after another prompt and with a part read first."""
    before, prompt = _prompts(weights.tokenize(WORDS))[case]
    memory = PromptMemory(weights, None, [])
    memory.forget()
    alone, _ = _hold(memory, prompt)
    for fixed in (0, 76):
        memory.forget()
        _hold(memory, before, fixed)
        after, _ = _hold(memory, prompt, fixed)
        assert np.array_equal(alone, after)


def test_cached_tokens_are_not_computed_again(weights: Weights) -> None:
    """Whole tiles are reused, and the rest as long as the prompt's tiles stay the same."""
    tokens = weights.tokenize(WORDS)
    memory = PromptMemory(weights, None, [])
    memory.forget()

    assert _hold(memory, tokens[:130])[1] == 130
    assert _hold(memory, tokens[:150])[1] == 20
    assert _hold(memory, tokens[:150])[1] == 1
    assert _hold(memory, tokens[:200])[1] == 200 - 2 * TILE_TOKENS


def test_a_state_from_disk_gives_the_same_logits(weights: Weights, tmp_path: Path) -> None:
    """The fixed beginning is saved in whole tiles; continuing from it is bit-identical."""
    tokens = weights.tokenize(WORDS)[:300]
    states = PromptStates(folder=tmp_path / "states")
    first = PromptMemory(weights, states, ["test"])
    first.forget()
    alone, _ = _hold(first, tokens, fixed=250)
    second = PromptMemory(weights, states, ["test"])
    second.forget()
    after, computed = _hold(second, tokens, fixed=250)

    assert computed == len(tokens) - 3 * TILE_TOKENS
    assert np.array_equal(alone, after)
