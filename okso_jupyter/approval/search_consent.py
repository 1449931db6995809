"""Consent to a search before planning: a person's, a policy's, or one that was given for good.

It is asked like the approval of a plan, and approves no plan. Who answers "always" is not asked
again about the same search engine: that is kept in OKSO_HOME, and FORCE_CONFIRM asks all the same.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from okso_jupyter import private_files
from okso_jupyter.approval.policy import Policy, decide
from okso_jupyter.kernel.front_end import FrontEnd, detect
from okso_jupyter.plan.approval_request import ApprovalRequest

_ALWAYS: Final = "always"
_MAX_BYTES: Final = 65_536
#: What a person is told above the words of a search.
EXPLANATION: Final = (
    "These words would leave this machine before a plan is made; what is found is told to the "
    "planner. This approves no plan. To be asked no more about this search engine, answer "
    f"{_ALWAYS!r} in place of yes; any other answer is searched for instead, and shown first"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """What became of the question whether to search.

    Attributes:
        given: Whether these words may be sent.
        by: Who decided: "user", "auto", "deny", "callable", "timeout", "rule" or "nobody".
        words: What a person wants to be searched for instead; empty where they named nothing.
    """

    given: bool
    by: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """The search engines that a person has consented to for good.

    Attributes:
        file: Where they are kept, private; deleting it forgets them.
    """

    file: Path

    def __contains__(self, destination: str) -> bool:
        return destination in self._read()

    def add(self, destination: str) -> None:
        """Remember a search engine.

        Raises:
            OSError: It cannot be written.
        """
        known = sorted({*self._read(), destination})
        private_files.replace(self.file, json.dumps({"search": known}).encode())

    def _read(self) -> list[str]:
        """Return what is remembered; what cannot be read is no consent."""
        try:
            said = json.loads(private_files.read(self.file, max_bytes=_MAX_BYTES))
        except (OSError, ValueError):
            return []
        known = said.get("search") if isinstance(said, dict) else None
        return [name for name in known if isinstance(name, str)] if isinstance(known, list) else []


def can_ask(policy: Policy, front_end: FrontEnd | None = None) -> bool:
    """Say whether anybody or anything could consent, before the words are even found."""
    if policy == "ask":
        return (detect() if front_end is None else front_end) != "headless"
    return policy != "deny"


def consent(
    proposal: ApprovalRequest,
    policy: Policy,
    *,
    destination: str,
    rules: Rules,
    timeout_s: float | None,
) -> Consent:
    """Return whether a search may be sent.

    Args:
        proposal: The searches, as a plan would show them.
        policy: Who decides; see `policy.settle`.
        destination: Whom the words would go to.
        rules: What was consented to for good; who answers "always" adds to it.
        timeout_s: Seconds that a person has; None waits for ever.

    Raises:
        ApprovalError: A function answered something else than an approver may.
        KeyboardInterrupt: The user stopped the cell.
    """
    approval = decide(proposal, policy, timeout_s=timeout_s)
    if approval.decision != "feedback":
        return Consent(given=approval.decision == "approve", by=approval.by)
    if approval.feedback.strip(" .!'\"").lower() != _ALWAYS:
        return Consent(given=False, by=approval.by, words=approval.feedback)
    rules.add(destination)
    return Consent(given=True, by=approval.by)
