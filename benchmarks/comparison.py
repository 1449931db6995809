"""What every program of the comparison is asked: the same messages, schema and bounds.

The texts are in `comparison.json`. A round has a word of its own at the very start of the prompt,
so that no program can use what it computed in an earlier round; within a round all may.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_TEXTS: Final[Mapping[str, Any]] = json.loads(
    Path(__file__).with_suffix(".json").read_text("utf-8")
)
REQUESTS: Final[Sequence[str]] = _TEXTS["requests"]
TEMPERATURE: Final[float] = _TEXTS["temperature"]
MAX_TOKENS: Final[int] = _TEXTS["max_tokens"]
TOOL_COUNT: Final = len(_TEXTS["tools"])

Messages = list[dict[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a program is asked in one round.

    Attributes:
        messages: The conversation.
        schema: JSON Schema of the answer.
        samples: How many answers are wanted.
        max_tokens: Most tokens of one answer.
    """

    messages: Messages
    schema: Mapping[str, Any]
    samples: int
    max_tokens: int = MAX_TOKENS

    def as_ask(self, prompt: str) -> dict[str, Any]:
        """Return the line that a worker gets; the prompt is the messages in the chat template."""
        return {
            "messages": self.messages,
            "prompt": prompt,
            "schema": self.schema,
            "seeds": list(range(1, self.samples + 1)),
            "temperature": TEMPERATURE,
            "max_tokens": self.max_tokens,
        }


def question(
    round_number: int, samples: int, *, tool_count: int = TOOL_COUNT, filler_words: int = 0,
    max_tokens: int = MAX_TOKENS,
) -> Question:  # fmt: skip
    """Return the question of a round.

    Args:
        round_number: Chooses the request, and makes the prompt's start its own.
        samples: How many answers are wanted.
        tool_count: Tools to offer; beyond those of the file they are repeated under other names.
        filler_words: Words to add to the request, to make it longer.
        max_tokens: Most tokens of one answer.
    """
    tools = _tools(tool_count)
    return Question(
        messages=_messages(round_number, tools, filler_words),
        schema=_schema(tools),
        samples=samples,
        max_tokens=max_tokens,
    )


def _tools(count: int) -> list[Mapping[str, Any]]:
    """Return this many tools, `final_answer` always among them."""
    known = _TEXTS["tools"]
    others = [
        tool if turn == 0 else {**tool, "name": f"{tool['name']}_{turn + 1}"}
        for turn in range(count // max(len(known) - 1, 1) + 1)
        for tool in known[:-1]
    ]
    return [*others[: count - 1], known[-1]]


def _messages(round_number: int, tools: Sequence[Mapping[str, Any]], filler: int) -> Messages:
    lines = [f"- {tool['name']}({', '.join(tool['arguments'])}): {tool['description']}"
             for tool in tools]  # fmt: skip
    example = _TEXTS["example"]
    request = REQUESTS[round_number % len(REQUESTS)]
    more = " ".join(f"note {place}" for place in range(filler // 2))
    system = f"{round_number}. {_TEXTS['instruction']}\n\nTools:\n" + "\n".join(lines)
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": example["request"]},
        {"role": "assistant", "content": json.dumps(example["plan"], separators=(",", ":"))},
        {"role": "user", "content": f"{request} {more}".strip()},
    ]


def _schema(tools: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the schema of a plan of these tools, every text of it bounded."""
    steps: int = _TEXTS["steps"]
    return {
        "type": "array",
        "items": {"anyOf": [_step(tool) for tool in tools]},
        "minItems": steps,
        "maxItems": steps,
    }


def _step(tool: Mapping[str, Any]) -> dict[str, Any]:
    least, most = _TEXTS["thought_chars"]
    args = {name: _text(1, chars) for name, chars in tool["arguments"].items()}
    return _object(
        {"thought": _text(least, most), "tool": {"const": tool["name"]}, "args": _object(args)}
    )


def _text(least: int, most: int) -> dict[str, Any]:
    return {"type": "string", "minLength": least, "maxLength": most}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
