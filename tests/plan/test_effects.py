"""Effects are read from declarations and described in text."""

from __future__ import annotations

import pytest

from okso_jupyter.effects.effect import (
    ICONS,
    LASTING,
    NOT_REPEATABLE,
    WORDS,
    Effect,
    as_effects,
    in_words,
)
from okso_jupyter.errors import ToolDefinitionError


@pytest.mark.parametrize("effect", Effect)
def test_every_effect_has_a_text_and_an_icon(effect: Effect) -> None:
    """No effect is displayed by its identifier."""
    assert WORDS[effect]
    assert ICONS[effect]
    assert as_effects(effect.value) == as_effects(effect) == {effect}


def test_a_declaration_may_be_one_name_or_several() -> None:
    """Several names are combined, and "none" adds no effect."""
    assert as_effects("none") == as_effects([]) == frozenset()
    assert as_effects(["reads", "none", Effect.NETWORK]) == {Effect.READS, Effect.NETWORK}


def test_an_unknown_effect_names_the_allowed_ones() -> None:
    """A misspelt effect is refused with the list of all effects."""
    with pytest.raises(ToolDefinitionError) as caught:
        as_effects(["reads", "explodes"])

    assert "explodes" in caught.value.message
    assert all(effect.value in caught.value.message for effect in Effect)


def test_lasting_effects_are_never_repeated() -> None:
    """A step may be retried only if it just reads or uses the network."""
    assert LASTING < NOT_REPEATABLE
    assert set(Effect) - NOT_REPEATABLE == {Effect.READS, Effect.NETWORK}


def test_descriptions_have_a_fixed_order() -> None:
    """The order of the description does not depend on the order of the declaration."""
    assert in_words(frozenset()) == "no effect"
    assert in_words(as_effects(["runs_code", "reads"])) == "reads files, runs code"
