"""Effect: the kinds of effects of a call; tools declare them, scorer, form and ledger read them."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from okso_jupyter.errors import ToolDefinitionError


class Effect(StrEnum):
    """One kind of effect; a call may have several, and an empty set means none."""

    READS = "reads"
    WRITES = "writes"
    NETWORK = "network"
    RUNS_CODE = "runs_code"
    IRREVERSIBLE = "irreversible"
    UNDECLARED = "undeclared"


Effects = frozenset[Effect]

NO_EFFECTS: Final[Effects] = frozenset()
UNDECLARED: Final[Effects] = frozenset({Effect.UNDECLARED})

#: Effects that leave changes behind: they count against a plan that starts with them.
LASTING: Final[Effects] = frozenset({Effect.WRITES, Effect.IRREVERSIBLE})
#: Effects after which a call is never repeated automatically.
NOT_REPEATABLE: Final[Effects] = LASTING | {Effect.RUNS_CODE, Effect.UNDECLARED}

#: Effects that still need a mention beside "anything may happen".
_STILL_NEWS: Final[Effects] = frozenset({Effect.IRREVERSIBLE})

WORDS: Final[dict[Effect, str]] = {
    Effect.READS: "reads files",
    Effect.WRITES: "changes files",
    Effect.NETWORK: "uses the network",
    Effect.RUNS_CODE: "runs code",
    Effect.IRREVERSIBLE: "cannot be undone",
    Effect.UNDECLARED: "effects not declared: anything may happen",
}
ICONS: Final[dict[Effect, str]] = {
    Effect.READS: "☰",
    Effect.WRITES: "✏️",
    Effect.NETWORK: "⇅",
    Effect.RUNS_CODE: "⚙️",
    Effect.IRREVERSIBLE: "⚠️",
    Effect.UNDECLARED: "❓",
}


def as_effects(declared: str | Effect | Iterable[str | Effect]) -> Effects:
    """Return the set of effects of a declaration: a name, several names, or "none".

    Raises:
        ToolDefinitionError: A name is not an effect.
    """
    names = [declared] if isinstance(declared, str) else list(declared)
    try:
        return frozenset(Effect(name) for name in names if name != "none")
    except ValueError as error:
        allowed = ", ".join(["none", *(effect.value for effect in Effect)])
        msg = f"{error}: an effect is one of {allowed}"
        raise ToolDefinitionError(msg) from error


def in_words(effects: Effects) -> str:
    """Return the effects as readable text, such as "reads files, runs code"."""
    return ", ".join(WORDS[effect] for effect in Effect if effect in effects) or "no effect"


def beyond(shown: Effects, real: Effects) -> Effects:
    """Return the real effects of a call that were not shown."""
    more = real - shown
    return more & _STILL_NEWS if Effect.UNDECLARED in shown else more
