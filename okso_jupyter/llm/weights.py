"""Thin layer over llama.cpp: loads weights, tokenizes, decodes batches.

Everything that touches a C pointer is here. Nothing here depends on the content of requests.
"""

from __future__ import annotations

import ctypes
import sys
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import jinja2
import llguidance
import numpy as np

from okso_jupyter.errors import ModelError, ModelUnavailableError
from okso_jupyter.llm.bindings import Jinja2ChatFormatter, llama_cpp, lltokenizer_from_vocab
from okso_jupyter.llm.protocol import Message, as_bytes
from okso_jupyter.llm.thread_count import ThreadChoice
from okso_jupyter.log import LOGGER

Logits = np.ndarray[Any, np.dtype[np.float32]]

# Names for arguments that the library takes by position.
_NO_EXTRA_START: Final = False
_READ_SPECIALS: Final = True
_DATA_TOO: Final = True
#: Separates two characters without being visible.
_NO_WIDTH: Final = "\u200b"
#: Tokens per call into the library that computes attention in tiles, four times as fast. Its sums
#: round differently, so which tokens are computed like this must depend on their position alone.
TILE_TOKENS: Final = 64
#: Most tokens per call that computes attention token by token.
CHUNK_TOKENS: Final = 48

# Functions of the C library, which llama.cpp calls back. A Python function would take the
# interpreter's lock each time, and a Stop that arrives while it runs would be lost: no exception
# passes through C. `abs` takes the log level as its number, and its result is ignored.
_LIBC: Final = ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)
#: What llama.cpp says is not shown.
QUIET: Final = ctypes.cast(_LIBC.abs, llama_cpp.llama_log_callback)
llama_cpp.llama_log_set(QUIET, ctypes.c_void_p(0))
# llama.cpp calls this at every node of its graph to ask whether to abort. `strlen` returns 0, for
# no, while the first byte of a flag is 0.
_IS_SET: Final = ctypes.cast(_LIBC.strlen, llama_cpp.ggml_abort_callback)
_ABORTED: Final = 2
#: Exceptions of a chat template, which is a program.
_TEMPLATE_ERRORS: Final = (
    jinja2.TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError,
)  # fmt: skip


class StoppedError(Exception):
    """A batch was aborted because `Weights.stop` was called."""


@dataclass(frozen=True, slots=True)
class BatchToken:
    """One token to decode: its position and sequence, and whether its logits are wanted."""

    token: int
    position: int
    sequence: int
    wants_logits: bool = False


def processor() -> str:
    """Return the processor features that the library uses; other features round differently."""
    text: str = llama_cpp.llama_print_system_info().decode()
    return text.strip(" |")


