"""Consent to a web search before planning: by a person, a policy or a remembered "always".

It is requested like the approval of a plan, but approves no plan. The answer "always" is stored in
OKSO_HOME and covers later searches with the same search engine, unless FORCE_CONFIRM is set.
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
#: Shown to a person above the search words.
EXPLANATION: Final = (
    "These words would leave this machine before a plan is made; what is found is told to the "
    "planner. This approves no plan. To be asked no more about this search engine, answer "
    f"{_ALWAYS!r} in place of yes; any other answer is searched for instead, and shown first"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """The answer to the question whether to search.

    Attributes:
        given: Whether these words may be sent.
        by: Who decided: "user", "auto", "deny", "callable", "timeout", "rule" or "nobody".
        words: What to search for instead, as a person asked; empty if nothing.
    """

    given: bool
    by: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """The search engines with a remembered consent.

    Attributes:
        file: The private file that stores them; deleting it revokes the consent.
    """

    file: Path

    def __contains__(self, destination: str) -> bool:
        return destination in self._read()

    def add(self, destination: str) -> None:
        """Remember a search engine.

        Raises:
            OSError: The file cannot be written.
        """
        known = sorted({*self._read(), destination})
        private_files.replace(self.file, json.dumps({"search": known}).encode())

    def _read(self) -> list[str]:
        """Return the stored search engines; an unreadable file counts as no consent."""
        try:
            said = json.loads(private_files.read(self.file, max_bytes=_MAX_BYTES))
        except (OSError, ValueError):
            return []
        known = said.get("search") if isinstance(said, dict) else None
        return [name for name in known if isinstance(name, str)] if isinstance(known, list) else []


def can_ask(policy: Policy, front_end: FrontEnd | None = None) -> bool:
    """Return whether consent is possible at all, before search words are generated."""
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
    """Ask for consent and return the answer.

    Args:
        proposal: The searches, as a plan would show them.
        policy: Who decides, as returned by `policy.settle`.
        destination: The search engine that would receive the words.
        rules: The remembered consents; the answer "always" adds to them.
        timeout_s: Seconds a person has to decide; None waits for ever.

    Raises:
        ApprovalError: A function returned an invalid answer.
        KeyboardInterrupt: The user stopped the cell.
    """
    approval = decide(proposal, policy, timeout_s=timeout_s)
    if approval.decision != "feedback":
        return Consent(given=approval.decision == "approve", by=approval.by)
    if approval.feedback.strip(" .!'\"").lower() != _ALWAYS:
        return Consent(given=False, by=approval.by, words=approval.feedback)
    rules.add(destination)
    return Consent(given=True, by=approval.by)
