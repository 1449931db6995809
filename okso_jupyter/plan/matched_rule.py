"""MatchedRule: the rule of a policy file that decides about a call, as it is shown and recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

RuleDecision = Literal["allow", "ask", "deny"]

_WORDS: Final = {"allow": "allows this", "ask": "wants a person to decide", "deny": "denies this"}


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedRule:
    """The first rule that matches a call.

    Attributes:
        decision: What it says.
        rule: The rule in words, such as "allow tool file_write, path results".
        file: The policy file, as shown.
        line: Line of the rule in it, from 1.
        reason: The reason that its author gave; may be empty.
    """

    decision: RuleDecision
    rule: str
    file: str
    line: int
    reason: str = ""

    @property
    def place(self) -> str:
        """File and line, such as "okso-policy.toml:3"."""
        return f"{self.file}:{self.line}"

    def __str__(self) -> str:
        """Return the decision as a clause, such as "the rule okso-policy.toml:3 denies this"."""
        reason = f": {self.reason}" if self.reason else ""
        return f"the rule {self.place} {_WORDS[self.decision]} ({self.rule}){reason}"
