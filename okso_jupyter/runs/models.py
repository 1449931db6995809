"""Models of a session by role: the model given to the session, else the one in the settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from okso_jupyter.errors import ModelUnavailableError, UsageError
from okso_jupyter.llm.protocol import LanguageModel, Role
from okso_jupyter.llm.registry import open_model
from okso_jupyter.llm.specs import BUNDLED
from okso_jupyter.settings import Settings


@dataclass(frozen=True, slots=True)
class Models:
    """The models of one session.

    Attributes:
        settings: The settings.
        given: A model for every role, or its spec; None means the settings.
    """

    settings: Settings
    given: str | LanguageModel | None = None

    def spec_of(self, role: Role) -> str:
        """Return the spec of the model of a role.

        Raises:
            UsageError: There is no such role.
        """
        if role not in get_args(Role):
            msg = f"there is no role {role!r}"
            raise UsageError(msg, hint=f"the roles are {', '.join(get_args(Role))}")
        if self.given is None:
            return self.settings.model_of(role)[0]
        return self.given if isinstance(self.given, str) else self.given.identity.spec

    def open(self, role: Role) -> LanguageModel:
        """Return the model of a role; load it if necessary.

        Raises:
            UsageError: There is no such role.
            ModelUnavailableError: It cannot be loaded.
        """
        spec = self.spec_of(role)
        if self.settings.testing_passthrough:
            msg = "no model is asked, since TESTING_PASSTHROUGH is true"
            raise ModelUnavailableError(msg)
        if self.given is not None and not isinstance(self.given, str):
            return self.given
        return open_model(spec, self.settings, role)

    @property
    def judge(self) -> bool:
        """Whether the validator's model can judge answers: every model but the bundled one."""
        spec = self.settings.model_of("validator")[0]
        return (self.given if isinstance(self.given, str) else spec) != BUNDLED
