"""PolicyRules: the rules of the user's file and of a trusted file beside the notebook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from okso_jupyter import private_files
from okso_jupyter.errors import PolicyError
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.matched_rule import MatchedRule
from okso_jupyter.policies.call_facts import CallFacts
from okso_jupyter.policies.policy_file import MAX_BYTES, NAME, read_rules
from okso_jupyter.policies.policy_rule import PolicyRule
from okso_jupyter.settings import config_path
from okso_jupyter.trust import is_trusted, sha256_of

#: Untrusted contents that were told of in this process.
_TOLD: Final[set[tuple[str, str]]] = set()


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """One policy file.

    Attributes:
        path: Its path.
        rules: Its rules, in order; none if it is not trusted.
        is_trusted: Whether its rules count.
    """

    path: Path
    rules: tuple[PolicyRule, ...] = ()
    is_trusted: bool = True


@dataclass(frozen=True, slots=True)
class PolicyRules:
    """The rules that count, by file.

    Attributes:
        files: The files: the user's, then the one beside the notebook.
    """

    files: tuple[PolicyFile, ...] = ()

    @classmethod
    def load(cls, root: Path) -> PolicyRules:
        """Return the rules for a working folder.

        Raises:
            PolicyError: A file that counts cannot be read or holds an error.
        """
        return cls(tuple(_files(root)))

    @property
    def rules(self) -> tuple[PolicyRule, ...]:
        """All rules in the order in which they are asked."""
        return tuple(rule for file in self.files for rule in file.rules)

    @property
    def can_allow(self) -> bool:
        """Whether a rule may approve something without a person."""
        return any(rule.decision == "allow" for rule in self.rules)

    def rule_for(self, facts: CallFacts) -> MatchedRule | None:
        """Return the rule that decides about a call; None if none matches.

        In each file the first rule that matches decides. A denial in either file has precedence,
        else the user's file.
        """
        first = [_first(file.rules, facts) for file in self.files]
        found = [rule.matched for rule in first if rule is not None]
        denials = [rule for rule in found if rule.decision == "deny"]
        return next(iter([*denials, *found]), None)


def user_file() -> Path:
    """Return the path of the user's policy file, beside `config.env`."""
    return config_path().parent / NAME


def _first(rules: tuple[PolicyRule, ...], facts: CallFacts) -> PolicyRule | None:
    return next((rule for rule in rules if rule.matches(facts)), None)


def _files(root: Path) -> Iterator[PolicyFile]:
    """Yield the policy files that exist, the user's first."""
    own, beside = user_file(), root / NAME
    content = read_content(own.resolve())  # a link is the user's own
    if content is not None:
        yield PolicyFile(own, read_rules(content, _shown(own)))
    if beside.resolve() == own.resolve():
        return
    content = read_content(beside)
    if content is None:
        return
    if is_trusted(sha256_of(content)):
        yield PolicyFile(beside, read_rules(content, NAME))
    else:
        _tell(beside, content)
        yield PolicyFile(beside, is_trusted=False)


def _shown(file: Path) -> str:
    """Return a path as people write it, with ~ for their home folder."""
    home = Path.home()
    return f"~/{file.relative_to(home)}" if file.is_relative_to(home) else str(file)


def read_content(file: Path) -> bytes | None:
    """Return the content of a policy file; None if there is no such file.

    Raises:
        PolicyError: It is there and cannot be read.
    """
    try:
        return private_files.read(file, max_bytes=MAX_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        msg = f"{file} cannot be read: {error.strerror or error}"
        raise PolicyError(msg, hint="make it readable, or remove it") from error


def _tell(file: Path, content: bytes) -> None:
    """Log once per content that a file does not count."""
    if (known := (str(file), sha256_of(content))) in _TOLD:
        return
    _TOLD.add(known)
    detail = f"%okso trust --show {NAME} shows its rules, %okso trust {NAME} has them count"
    LOGGER.warning("the policy beside the notebook is not trusted", extra={"detail": detail})
