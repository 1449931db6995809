"""Planning over many tools: the prompt stays short, and the right tool is among those offered."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.quality.cases import Case, categories, load
from benchmarks.quality.large_catalogue import found, hidden_among
from okso_jupyter import Settings
from okso_jupyter.planning.prompt.builder import PlannerPrompt, make_prompts

OWN = Path("benchmarks/quality/own_calls")
#: A token has at least this many characters on average, in prompts like these.
CHARS_PER_TOKEN = 3
#: Share of the requests whose tools are offered; below what is measured.
LEAST = 0.8


def own_cases() -> list[Case]:
    """Return all own requests for function calls."""
    folders = [OWN / name for name in ("development", "held_out", "other_domains")]
    return [
        case for folder in folders for name in categories(folder) for case in load(folder, name)
    ]


@pytest.mark.slow
def test_the_right_tool_is_offered_among_many() -> None:
    """Of own requests hidden among all own tools, most have their tools offered, in a short prompt.

    The prompt fits into the default context.
    """
    cases = own_cases()
    some = [case for case in cases if case.category in {"simple_python", "multiple"}][::2]
    results = [found(case, hidden_among(case, cases, 100)) for case in some]

    assert max(one.chars for one in results) < CHARS_PER_TOKEN * (
        Settings.of({}).llama_default_context_size
    )
    assert sum(not one.missing for one in results) >= LEAST * len(results)


def _cards(prompt: PlannerPrompt) -> set[str]:
    """Return the tools that a prompt's catalogue names."""
    return set(re.findall(r"(?m)^- (\w+)[(:]", prompt.messages[0].content))


def test_very_many_tools_are_not_all_named() -> None:
    """Of many tools without examples a small model is told those that fit; a larger one all.

    Those with examples are always named, so that the model's state after them can be reused.
    """
    cases = own_cases()
    case = next(one for one in cases if one.category == "simple_python")
    tools = hidden_among(case, cases, 60)
    small, large = (
        next(
            iter(make_prompts(case.request, tools=tools, workspace=None, budget=6, grounded=small))
        )
        for small in (True, False)
    )
    with_examples = {name for name, tool in tools.items() if tool.examples}

    assert _cards(small) >= with_examples & _cards(large)
    assert 1 <= len(_cards(small) - with_examples) <= 5
    assert len(_cards(large) - with_examples) > 40
