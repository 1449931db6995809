"""Context size of a call: okso's margin and cap applied to the tokens that it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.llm.gguf import Shape
from okso_jupyter.llm.memory import Memory
from okso_jupyter.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextLimits:
    """Limits of a context.

    Attributes:
        default_tokens: LLAMA_DEFAULT_CONTEXT_SIZE; no context is made shorter than this.
        cap_tokens: LLAMA_CONTEXT_CAP; no context is made longer, unless the default is.
        margin_percent: LLAMA_CONTEXT_MARGIN_PERCENT, added to what a call is known to need.
        trained_tokens: The context that the model was trained for, an upper limit to all others;
            None if unknown.
    """

    default_tokens: int = 4096
    cap_tokens: int = 8192
    margin_percent: int = 15
    trained_tokens: int | None = None

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the limits of the settings."""
        return cls(
            default_tokens=settings.llama_default_context_size,
            cap_tokens=settings.llama_context_cap,
            margin_percent=settings.llama_context_margin_percent,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSize:
    """The context of a call.

    Attributes:
        required_tokens: Tokens that prompt and output need, including the margin.
        tokens: Tokens that the context has.
    """

    required_tokens: int
    tokens: int

    @property
    def capped(self) -> bool:
        """Whether the context is shorter than required, by part of the margin or more."""
        return self.tokens < self.required_tokens


def context_for(prompt_tokens: int, output_tokens: int, limits: ContextLimits) -> ContextSize:
    """Return the context size that a call needs and the one that it gets.

    Args:
        prompt_tokens: Tokens of the prompt.
        output_tokens: Most tokens of one completion; if several do not fit side by side, they
            take turns.
        limits: Limits of the context.

    A capped context may still hold the call without the margin: compare `tokens` with what the call
    needs before refusing it.
    """
    needed = prompt_tokens + output_tokens
    required = -(-needed * (100 + limits.margin_percent) // 100)
    cap = max(limits.cap_tokens, limits.default_tokens)
    tokens = min(max(required, limits.default_tokens), cap)
    if limits.trained_tokens is not None:
        tokens = min(tokens, limits.trained_tokens)
    return ContextSize(required_tokens=required, tokens=tokens)


def check_memory(context_tokens: int, shape: Shape, memory: Memory) -> None:
    """Raise ModelUnavailableError if a context does not fit into the memory that is free now.

    The system would grant the memory and kill the process later, when it is used. If a size is
    unknown, nothing is refused.
    """
    if shape.bytes_per_token is None or memory.free_bytes is None:
        return
    needed = context_tokens * shape.bytes_per_token
    if needed > memory.free_bytes:
        msg = (
            f"a context of {context_tokens} tokens takes {needed / 1e6:.0f} MB, "
            f"and {memory.free_bytes / 1e6:.0f} MB are free"
        )
        hint = "lower LLAMA_DEFAULT_CONTEXT_SIZE and LLAMA_CONTEXT_CAP, or close other programs"
        raise ModelUnavailableError(msg, hint=hint)
