"""Completions share their common tokens and do not change each other's texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from okso_jupyter.llm.context_size import ContextLimits
from okso_jupyter.llm.llama import LlamaModel
from okso_jupyter.llm.protocol import Completion, CompletionRequest, Message
from okso_jupyter.llm.weights import BatchToken
from okso_jupyter.settings import Settings

pytestmark = pytest.mark.model

STORY = {"type": "string", "minLength": 60, "maxLength": 90}


def _request(
    seeds: tuple[int, ...],
    *,
    temperature: float = 1.0,
    max_tokens: int = 80,
    schema: Mapping[str, Any] = STORY,
) -> CompletionRequest:
    return CompletionRequest(
        role="planner", messages=(Message("user", "Tell a story."),), seeds=seeds,
        temperature=temperature, max_tokens=max_tokens, schema=schema,
    )  # fmt: skip


@pytest.fixture
def tight() -> Iterator[LlamaModel]:
    """A model whose context fits the prompt and hardly more than two completions."""
    loaded = LlamaModel(
        "bundled",
        limits=ContextLimits(default_tokens=256, cap_tokens=256),
        threads=1,
        cache=Settings().cache,
    )
    yield loaded
    loaded.close()


Decoded = Callable[[LlamaModel, CompletionRequest], tuple[list[int], list[str]]]


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> Decoded:
    """A function that returns the tokens a model computed for a request, and the texts."""

    def run(model: LlamaModel, request: CompletionRequest) -> tuple[list[int], list[str]]:
        seen: list[int] = []
        compute = model._weights._compute

        def counted(chunk: Sequence[BatchToken]) -> None:
            seen.extend(item.token for item in chunk)
            compute(chunk)

        with monkeypatch.context() as patch:
            patch.setattr(model._weights, "_compute", counted)
            return seen, [completion.text for completion in model.complete(request)]

    return run


def test_equal_completions_are_computed_once(model: LlamaModel, decoded: Decoded) -> None:
    """Eight completions at temperature 0 are equal and compute as many tokens as one."""
    model.complete(_request((1,), temperature=0.0))
    one, _ = decoded(model, _request((1,), temperature=0.0))
    eight, texts = decoded(model, _request(tuple(range(8)), temperature=0.0))

    assert len(set(texts)) == 1
    assert len(texts) == 8
    assert eight == one


def test_completions_share_their_common_beginning(model: LlamaModel, decoded: Decoded) -> None:
    """At a low temperature completions computed together need fewer tokens than alone."""
    seeds = tuple(range(6))
    request = _request(seeds, temperature=0.2)
    model.complete(request)
    together, texts = decoded(model, request)
    apart = [decoded(model, _request((seed,), temperature=0.2)) for seed in seeds]

    assert texts == [text for _, (text,) in apart]
    assert len(set(texts)) > 1
    assert len(together) < sum(len(tokens) for tokens, _ in apart)


def test_completions_beyond_the_context_take_turns(tight: LlamaModel) -> None:
    """If the tokens exceed the context, the texts are still those of each seed alone."""
    seeds = tuple(range(20, 32))
    alone = [tight.complete(_request((seed,)))[0] for seed in seeds]
    together = tight.complete(_request(seeds))

    needed = sum(completion.output_tokens for completion in alone)
    assert needed > tight.identity.context_tokens
    assert _facts(together) == _facts(alone)


def test_many_completions_are_computed_in_rounds(model: LlamaModel) -> None:
    """Fifty completions of one call are the same as those of each seed alone."""
    seeds = tuple(range(50))
    schema = {"enum": ["red", "green", "blue", "white", "black"]}
    many = model.complete(_request(seeds, schema=schema))

    assert [completion.seed for completion in many] == list(seeds)
    for seed in (0, 31, 32, 49):
        assert many[seed].text == model.complete(_request((seed,), schema=schema))[0].text


@pytest.mark.parametrize("threads", [2, 3, None])
def test_the_number_of_threads_changes_no_text(model: LlamaModel, threads: int | None) -> None:
    """One thread, several or an adaptive number of threads give the same completions."""
    request = _request((1, 2, 3, 4, 5), max_tokens=40)
    other = LlamaModel(
        "bundled",
        limits=ContextLimits(default_tokens=512, cap_tokens=512),
        threads=threads,
        cache=Settings().cache,
    )
    texts = _facts(other.complete(request))
    lone = _facts(other.complete(_request((4,), max_tokens=40)))
    other.close()

    assert texts == _facts(model.complete(request))
    assert lone == [texts[3]]


def _facts(completions: Sequence[Completion]) -> list[tuple[str, int, str]]:
    return [(one.text, one.output_tokens, one.finish) for one in completions]
