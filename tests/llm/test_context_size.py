"""Context size of a call: the required size plus a margin, from default to cap."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.llm.context_size import ContextLimits, context_for
from tests.each_row import each_row


@each_row(
    ("prompt", "output", "required", "tokens", "capped"),
    [
        (100, 100, 230, 4096, False),
        (3461, 100, 4096, 4096, False),
        (3462, 100, 4097, 4097, False),
        (3000, 1000, 4600, 4600, False),
        (6123, 1000, 8192, 8192, False),
        (6124, 1000, 8193, 8192, True),
        (20000, 0, 23000, 8192, True),
        (0, 0, 0, 4096, False),
    ],
)
def test_margin_default_and_cap(
    prompt: int, output: int, required: int, tokens: int, *, capped: bool
) -> None:
    """The size is 15 % more than required, at least 4096 and at most 8192 tokens."""
    size = context_for(prompt, output, ContextLimits())

    assert (size.required_tokens, size.tokens, size.capped) == (required, tokens, capped)


def test_a_cap_below_the_default_has_no_effect() -> None:
    """The default size is guaranteed, even if the cap is lower."""
    limits = ContextLimits(default_tokens=4096, cap_tokens=1024)

    assert context_for(5000, 0, limits).tokens == 4096


def test_the_trained_length_bounds_the_context() -> None:
    """No context exceeds the model's trained length, not even the default one."""
    limits = ContextLimits(trained_tokens=2048)

    assert context_for(10, 10, limits).tokens == 2048
    assert context_for(3000, 10, limits).capped


COUNTS = st.integers(0, 1 << 20)


@given(COUNTS, COUNTS, st.builds(
    ContextLimits, default_tokens=st.integers(1, 1 << 20), cap_tokens=st.integers(1, 1 << 20),
    margin_percent=st.integers(0, 400), trained_tokens=st.none() | st.integers(1, 1 << 20),
))  # fmt: skip
def test_the_size_is_exact_and_bounded_for_any_limits(
    prompt: int, output: int, limits: ContextLimits
) -> None:
    """The required size is rounded up exactly; no bound is exceeded.

    A context that is not capped holds the prompt and the output.
    """
    size = context_for(prompt, output, limits)

    margin = 1 + Fraction(limits.margin_percent, 100)
    assert size.required_tokens == ceil((prompt + output) * margin)
    assert size.tokens <= max(limits.cap_tokens, limits.default_tokens)
    assert limits.trained_tokens is None or size.tokens <= limits.trained_tokens
    assert size.capped == (size.tokens < size.required_tokens)
    if not size.capped:
        assert size.tokens >= prompt + output
