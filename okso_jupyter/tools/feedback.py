"""feedback: the user's rating of a step, from the plan, from a setting, or asked for."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from okso_jupyter.errors import ToolRefusedError
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.ratings import HIGHEST, LOWEST, Rating, read_answer
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool

_STEP = re.compile(r"(?i)\s*(?:step\s*)?#?(\d{1,6})\b")
_SHOWN_CHARS: Final = 200

_EXAMPLES = (
    Example("Rate the first step of this plan with 5", {"plan_item": "step 1", "rating": 5}),
    Example("Give step 2 a rating of 3", {"plan_item": "step 2", "rating": 3}),
    Example("Record feedback on step 1: 4 of 5", {"plan_item": "step 1", "rating": 4}),
)


@tool(
    parameters={
        "properties": {
            "plan_item": {
                "type": "string",
                "description": "What is rated: a step by its number, or in words.",
            },
            "observations": {"description": "What came of it.", "x-omit": True},
            "rating": {
                "type": "integer",
                "minimum": LOWEST,
                "maximum": HIGHEST,
                "description": "5 is best; a person is asked where it is left out.",
            },
            "note": {"type": "string", "maxLength": 2000, "x-omit": True},
        },
    },
    # it writes only into this project's folder in the user's home
    effect="none",
    examples=_EXAMPLES,
    groups=("general",),
)
def feedback(
    context: ToolContext,
    plan_item: str = "",
    observations: Any = None,  # noqa: ANN401  any JSON value
    rating: int | None = None,
    note: str = "",
) -> ToolOutput:
    """Record a rating from 1 to 5 of a step of the plan, with a note."""
    reason = context.run.ratings.reason_to_skip()
    if reason:
        return _skipped(reason)
    answer = (rating, note) if rating is not None else _asked(context, plan_item, observations)
    if answer is None:
        return _skipped("no rating from 1 to 5 was given")
    step = _STEP.match(plan_item)
    entry = Rating(
        run=context.run.scratch.name,
        step=int(step[1]) if step else None,
        rating=answer[0],
        note=answer[1],
        plan_item=plan_item,
        observations=_text(observations),
    )
    context.run.ratings.add(entry)
    names = ("plan_item", "observations", "rating", "note")
    return ToolOutput(
        value={"status": "recorded", **{name: getattr(entry, name) for name in names}},
        text=f"recorded: {entry.rating} of {HIGHEST}",
    )


def _asked(context: ToolContext, plan_item: str, observations: object) -> tuple[int, str] | None:
    """Return rating and note from the setting, else from the user; None if there is neither.

    Raises:
        ToolRefusedError: The setting is not a valid answer.
    """
    given = context.run.ratings.answer
    if given is None:
        about = " ".join(f"{plan_item} {_text(observations)}".split())[:_SHOWN_CHARS]
        question = f"Rate {about or 'this run'} from 1 to 5, and add a note if you like: "
        return read_answer(context.run.ask(question, context.timeout_s))
    answer = read_answer(given)
    if answer is None:
        msg = f"FEEDBACK_NONINTERACTIVE_INPUT is {given!r}, and not of the form rating|note"
        raise ToolRefusedError(msg, hint="a rating is a whole number from 1 to 5")
    return answer


def _skipped(reason: str) -> ToolOutput:
    return ToolOutput(value={"status": "skipped", "reason": reason}, text=f"skipped: {reason}")


def _text(value: object) -> str:
    """Return the observations as text, whatever their type."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
