"""Step expansion: a step of a tool with an expansion is replaced by the steps it stands for.

Scorer, form and executor then see only calls. A plan without such tools keeps its step ids;
otherwise all steps are renumbered in order.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from okso_jupyter.errors import PlanError
from okso_jupyter.plan.plan import Condition, Plan, Step, predecessors
from okso_jupyter.toolkit.tool import Tool

#: Maximum nesting of expansions.
MAX_DEPTH: Final = 8


def expanded(plan: Plan, tools: Mapping[str, Tool]) -> Plan:
    """Return the plan with every expandable step replaced.

    Args:
        plan: A plan.
        tools: The catalogue; a step of an unknown tool is kept.

    Raises:
        PlanError: The arguments of an expandable step, or of a step it expands to, violate their
            schema; a condition cannot be expressed for several steps; or the expansions do not
            end.
    """
    for _ in range(MAX_DEPTH):
        if not any(_expands(step, tools) for step in plan.steps):
            return plan
        plan = _once(plan, tools)
    msg = f"steps stand for other steps more than {MAX_DEPTH} levels deep"
    raise PlanError(msg, rule="workflow_depth")


def tools_behind(tool: Tool) -> frozenset[str]:
    """Return the tools called where a plan names this one: itself, or those it expands to."""
    return tool.expansion.tools if tool.expansion else frozenset({tool.name})


@dataclass(frozen=True, slots=True)
class _Block:
    """A step, its expansion, and the new ids.

    Attributes:
        outer: The step in the plan.
        inner: The steps it expands to; empty for a call.
        ids: New ids by the ids inside the block; for a call by its own id.
    """

    outer: Step
    inner: tuple[Step, ...]
    ids: Mapping[int, int]

    @property
    def ends(self) -> tuple[int, ...]:
        """New ids of the last steps of the block: no other step of it depends on them."""
        awaited = frozenset[int]().union(*(predecessors(step) for step in self.inner))
        return tuple(new for old, new in self.ids.items() if old not in awaited)


def _expands(step: Step, tools: Mapping[str, Tool]) -> bool:
    return step.tool in tools and tools[step.tool].expansion is not None


def _once(plan: Plan, tools: Mapping[str, Tool]) -> Plan:
    """Expand one level."""
    numbers = itertools.count(1)
    blocks = {}
    for step in plan.steps:
        inner = _inner(step, tools) if _expands(step, tools) else ()
        ids = {part.id: next(numbers) for part in inner or (step,)}
        blocks[step.id] = _Block(step, inner, ids)
    return plan.with_steps(step for block in blocks.values() for step in _placed(block, blocks))


def _inner(step: Step, tools: Mapping[str, Tool]) -> tuple[Step, ...]:
    """Return the steps that a step expands to, each checked against its tool."""
    tool = tools[step.tool]
    violations = tool.violations(step.args, lenient=True)
    if violations:
        msg = f"step {step.id} ({step.tool}): {violations[0]}"
        raise PlanError(msg, step=step.id, rule="arguments")
    assert tool.expansion is not None  # noqa: S101  checked by the caller
    try:
        inner = tuple(tool.expansion.steps(step.args))
    except PlanError as error:
        msg = f"step {step.id}: {error.message}"
        raise PlanError(msg, step=step.id, rule=error.rule, hint=error.hint) from error
    for part in inner:
        wrong = tools[part.tool].violations(part.args, lenient=True) if part.tool in tools else []
        if wrong:
            msg = f"step {step.id} ({step.tool}): its step {part.id} ({part.tool}): {wrong[0]}"
            raise PlanError(msg, step=step.id, rule="arguments")
    return inner


def _placed(block: _Block, blocks: Mapping[int, _Block]) -> Iterable[Step]:
    """Return the steps of a block with ids, dependencies and conditions of the whole plan."""
    outer = block.outer
    waits = tuple(end for other in outer.depends_on for end in blocks[other].ends)
    condition, more = _condition(outer, blocks)
    waits = tuple(dict.fromkeys((*waits, *more)))
    older = blocks.get(outer.replaces or 0)
    replaces = older.ends[-1] if older else outer.replaces
    if not block.inner:
        (place,) = block.ids.values()
        return [replace(outer, id=place, depends_on=waits, condition=condition, replaces=replaces)]
    steps = [_within(step, block, waits, condition) for step in block.inner]
    return [*steps[:-1], replace(steps[-1], replaces=replaces)]


def _within(step: Step, block: _Block, waits: tuple[int, ...], condition: str) -> Step:
    """Return one step of an expansion as a step of the plan."""
    outer, ids = block.outer, block.ids
    is_first = not predecessors(step)
    alone = len(block.inner) == 1
    own = _renumbered(step, lambda local: ids[local]) if step.condition else condition
    return replace(
        step,
        id=ids[step.id],
        depends_on=waits if is_first else tuple(ids[other] for other in step.depends_on),
        condition=own,
        thought=step.thought or outer.thought,
        description=_origin(step, block),
        parallel=step.parallel or (alone and outer.parallel),
        timeout_s=step.timeout_s or outer.timeout_s,
        max_retries=outer.max_retries if step.max_retries is None else step.max_retries,
    )


def _origin(step: Step, block: _Block) -> str:
    """Return the step's description, with the step it was expanded from."""
    place = [part.id for part in block.inner].index(step.id) + 1
    source = f"Step {place} of {len(block.inner)} of {block.outer.tool}"
    return "; ".join(text for text in (step.description, source, block.outer.description) if text)


def _condition(step: Step, blocks: Mapping[int, _Block]) -> tuple[str, tuple[int, ...]]:
    """Return a step's condition with new ids, and the further steps it depends on.

    Several steps have succeeded when the last one has and none before it failed.

    Raises:
        PlanError: It tests whether several steps failed, or whether they succeeded while some
            are conditional: no single step can tell.
    """
    if not step.condition:
        return "", ()
    condition = Condition.parse(step.condition, step=step.id)
    asked = blocks[condition.step_id]
    ids = tuple(asked.ids.values())
    conditional = any(part.condition for part in asked.inner)
    if len(ids) > 1 and (condition.outcome == "failed" or conditional):
        msg = (
            f"step {step.id}: {step.condition!r} is about {asked.outer.tool}, which becomes"
            f" {len(ids)} steps, and no single one of them can tell"
        )
        raise PlanError(msg, step=step.id, rule="condition", hint="put the condition inside it")
    return _renumbered(step, lambda _: ids[-1]), ids if len(ids) > 1 else ()


def _renumbered(step: Step, number: Callable[[int], int]) -> str:
    """Return a step's condition with its step id mapped."""
    condition = Condition.parse(step.condition, step=step.id)
    return f"step_{number(condition.step_id)}_{condition.outcome}"
