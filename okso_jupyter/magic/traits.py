"""Traits that `%config OksoMagics` can set; each accepts the values of its setting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from traitlets import TraitType

from okso_jupyter.settings import Settings, describe_range

#: The setting of each trait; the trait `settings` takes all others.
SETTING_OF: Final[Mapping[str, str]] = {
    "approve": "OKSO_APPROVE",
    "timeout_s": "OKSO_APPROVE_TIMEOUT_S",
    "confirm": "FORCE_CONFIRM",
    "samples": "PLANNER_SAMPLE_COUNT",
    "temperature": "PLANNER_TEMPERATURE",
    "seed": "PLANNER_SEED",
    "model": "PLANNER_MODEL_SPEC",
    "planning": "PLAN_ENABLED",
    "mode": "EXECUTOR_MODE",
    "keep_going": "KEEP_GOING",
    "record": "OKSO_RECORD",
    "replay": "OKSO_REPLAY",
    "home": "OKSO_HOME",
    "verbosity": "VERBOSITY",
}


class SettingTrait(TraitType):  # type: ignore[misc]  # traitlets' stubs are not followed here
    """A setting for all cells of the notebook; None means the environment's value or the default.

    Args:
        name: The name of the setting, in capitals.
    """

    def __init__(self, name: str) -> None:
        (spec,) = (spec for spec in fields(Settings) if spec.name.upper() == name)
        values = describe_range(spec.metadata, spec.type)
        unit = f" ({spec.metadata['unit']})" if spec.metadata["unit"] else ""
        super().__init__(None, allow_none=True, help=f"{spec.metadata['meaning']}: {values}{unit}.")
        self._setting = name
        self.tag(config=True)

    def validate(self, _owner: object, value: object) -> object:
        """Return the value, converted to the type of its setting.

        Raises:
            SettingError: The value has the wrong type or is out of range.
        """
        return getattr(Settings.of({self._setting: value}), self._setting.lower())


class SettingsTrait(TraitType):  # type: ignore[misc]  # see above
    """Settings by name, such as {"ON_FAILURE": "skip"}; a setting's own trait takes precedence."""

    def __init__(self) -> None:
        super().__init__({}, help='Any settings by name, such as {"ON_FAILURE": "skip"}.')
        self.tag(config=True)

    def validate(self, _owner: object, value: Any) -> dict[str, Any]:  # noqa: ANN401  whatever was typed
        """Return a copy of the mapping, with its names and values checked.

        Raises:
            SettingError: A name or value is invalid, or the value is not a mapping.
        """
        Settings.of(value)
        return dict(value)