class Weights:
    """A loaded model with one context for several sequences.

    Args:
        path: A GGUF file.
        context_tokens: Tokens that all sequences may hold together.
        max_sequences: Sequences that may exist side by side.
        threads: Chooses the number of threads to compute with.

    Raises:
        ModelUnavailableError: llama.cpp cannot load the file.
    """

    def __init__(
        self, path: Path, *, context_tokens: int, max_sequences: int, threads: ThreadChoice
    ) -> None:
        self._model = llama_cpp.llama_model_load_from_file(
            str(path).encode(), llama_cpp.llama_model_default_params()
        )
        if not self._model:
            msg = f"model {str(path)!r}: llama.cpp cannot load the file"
            hint = "it may be damaged, cut short, of a newer format, or have an unknown tokenizer"
            raise ModelUnavailableError(msg, hint=hint)
        self.vocab = llama_cpp.llama_model_get_vocab(self._model)
        self.vocab_size: int = llama_cpp.llama_vocab_n_tokens(self.vocab)
        self.trained_tokens: int = llama_cpp.llama_model_n_ctx_train(self._model)
        self.name = self._meta("general.name") or path.stem
        self._threads = threads
        self._template = self._meta("tokenizer.chat_template")
        self._max_sequences = max_sequences
        self._stop_flag = ctypes.create_string_buffer(2)
        self._batch = llama_cpp.llama_batch_init(TILE_TOKENS, 0, 1)
        # Weights without a reference are freed too; at exit the system does it.
        self._free = weakref.finalize(self, _free, self._batch, self._model)
        self._free.atexit = False
        self._open_context(context_tokens)

    def _open_context(self, tokens: int) -> None:
        """Create the context of all sequences.

        Raises:
            ModelUnavailableError: The machine has not enough memory for it.
        """
        params = llama_cpp.llama_context_default_params()
        params.n_ctx = min(tokens, self.trained_tokens)
        params.n_batch = params.n_ubatch = TILE_TOKENS
        params.n_seq_max = self._max_sequences
        params.kv_unified = True
        context = llama_cpp.llama_init_from_model(self._model, params)
        if not context:
            msg = f"a context of {tokens} tokens could not be made"
            hint = "lower LLAMA_DEFAULT_CONTEXT_SIZE and LLAMA_CONTEXT_CAP"
            raise ModelUnavailableError(msg, hint=hint)
        self.context_tokens: int = llama_cpp.llama_n_ctx(context)
        self._context = context
        self._memory = llama_cpp.llama_get_memory(context)
        self._free_context = weakref.finalize(self, llama_cpp.llama_free, context)
        self._free_context.atexit = False
        llama_cpp.llama_set_abort_callback(context, _IS_SET, self._stop_flag)

    def widen(self, tokens: int) -> None:
        """Replace the context by a larger one; the content of all sequences is dropped.

        Raises:
            ModelUnavailableError: There is not enough memory; the context stays as it was.
        """
        former = self._free_context
        self._open_context(tokens)
        former()

    def _meta(self, key: str) -> str:
        """Return one metadata text of the file, or ""."""
        size = llama_cpp.llama_model_meta_val_str(self._model, key.encode(), None, 0)
        if size <= 0:
            return ""
        buffer = ctypes.create_string_buffer(size + 1)
        llama_cpp.llama_model_meta_val_str(self._model, key.encode(), buffer, size + 1)
        return buffer.value.decode("utf-8", errors="replace")

    def tokenizer(self) -> llguidance.LLTokenizer:
        """Return the vocabulary in llguidance's form; takes about a second.

        Raises:
            ModelUnavailableError: llguidance does not support it.
        """
        try:
            return lltokenizer_from_vocab(self.vocab)
        except (ValueError, RuntimeError) as error:
            msg = f"model {self.name!r}: its tokenizer cannot be held to a schema: {error}"
            raise ModelUnavailableError(msg, hint="choose another PLANNER_MODEL_SPEC") from error

    def render(self, messages: Sequence[Message]) -> str:
        """Return the conversation in the format of the file's own chat template.

        Some templates accept no system message: then its text goes to the head of the user message.

        Raises:
            ModelUnavailableError: The file has no chat template, or one that fails.
        """
        if not self._template:
            msg = f"model {self.name!r} has no chat template"
            raise ModelUnavailableError(msg, hint="use an instruction-tuned GGUF")
        try:
            return self._templated(messages)
        except ModelUnavailableError:
            if [message.role for message in messages[:2]] != ["system", "user"]:
                raise
            system, user, *rest = messages
            both = Message("user", f"{system.content}\n\n{user.content}")
            rendered = self._templated([both, *rest])
            LOGGER.info(f"the chat template of {self.name!r} takes no system message")
            return rendered

    def _templated(self, messages: Sequence[Message]) -> str:
        turns = [{"role": m.role, "content": self._words(m.content)} for m in messages]
        try:
            formatter = Jinja2ChatFormatter(
                template=self._template,
                eos_token=self._piece_text(llama_cpp.llama_vocab_eos(self.vocab)),
                bos_token=self._piece_text(llama_cpp.llama_vocab_bos(self.vocab)),
            )
            rendered: str = formatter(messages=turns).prompt
        except _TEMPLATE_ERRORS as error:
            msg = f"model {self.name!r}: its chat template fails: {error}"
            raise ModelUnavailableError(msg, hint="choose another PLANNER_MODEL_SPEC") from error
        return rendered

    def _words(self, text: str) -> str:
        """Return a text with control tokens broken up, so that it cannot end a turn."""
        for token in set(self.tokenize(text)):
            name = self._piece_text(token)
            if name and llama_cpp.llama_vocab_is_control(self.vocab, token):
                text = text.replace(name, f"{name[:1]}{_NO_WIDTH}{name[1:]}")
        return text

    def tokenize(self, text: str) -> list[int]:
        """Return the tokens of a rendered prompt, parsing special tokens."""
        data = as_bytes(text)
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
        return self._piece(token, special=True).decode(errors="replace") if token >= 0 else ""

    def _piece(self, token: int, *, special: bool) -> bytes:
        size = 256
        buffer = ctypes.create_string_buffer(size)
        count = llama_cpp.llama_token_to_piece(self.vocab, token, buffer, size, 0, special)
        return buffer.raw[: max(count, 0)]

    def is_end(self, token: int) -> bool:
        """Return whether a token ends a turn."""
        return bool(llama_cpp.llama_vocab_is_eog(self.vocab, token))

    def decode(self, tokens: Sequence[BatchToken]) -> dict[int, Logits]:
        """Decode tokens in order and return the wanted logits, by sequence.

        On the same build and processor, the logits of a token depend only on the tokens before it
        in its sequence: not on the batch, its split, or the number of threads.

        Raises:
            StoppedError: `stop` was called meanwhile; the content of the sequences is unknown.
            ModelError: The library refused the batch.
        """
        logits: dict[int, Logits] = {}
        for start in range(0, len(tokens), CHUNK_TOKENS):
            logits |= self.decode_at_once(tokens[start : start + CHUNK_TOKENS])
        return logits

    def decode_at_once(self, chunk: Sequence[BatchToken]) -> dict[int, Logits]:
        """Decode up to TILE_TOKENS in one call and return the wanted logits, by sequence.

        Raises:
            StoppedError: `stop` was called meanwhile; the content of the sequences is unknown.
            ModelError: The library refused the batch, or the weights are damaged.
        """
        self._compute(chunk)
        logits: dict[int, Logits] = {}
        for row, item in enumerate(chunk):
            if item.wants_logits:
                pointer = llama_cpp.llama_get_logits_ith(self._context, row)
                row_logits = np.ctypeslib.as_array(pointer, shape=(self.vocab_size,))
                if np.isnan(row_logits).any():
                    raise self._damaged()
                logits[item.sequence] = row_logits.copy()
        return logits

    def _damaged(self) -> ModelUnavailableError:
        """Return the error for weights that give no numbers."""
        msg = f"model {self.name!r} computes no numbers: its file is damaged"
        return ModelUnavailableError(msg, hint="compare its checksum, or download it again")

    def _compute(self, chunk: Sequence[BatchToken]) -> None:
        self._fill(chunk)
        # A single token on several threads is summed in another order than on one.
        count = self._threads.count() if len(chunk) > 1 else 1
        llama_cpp.llama_set_n_threads(self._context, count, count)
        started = time.perf_counter()
        code = llama_cpp.llama_decode(self._context, self._batch)
        if code == _ABORTED or self._stop_flag.value:
            raise StoppedError
        if code != 0:
            msg = f"llama.cpp could not decode a batch (code {code})"
            raise ModelError(msg, hint="raise LLAMA_DEFAULT_CONTEXT_SIZE or sample fewer plans")
        if len(chunk) > 1:
            self._threads.took(count, len(chunk), time.perf_counter() - started)

    def stop(self) -> None:
        """Abort the batch that another thread is decoding, within milliseconds."""
        self._stop_flag.value = b"!"

    def go_on(self) -> None:
        """Undo `stop`; to be called while nothing is being decoded."""
        self._stop_flag.value = b""

    def save(self, sequence: int) -> bytes:
        """Return the state of a sequence, for `restore`."""
        size = llama_cpp.llama_state_seq_get_size(self._context, sequence)
        buffer = (ctypes.c_uint8 * size)()
        written = llama_cpp.llama_state_seq_get_data(self._context, buffer, size, sequence)
        return bytes(memoryview(buffer)[:written])

    def restore(self, sequence: int, state: bytes) -> bool:
        """Set a sequence to a state from `save`; return whether the library accepted it."""
        buffer = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
        return bool(llama_cpp.llama_state_seq_set_data(self._context, buffer, len(state), sequence))

    def _fill(self, chunk: Sequence[BatchToken]) -> None:
        """Copy tokens into the library's batch."""
        batch = self._batch
        batch.n_tokens = len(chunk)
        for row, item in enumerate(chunk):
            batch.token[row] = item.token
            batch.pos[row] = item.position
            batch.n_seq_id[row] = 1
            batch.seq_id[row][0] = item.sequence
            batch.logits[row] = item.wants_logits

    def fork(self, source: int, target: int) -> None:
        """Copy the content of one sequence to another."""
        llama_cpp.llama_memory_seq_cp(self._memory, source, target, -1, -1)

    def forget(self, sequence: int, *, from_position: int = 0) -> None:
        """Drop the content of a sequence from a position on."""
        llama_cpp.llama_memory_seq_rm(self._memory, sequence, from_position, -1)

    def forget_all(self) -> None:
        """Drop the content of every sequence."""
        llama_cpp.llama_memory_clear(self._memory, _DATA_TOO)

    def check_open(self) -> None:
        """Raise ModelUnavailableError if the weights are freed: the library would crash."""
        if not self._free.alive:
            msg = f"model {self.name!r} is closed"
            raise ModelUnavailableError(msg, hint="make another Session or LlamaModel")

    @property
    def threads(self) -> int:
        """Threads that it computes with now."""
        return self._threads.best

    def close(self) -> None:
        """Free everything; a second call does nothing."""
        self._free_context()
        self._free()


def _free(batch: Any, model: Any) -> None:  # noqa: ANN401  C pointers
    """Free what does not depend on the context."""
    llama_cpp.llama_batch_free(batch)
    llama_cpp.llama_model_free(model)
