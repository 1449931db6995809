"""guidance on llama-cpp-python: one constrained generation per candidate, tokens forced too."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import guidance
import numpy as np
from guidance.models import LlamaCpp

from benchmarks.serving import Answer, Measure, serve, timed_texts


def prepare(setup: Mapping[str, Any]) -> Measure:
    """Load the model, with what guidance only needs for showing its work switched off."""
    warnings.simplefilter("ignore")  # that it would write another chat template: it writes none
    model = LlamaCpp(
        setup["gguf"],
        echo=False,
        enable_monitoring=False,
        n_ctx=setup["context_tokens"],
        n_threads=setup["threads"],
        n_threads_batch=setup["threads"],
    )

    def measure(ask: Mapping[str, Any]) -> Answer:
        plan = guidance.json(
            name="plan",
            schema=ask["schema"],
            temperature=ask["temperature"],
            max_tokens=ask["max_tokens"],
            separators=(",", ":"),
        )

        def write(seed: int) -> str:
            np.random.seed(seed)  # noqa: NPY002  guidance draws from the global stream
            return str((model + ask["prompt"] + plan)["plan"])

        return timed_texts(ask, write)

    return measure


if __name__ == "__main__":
    serve(prepare, "guidance", "llguidance", "llama-cpp-python")
