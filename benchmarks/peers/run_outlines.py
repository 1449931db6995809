"""outlines on llama-cpp-python, with its default backend and compact JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import outlines
from llama_cpp import Llama
from outlines.types import JsonSchema

from benchmarks.serving import Answer, Measure, serve, timed_texts


def prepare(setup: Mapping[str, Any]) -> Measure:
    """Load the model; a schema is compiled once, when it is first asked for."""
    llama = Llama(
        setup["gguf"],
        n_ctx=setup["context_tokens"],
        n_threads=setup["threads"],
        n_threads_batch=setup["threads"],
        verbose=False,
    )
    model = outlines.from_llamacpp(llama, chat_mode=False)

    @cache
    def generator(schema: str) -> Any:  # noqa: ANN401  outlines' own
        return outlines.Generator(model, JsonSchema(schema, whitespace_pattern=""))

    def measure(ask: Mapping[str, Any]) -> Answer:
        generate = generator(json.dumps(ask["schema"]))

        def write(seed: int) -> str:
            text: str = generate(
                ask["prompt"],
                temperature=ask["temperature"],
                top_k=0,
                top_p=1.0,
                min_p=0.0,
                max_tokens=ask["max_tokens"],
                seed=seed,
            )
            return text

        return timed_texts(ask, write)

    return measure


if __name__ == "__main__":
    serve(prepare, "outlines", "outlines-core", "llama-cpp-python")
