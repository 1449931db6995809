"""Attributes of spans by OpenTelemetry's conventions for generative AI, and those under `okso.`.

What a person, a model or a tool wrote is in `content` parts, which are left out unless asked for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from okso_jupyter.journal.events import (
    CallStarted,
    CompletionMade,
    ModelUsed,
    ObservationMade,
    RunStarted,
)
from okso_jupyter.telemetry.trace import Attributes, Value

AGENT: Final = "okso"


def present(attributes: Mapping[str, Value | None]) -> Attributes:
    """Return the attributes that have a value."""
    return {name: value for name, value in attributes.items() if value not in {None, "", ()}}


def of_run(
    run_id: str, started: RunStarted | None, completions: Sequence[CompletionMade]
) -> Attributes:
    """Return the attributes of the run's own span."""
    return present({
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": AGENT,
        "gen_ai.agent.name": AGENT,
        "gen_ai.agent.version": started.versions.get("okso-jupyter", "") if started else "",
        "gen_ai.conversation.id": run_id,
        "gen_ai.request.model": started.model if started else "",
        "gen_ai.usage.input_tokens": sum(made.prompt_tokens for made in completions),
        "gen_ai.usage.output_tokens": sum(made.output_tokens for made in completions),
        "okso.run.id": run_id,
        "okso.run.is_replay": started.is_replay if started else None,
    })  # fmt: skip


def of_chat(model: ModelUsed | None, completions: Sequence[CompletionMade]) -> Attributes:
    """Return the attributes of one request to a model; its candidates are its choices."""
    spec = model.spec if model is not None else ""
    found: dict[str, Value | None] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai_compatible" if spec.startswith("http") else "llama_cpp",
        "gen_ai.request.model": model.name if model is not None else "",
    }
    if completions:
        first = completions[0]
        found |= {
            "gen_ai.request.choice.count": len(completions),
            "gen_ai.request.temperature": first.temperature,
            "gen_ai.request.max_tokens": first.max_tokens,
            "gen_ai.request.seed": first.seed,
            "gen_ai.output.type": "text" if first.schema is None else "json",
            "gen_ai.response.finish_reasons": tuple(made.finish for made in completions),
            "gen_ai.usage.input_tokens": sum(made.prompt_tokens for made in completions),
            "gen_ai.usage.output_tokens": sum(made.output_tokens for made in completions),
            "gen_ai.usage.cache_read.input_tokens": sum(made.cached_tokens for made in completions),
        }
    return present(found)


def content_of_chat(completions: Sequence[CompletionMade]) -> Attributes:
    """Return the prompt and the completions as messages."""
    if not completions:
        return {}
    said = [_message("assistant", made.text, made.finish) for made in completions]
    return {
        "gen_ai.input.messages": as_text([_message("user", completions[0].prompt)]),
        "gen_ai.output.messages": as_text(said),
    }


def of_call(started: CallStarted | None, made: ObservationMade | None) -> Attributes:
    """Return the attributes of a call of a tool."""
    seen = made.observation if made is not None else None
    return present({
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": started.tool if started else "",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": call_id(started) if started else "",
        "okso.step.id": started.step_id if started else None,
        "okso.plan.version": started.plan_version if started else None,
        "okso.call.attempt": started.attempt if started else None,
        "okso.call.effects": tuple(sorted(started.effects)) if started else (),
        "okso.call.status": seen.status if seen else "",
        "error.type": seen.error_class if seen else None,
    })  # fmt: skip


def content_of_call(started: CallStarted | None, made: ObservationMade | None) -> Attributes:
    """Return the arguments and the result of a call."""
    seen = made.observation if made is not None else None
    return present({
        "gen_ai.tool.call.arguments": as_text(started.args) if started else "",
        "gen_ai.tool.call.result": (seen.text or seen.error) if seen else "",
    })  # fmt: skip


def content_of_run(request: str, answer: str) -> Attributes:
    """Return the request and the answer of a run as messages."""
    said = as_text([_message("assistant", answer, "stop")]) if answer else ""
    asked = as_text([_message("user", request)])
    return present({"gen_ai.input.messages": asked, "gen_ai.output.messages": said})


def call_id(started: CallStarted) -> str:
    """Return the id of a call within its run: plan version, step and attempt."""
    return f"v{started.plan_version}-step{started.step_id}-{started.attempt}"


def as_text(value: object) -> str:
    """Return JSON data as text."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _message(role: str, text: str, finish: str = "") -> dict[str, Any]:
    parts = [{"type": "text", "content": text}]
    return {"role": role, "parts": parts, **({"finish_reason": finish} if finish else {})}
