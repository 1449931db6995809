"""The model file's own words: how it writes a conversation, and how many tokens a text has."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path

import llama_cpp
from llama_cpp import Llama
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

from okso_jupyter.llm.weights import QUIET


class Vocabulary:
    """Chat template and tokens of a GGUF file; its weights are not loaded.

    Args:
        gguf: The file.
    """

    def __init__(self, gguf: Path) -> None:
        # it warns of a context that is larger than that of a model without weights
        llama_cpp.llama_log_set(QUIET, ctypes.c_void_p(0))
        self._llama = Llama(str(gguf), vocab_only=True, verbose=False)
        self._formatter = Jinja2ChatFormatter(
            template=self._llama.metadata["tokenizer.chat_template"], eos_token="", bos_token=""
        )

    def render(self, messages: Sequence[Mapping[str, str]]) -> str:
        """Return a conversation as the model sees it."""
        prompt: str = self._formatter(messages=list(messages)).prompt
        return prompt

    def tokens(self, text: str) -> list[int]:
        """Return the tokens of a text, special ones read as such."""
        tokens: list[int] = self._llama.tokenize(text.encode(), add_bos=False, special=True)
        return tokens

    def decoded_once(self, texts: Sequence[str]) -> int:
        """Return how many tokens these texts have when those of like beginnings count once."""
        beginnings = set()
        for tokens in map(self.tokens, texts):
            beginnings |= {tuple(tokens[:end]) for end in range(1, len(tokens) + 1)}
        return len(beginnings)
