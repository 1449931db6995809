"""What a call does to the world: declared by tools, read by scorer, form and ledger."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from okso_jupyter.errors import ToolDefinitionError


class Effect(StrEnum):
    """One kind of effect; a call may have several, and none at all is an empty set."""

    READS = "reads"
    WRITES = "writes"
    NETWORK = "network"
    RUNS_CODE = "runs_code"
    IRREVERSIBLE = "irreversible"
    UNDECLARED = "undeclared"


Effects = frozenset[Effect]

NO_EFFECTS: Final[Effects] = frozenset()
UNDECLARED: Final[Effects] = frozenset({Effect.UNDECLARED})

#: Effects that leave something behind: they count against a plan that hurries into them.
LASTING: Final[Effects] = frozenset({Effect.WRITES, Effect.IRREVERSIBLE})
#: Effects after which a call is never repeated on its own.
NOT_REPEATABLE: Final[Effects] = LASTING | {Effect.RUNS_CODE, Effect.UNDECLARED}

#: What "anything may happen" does not say loudly enough.
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
    """Return the set that a declaration means: a name, several names, or "none".

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
    """Return the effects as a person reads them, such as "reads files, runs code"."""
    return ", ".join(WORDS[effect] for effect in Effect if effect in effects) or "no effect"


def beyond(shown: Effects, real: Effects) -> Effects:
    """Return the effects of a call that go beyond those that were shown."""
    more = real - shown
    return more & _STILL_NEWS if Effect.UNDECLARED in shown else more
