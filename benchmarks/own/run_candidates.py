"""This project's model, asked for all candidates at once."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from benchmarks.serving import Answer, Measure, serve
from okso_jupyter import Session
from okso_jupyter.llm.protocol import CompletionRequest, Message


def prepare(setup: Mapping[str, Any]) -> Measure:
    """Load the model that the settings name."""
    model = Session(setup["settings"]).model("planner")

    def measure(ask: Mapping[str, Any]) -> Answer:
        request = CompletionRequest(
            role="planner",
            messages=tuple(Message(turn["role"], turn["content"]) for turn in ask["messages"]),
            seeds=tuple(ask["seeds"]),
            temperature=ask["temperature"],
            max_tokens=ask["max_tokens"],
            schema=ask["schema"],
        )
        started = time.perf_counter()
        completions = model.complete(request)
        duration_s = time.perf_counter() - started
        return {
            "duration_s": duration_s,
            "texts": [completion.text for completion in completions],
            "tokens": sum(completion.output_tokens for completion in completions),
            "prompt_tokens": completions[0].prompt_tokens,
            "cached_tokens": completions[0].cached_tokens,
            "threads": model.identity.threads,
        }

    return measure


if __name__ == "__main__":
    serve(prepare, "okso-jupyter", "llama-cpp-python", "llguidance")
