"""Model spec `auto`: a Qwen3 model chosen by this machine's memory and memory pressure.

The table is okso's. The memory size gives the base tier; a machine that is short of free memory
gets a smaller one. The choice is made once per process. okso keeps it in a file for ever, and so
never notices added memory or a CI machine; a choice per call would change as soon as the first
model takes its memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from okso_jupyter.llm.memory import Memory, measure
from okso_jupyter.llm.protocol import Role
from okso_jupyter.llm.specs import AUTO
from okso_jupyter.log import LOGGER
from okso_jupyter.settings import environment

Tier = Literal["ci", "tiny", "small", "default", "large", "xlarge"]
Pressure = Literal["normal", "warning", "critical", "unknown"]
Headroom = Literal["comfortable", "tight", "starved", "unknown"]
Size = Literal["task", "default", "heavy"]

_GIB: Final = 1 << 30
#: Least memory in whole GiB by base tier, the highest tier first.
_TIERS: Final[tuple[tuple[int, Tier], ...]] = (
    (48, "xlarge"), (24, "large"), (16, "default"), (8, "small"), (0, "tiny"),
)  # fmt: skip
#: Billions of parameters by tier, for small, usual and heavy tasks.
_SIZES: Final[Mapping[Tier, Mapping[Size, str]]] = {
    "ci": {"task": "0.6", "default": "0.6", "heavy": "0.6"},
    "tiny": {"task": "0.6", "default": "0.6", "heavy": "0.6"},
    "small": {"task": "0.6", "default": "1.7", "heavy": "4"},
    "default": {"task": "1.7", "default": "4", "heavy": "8"},
    "large": {"task": "1.7", "default": "8", "heavy": "14"},
    "xlarge": {"task": "4", "default": "14", "heavy": "32"},
}
#: okso's code puts the validator among the heavy roles, its documents give it the executor's model:
#: this follows the documents. okso's table has no role for intents; they are a small task.
_SIZE_OF_ROLE: Final[Mapping[Role, Size]] = {
    "planner": "heavy",
    "executor": "default",
    "validator": "default",
    "rephraser": "task",
    "intent": "task",
}
_SPEC: Final = "bartowski/Qwen_Qwen3-{size}B-GGUF:Qwen_Qwen3-{size}B-Q4_K_M.gguf"
_TRUE: Final = frozenset({"1", "true", "yes"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """A model, and why it was chosen.

    Attributes:
        spec: Its spec on the hub.
        role: The role that uses it.
        base: The tier by memory size alone.
        effective: The tier after limits by free memory.
        pressure: Memory pressure, by the free percentage.
        headroom: Headroom, by the free share.
        memory: The memory figures.
    """

    spec: str
    role: Role
    base: Tier
    effective: Tier
    pressure: Pressure
    headroom: Headroom
    memory: Memory

    @property
    def reason(self) -> str:
        """Why this model was chosen, in one line."""
        memory = self.memory
        physical, free, share = "unknown", "unknown", "unknown"
        if memory.physical_bytes is not None:
            physical = f"{memory.physical_bytes / _GIB:.1f} GiB"
        if memory.free_percent is not None:
            free = f"{memory.free_percent:.0f} %"
        if memory.headroom is not None:
            share = f"{memory.headroom:.2f}"
        return (
            f"memory {physical} -> {self.base}; pressure {self.pressure} (free {free}), "
            f"headroom {self.headroom} ({share}) -> {self.effective}; "
            f"{_SIZE_OF_ROLE[self.role]} size for the {self.role}"
        )


@cache
def choose(role: Role) -> ModelChoice:
    """Return the model for a role on this machine; cached for the life of the process."""
    choice = decide(role, _measured(), ci=environment().get("GITHUB_ACTIONS", "").lower() in _TRUE)
    LOGGER.info(
        f"model autotune: base={choice.base} eff={choice.effective}",
        extra={
            "detail": {
                "role": role,
                "spec": choice.spec,
                "physmem": choice.memory.physical_bytes,
                "pressure": choice.pressure,
                "headroom": choice.headroom,
            }
        },
    )
    return choice


def settle(spec: str, role: Role) -> str:
    """Return a spec unchanged, or for `auto` the spec that `choose` returns for the role."""
    return choose(role).spec if spec == AUTO else spec


def decide(role: Role, memory: Memory, *, ci: bool) -> ModelChoice:
    """Return the model for a role by okso's table; a pure function of its arguments.

    Args:
        role: The role that uses the model.
        memory: The memory figures.
        ci: Whether this runs in GitHub Actions, where models stay tiny.
    """
    base = "ci" if ci else _base(memory.physical_bytes)
    pressure, headroom = _pressure(memory.free_percent), _headroom(memory.headroom)
    effective = _capped(base, pressure, headroom)
    return ModelChoice(
        spec=_SPEC.format(size=_SIZES[effective][_SIZE_OF_ROLE[role]]),
        role=role,
        base=base,
        effective=effective,
        pressure=pressure,
        headroom=headroom,
        memory=memory,
    )


def _base(physical_bytes: int | None) -> Tier:
    if physical_bytes is None:
        return "default"
    return next(tier for least_gib, tier in _TIERS if physical_bytes // _GIB >= least_gib)


def _pressure(free_percent: float | None) -> Pressure:
    if free_percent is None:
        return "unknown"
    if free_percent >= 50:  # noqa: PLR2004  okso's table
        return "normal"
    return "warning" if free_percent >= 25 else "critical"  # noqa: PLR2004  okso's table


def _headroom(share: float | None) -> Headroom:
    if share is None:
        return "unknown"
    if share >= 0.30:  # noqa: PLR2004  okso's table
        return "comfortable"
    return "tight" if share >= 0.10 else "starved"  # noqa: PLR2004  okso's table


def _capped(base: Tier, pressure: Pressure, headroom: Headroom) -> Tier:
    """Return the tier that the free memory permits; unknown figures impose no limit."""
    if base == "ci":
        return base
    if pressure == "critical" or headroom == "starved":
        return "tiny"
    if (pressure == "warning" or headroom == "tight") and base != "tiny":
        return "small"
    return base


@cache
def _measured() -> Memory:
    """Return the memory figures at the first call."""
    return measure()
