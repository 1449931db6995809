"""The limit: llama.cpp decodes a prompt once, then batches of one token for each sequence.

Nothing is sampled, masked or read back, so nothing that decodes the same tokens one by one in
such batches can be faster.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from benchmarks.serving import Answer, Measure, serve
from okso_jupyter.llm.bindings import llama_cpp

_DATA_TOO: Final = True
_QUIET: Final = llama_cpp.llama_log_callback(lambda _level, _text, _data: None)


def prepare(setup: Mapping[str, Any]) -> Measure:
    """Load the model with a context for all sequences."""
    llama_cpp.llama_log_set(_QUIET, ctypes.c_void_p(0))
    model = llama_cpp.llama_model_load_from_file(
        setup["gguf"].encode(), llama_cpp.llama_model_default_params()
    )
    params = llama_cpp.llama_context_default_params()
    params.n_ctx = setup["context_tokens"]
    params.n_batch = params.n_ubatch = 512
    params.n_seq_max = setup["sequences"] + 1
    params.n_threads = params.n_threads_batch = setup["threads"]
    params.kv_unified = True
    context = llama_cpp.llama_init_from_model(model, params)
    memory = llama_cpp.llama_get_memory(context)
    batch = llama_cpp.llama_batch_init(params.n_batch, 0, 1)

    def decode(items: Sequence[tuple[int, int, int]], *, all_logits: bool) -> None:
        """Decode (token, position, sequence); the last one's logits are always wanted."""
        batch.n_tokens = len(items)
        for row, (token, position, sequence) in enumerate(items):
            batch.token[row], batch.pos[row] = token, position
            batch.n_seq_id[row], batch.seq_id[row][0] = 1, sequence
            batch.logits[row] = all_logits or row == len(items) - 1
        code = llama_cpp.llama_decode(context, batch)
        if code != 0:
            msg = f"llama.cpp could not decode a batch (code {code})"
            raise RuntimeError(msg)
        llama_cpp.llama_synchronize(context)

    def measure(ask: Mapping[str, Any]) -> Answer:
        prompt, sequences = ask["tokens"], range(1, ask["sequences"] + 1)
        llama_cpp.llama_memory_clear(memory, _DATA_TOO)
        started = time.perf_counter()
        for first in range(0, len(prompt), params.n_batch):
            part = prompt[first : first + params.n_batch]
            decode([(t, first + i, 0) for i, t in enumerate(part)], all_logits=False)
        prompt_s = time.perf_counter() - started
        for sequence in sequences:
            llama_cpp.llama_memory_seq_cp(memory, 0, sequence, -1, -1)
        started = time.perf_counter()
        for step in range(ask["steps"]):
            token = prompt[step % len(prompt)]
            decode([(token, len(prompt) + step, s) for s in sequences], all_logits=True)
        batches_s = time.perf_counter() - started
        return {
            "prompt_tokens_per_s": len(prompt) / prompt_s,
            "batch_tokens_per_s": ask["steps"] * len(sequences) / batches_s,
        }

    return measure


if __name__ == "__main__":
    serve(prepare, "llama-cpp-python")
