"""The lethal trifecta: private data, untrusted content and a way out, in one run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from okso_jupyter.effects.effect import Effect, Effects

#: What a call contributes to it.
Role = Literal["private", "untrusted", "sends"]
_ROLES: Final[Mapping[Effect, frozenset[Role]]] = {
    Effect.READS: frozenset({"private"}),
    Effect.NETWORK: frozenset({"untrusted", "sends"}),
    Effect.UNDECLARED: frozenset({"private", "untrusted", "sends"}),
}
ROLE_WORDS: Final[Mapping[Role, str]] = {
    "private": "reads private data",
    "untrusted": "meets untrusted content",
    "sends": "can send something out",
}


def roles_of(effects: Effects, *, has_inputs: bool = False) -> frozenset[Role]:
    """Return what a call contributes.

    Args:
        effects: Its effects.
        has_inputs: Whether variables of the notebook go into code that the run executes.
    """
    found = frozenset(role for effect in effects for role in _ROLES.get(effect, ()))
    takes_inputs = has_inputs and Effect.RUNS_CODE in effects
    return found | {"private"} if takes_inputs else found


def is_complete(own: frozenset[Role], before: frozenset[Role]) -> bool:
    """Return whether a call can send out, once private data and untrusted content were met.

    Its own reading and meeting counts: a page that is fetched may lead on to another address.

    Args:
        own: What the call contributes.
        before: What the calls before it contribute.
    """
    return "sends" in own and {"private", "untrusted"} <= before | own
