"""llama-cpp-python with a JSON-schema response format: one chat completion per candidate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from llama_cpp import Llama

from benchmarks.serving import Answer, Measure, serve, timed_texts


def prepare(setup: Mapping[str, Any]) -> Measure:
    """Load the model."""
    model = Llama(
        setup["gguf"],
        n_ctx=setup["context_tokens"],
        n_threads=setup["threads"],
        n_threads_batch=setup["threads"],
        verbose=False,
    )

    def measure(ask: Mapping[str, Any]) -> Answer:
        def write(seed: int) -> str:
            completion = model.create_chat_completion(
                ask["messages"],
                response_format={"type": "json_object", "schema": ask["schema"]},
                temperature=ask["temperature"],
                top_k=0,
                top_p=1.0,
                min_p=0.0,
                max_tokens=ask["max_tokens"],
                seed=seed,
            )
            return str(completion["choices"][0]["message"]["content"])

        return timed_texts(ask, write)

    return measure


if __name__ == "__main__":
    serve(prepare, "llama-cpp-python")
