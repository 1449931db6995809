"""The thinnest layer over llama.cpp: load weights, make tokens, decode batches.

Everything that touches a C pointer is here. Nothing here knows what is asked of a model.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import llama_cpp
import numpy as np
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

from okso_jupyter.errors import ModelError, ModelUnavailableError
from okso_jupyter.llm.protocol import Message

# Names for what the library takes by position.
_NO_EXTRA_START: Final = False
_READ_SPECIALS: Final = True
_DATA_TOO: Final = True
#: Tokens that one call into the library may take: small, so that Stop is heard between calls.
_CHUNK_TOKENS: Final = 32

# A collected callback would crash the process, so it lives as long as the module.
_QUIET: Final = llama_cpp.llama_log_callback(lambda _level, _text, _data: None)
llama_cpp.llama_log_set(_QUIET, ctypes.c_void_p(0))


@dataclass(frozen=True, slots=True)
class BatchToken:
    """One token to decode: where it stands and whether its logits are wanted."""

    token: int
    position: int
    sequence: int
    wants_logits: bool = False


class Weights:
    """A loaded model with one context for several sequences.

    Args:
        path: A GGUF file.
        context_tokens: Tokens that all sequences may hold together.
        max_sequences: Sequences that may live side by side.
        threads: Threads to compute with.

    Raises:
        ModelUnavailableError: llama.cpp cannot load the file.
    """

    def __init__(
        self, path: Path, *, context_tokens: int, max_sequences: int, threads: int
    ) -> None:
        self._model = llama_cpp.llama_model_load_from_file(
            str(path).encode(), llama_cpp.llama_model_default_params()
        )
        if not self._model:
            msg = f"model {str(path)!r}: llama.cpp cannot load the file"
            hint = "it may be damaged, cut short or of a newer format"
            raise ModelUnavailableError(msg, hint=hint)
        self.vocab = llama_cpp.llama_model_get_vocab(self._model)
        self.vocab_size: int = llama_cpp.llama_vocab_n_tokens(self.vocab)
        self.context_tokens: int = min(
            context_tokens, llama_cpp.llama_model_n_ctx_train(self._model)
        )
        self.name = self._meta("general.name") or path.stem
        self.threads = threads
        self._template = self._meta("tokenizer.chat_template")
        self._context = self._new_context(max_sequences)
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._batch = llama_cpp.llama_batch_init(_CHUNK_TOKENS, 0, 1)
        # Weights that nobody holds any more are freed too; at exit the system does it.
        self._free = weakref.finalize(self, _free, self._batch, self._context, self._model)
        self._free.atexit = False

    def _new_context(self, max_sequences: int) -> Any:  # noqa: ANN401  a C pointer
        params = llama_cpp.llama_context_default_params()
        params.n_ctx = self.context_tokens
        params.n_batch = params.n_ubatch = _CHUNK_TOKENS
        params.n_seq_max = max_sequences
        params.n_threads = params.n_threads_batch = self.threads
        params.kv_unified = True
        context = llama_cpp.llama_init_from_model(self._model, params)
        if not context:
            llama_cpp.llama_model_free(self._model)
            msg = f"a context of {self.context_tokens} tokens could not be made"
            raise ModelUnavailableError(msg, hint="lower LLAMA_DEFAULT_CONTEXT_SIZE")
        return context

    def _meta(self, key: str) -> str:
        """Return one metadata text of the file, or an empty text."""
        size = llama_cpp.llama_model_meta_val_str(self._model, key.encode(), None, 0)
        if size <= 0:
            return ""
        buffer = ctypes.create_string_buffer(size + 1)
        llama_cpp.llama_model_meta_val_str(self._model, key.encode(), buffer, size + 1)
        return buffer.value.decode("utf-8", errors="replace")

    def render(self, messages: Sequence[Message]) -> str:
        """Return the conversation as the file's own chat template writes it.

        Raises:
            ModelUnavailableError: The file has no chat template.
        """
        if not self._template:
            msg = f"model {self.name!r} has no chat template"
            raise ModelUnavailableError(msg, hint="use an instruction-tuned GGUF")
        formatter = Jinja2ChatFormatter(
            template=self._template,
            eos_token=self._piece_text(llama_cpp.llama_vocab_eos(self.vocab)),
            bos_token=self._piece_text(llama_cpp.llama_vocab_bos(self.vocab)),
        )
        turns = [{"role": m.role, "content": m.content} for m in messages]
        rendered: str = formatter(messages=turns).prompt
        return rendered

    def tokenize(self, text: str) -> list[int]:
        """Return the tokens of a rendered prompt, special tokens read as such."""
        data = text.encode()
        room = len(data) + 8
        tokens = (llama_cpp.llama_token * room)()
        count = llama_cpp.llama_tokenize(
            self.vocab, data, len(data), tokens, room, _NO_EXTRA_START, _READ_SPECIALS
        )
        if count < 0:
            msg = "the prompt could not be split into tokens"
            raise ModelError(msg)
        return list(tokens[:count])

    def piece(self, token: int) -> bytes:
        """Return the bytes of one token; control tokens have none."""
        return self._piece(token, special=False)

    def _piece_text(self, token: int) -> str:
        return self._piece(token, special=True).decode() if token >= 0 else ""

    def _piece(self, token: int, *, special: bool) -> bytes:
        size = 256
        buffer = ctypes.create_string_buffer(size)
        count = llama_cpp.llama_token_to_piece(self.vocab, token, buffer, size, 0, special)
        return buffer.raw[: max(count, 0)]

    def is_end(self, token: int) -> bool:
        """Say whether a token ends a turn."""
        return bool(llama_cpp.llama_vocab_is_eog(self.vocab, token))

    def decode(
        self, tokens: Sequence[BatchToken]
    ) -> dict[int, np.ndarray[Any, np.dtype[np.float32]]]:
        """Decode tokens in order and return the wanted logits, by sequence.

        Raises:
            ModelError: The library refused the batch.
        """
        logits: dict[int, np.ndarray[Any, np.dtype[np.float32]]] = {}
        for start in range(0, len(tokens), _CHUNK_TOKENS):
            chunk = tokens[start : start + _CHUNK_TOKENS]
            self._fill(chunk)
            code = llama_cpp.llama_decode(self._context, self._batch)
            if code != 0:
                msg = f"llama.cpp could not decode a batch (code {code})"
                raise ModelError(msg, hint="raise LLAMA_DEFAULT_CONTEXT_SIZE or sample fewer plans")
            for row, item in enumerate(chunk):
                if item.wants_logits:
                    pointer = llama_cpp.llama_get_logits_ith(self._context, row)
                    logits[item.sequence] = np.ctypeslib.as_array(
                        pointer, shape=(self.vocab_size,)
                    ).copy()
        return logits

    def _fill(self, chunk: Sequence[BatchToken]) -> None:
        """Write tokens into the library's batch."""
        batch = self._batch
        batch.n_tokens = len(chunk)
        for row, item in enumerate(chunk):
            batch.token[row] = item.token
            batch.pos[row] = item.position
            batch.n_seq_id[row] = 1
            batch.seq_id[row][0] = item.sequence
            batch.logits[row] = item.wants_logits

    def fork(self, source: int, target: int) -> None:
        """Let a sequence go on from all that another one holds."""
        llama_cpp.llama_memory_seq_cp(self._memory, source, target, -1, -1)

    def forget(self, sequence: int, *, from_position: int = 0) -> None:
        """Drop what a sequence holds from a position on."""
        llama_cpp.llama_memory_seq_rm(self._memory, sequence, from_position, -1)

    def forget_all(self) -> None:
        """Drop what every sequence holds."""
        llama_cpp.llama_memory_clear(self._memory, _DATA_TOO)

    def check_open(self) -> None:
        """Raise ModelUnavailableError if the weights are freed: the library would crash."""
        if not self._free.alive:
            msg = f"model {self.name!r} is closed"
            raise ModelUnavailableError(msg, hint="make another Session or LlamaModel")

    def close(self) -> None:
        """Free everything; a second call does nothing."""
        self._free()


def _free(batch: Any, context: Any, model: Any) -> None:  # noqa: ANN401  C pointers
    """Give everything back to the library."""
    llama_cpp.llama_batch_free(batch)
    llama_cpp.llama_free(context)
    llama_cpp.llama_model_free(model)
