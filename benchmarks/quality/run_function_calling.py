"""llama-cpp-python's own function calling: one chat completion with tools per request."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from llama_cpp import Llama

from benchmarks.serving import Answer, Measure, serve

#: The format lists the tools in a system message, so that there has to be one.
_SYSTEM = {"role": "system", "content": "You are a helpful assistant."}


def prepare(setup: Mapping[str, Any]) -> Measure:
    """Load the model."""
    model = Llama(
        setup["gguf"],
        n_ctx=setup["context_tokens"],
        n_threads=setup["threads"],
        n_threads_batch=setup["threads"],
        chat_format="chatml-function-calling",
        verbose=False,
    )

    def measure(ask: Mapping[str, Any]) -> Answer:
        messages = ask["messages"]
        if messages[0]["role"] != "system":
            messages = [_SYSTEM, *messages]
        started = time.perf_counter()
        message, usage, error = {}, {}, ""
        try:
            completion = model.create_chat_completion(
                messages, tools=ask["tools"], tool_choice="auto", temperature=0.0
            )
            message, usage = completion["choices"][0]["message"], completion["usage"]
        except (ValueError, RuntimeError, KeyError) as failure:  # such as a context that is full
            error = f"{type(failure).__name__}: {failure}"
        calls = [call["function"] for call in message.get("tool_calls") or ()]
        return {
            "duration_s": time.perf_counter() - started,
            "calls": [[call["name"], call["arguments"]] for call in calls],
            "prompt_tokens": usage.get("prompt_tokens", 0),
            "output_tokens": usage.get("completion_tokens", 0),
            "error": error,
        }

    return measure


if __name__ == "__main__":
    serve(prepare, "llama-cpp-python")
