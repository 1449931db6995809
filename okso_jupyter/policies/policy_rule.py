"""PolicyRule: one rule of a policy file, and whether it matches a call.

A rule that allows has to cover all that a call names; one that asks or denies matches as soon as it
covers any of it. What is not known yet, such as a path filled in later, is never covered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from okso_jupyter.plan.matched_rule import MatchedRule, RuleDecision
from okso_jupyter.policies.call_facts import CallFacts, Named
from okso_jupyter.policies.patterns import (
    MATCH_ALL,
    Fits,
    command_fits,
    host_fits,
    is_within,
    leniently,
    name_fits,
    reaching,
    rooted_path_fits,
)

TRIFECTA: Final = "trifecta"
#: Conditions in the order in which a rule is told in words.
CONDITIONS: Final = ("tool", "effect", "path", "host", "command", "origin")


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRule:
    """One rule; a condition without patterns matches every call.

    Attributes:
        decision: What it says.
        tool: Globs of tool names.
        effect: Effects; a rule that allows lists all that the call may have.
        path: Paths; what is beneath one matches too.
        host: Globs of hosts.
        command: Names of commands, or globs of whole command lines.
        origin: Where values come from.
        args: Globs of argument texts, by name of the argument.
        when: "trifecta", or empty.
        reason: Why, in its author's words.
        file: Its file, as shown.
        line: Its line there, from 1.
    """

    decision: RuleDecision
    tool: tuple[str, ...] = ()
    effect: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    host: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    origin: tuple[str, ...] = ()
    args: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    when: str = ""
    reason: str = ""
    file: str = ""
    line: int = 0

    @property
    def matched(self) -> MatchedRule:
        """The rule as it is shown and recorded."""
        return MatchedRule(
            decision=self.decision,
            rule=str(self),
            file=self.file,
            line=self.line,
            reason=self.reason,
        )

    def __str__(self) -> str:
        """Return the rule in words, such as "allow tool file_write, path results"."""
        parts = [f"{n} {' or '.join(v)}" for n in CONDITIONS if (v := getattr(self, n))]
        parts += [f"{name} = {' or '.join(globs)}" for name, globs in self.args.items()]
        parts += [f"when {self.when}"] * bool(self.when)
        return f"{self.decision} {', '.join(parts) or 'every call'}"

    def matches(self, facts: CallFacts) -> bool:
        """Return whether the rule matches a call."""
        covered = _covers_all if self.decision == "allow" else _covers_any
        spelt = _as_it_stands if self.decision == "allow" else leniently
        paths = spelt(rooted_path_fits(facts.root))
        if self.decision != "allow":
            paths = reaching(paths)
        return (
            (not self.when or facts.is_trifecta)
            and covered(self.tool, Named((facts.tool,)), name_fits)
            and self._covers_effects(facts)
            and covered(self.path, facts.paths, paths)
            and covered(self.host, facts.hosts, spelt(host_fits))
            and covered(self.command, facts.commands, spelt(command_fits))
            and covered(self.origin, Named(tuple(facts.origins)), name_fits)
            and all(
                covered(globs, Named(facts.args.get(name, ())), spelt(name_fits))
                for name, globs in self.args.items()
            )
        )

    def _covers_effects(self, facts: CallFacts) -> bool:
        """Return whether the effects match: all of a call that is allowed, any of another one."""
        if not self.effect:
            return True
        if self.decision == "allow":
            return facts.effects <= set(self.effect)
        return bool(facts.effects & set(self.effect))

    @property
    def is_for_every_call(self) -> bool:
        """Whether no condition leaves any call out."""
        return not self.when and all(_is_open(patterns) for patterns in self._conditions.values())

    def leaves_nothing_for(self, later: PolicyRule) -> bool:
        """Return whether a later rule can never decide, since this one matches all that it does."""
        if self.is_for_every_call:
            return True
        if self.when not in ("", later.when):
            return False
        mine, theirs = self._conditions, later._conditions
        if (mine, self.when) == (theirs, later.when):
            return True
        if self.decision == "allow" and any(p for name, p in mine.items() if name != "tool"):
            return False  # a call that names more than the rule covers is left
        if later.decision == "allow" and mine["effect"]:
            return False  # a call without any effect is left
        return all(
            _is_open(patterns) or _are_within(theirs.get(name, ()), patterns)
            for name, patterns in mine.items()
        )

    @property
    def _conditions(self) -> dict[str, tuple[str, ...]]:
        """Patterns by name of the condition, those of arguments as "args.NAME"."""
        own = {name: getattr(self, name) for name in CONDITIONS}
        return own | {f"args.{name}": globs for name, globs in self.args.items()}


def _covers_all(patterns: Iterable[str], named: Named, fits: Fits) -> bool:
    """Return whether everything that a call names is matched by a pattern."""
    if not patterns:
        return True
    is_known = named.is_complete and bool(named.values)
    return is_known and all(_fits_one(patterns, value, fits) for value in named.values)


def _covers_any(patterns: Iterable[str], named: Named, fits: Fits) -> bool:
    """Return whether anything that a call names is matched by a pattern."""
    return not patterns or any(_fits_one(patterns, value, fits) for value in named.values)


def _fits_one(patterns: Iterable[str], value: str, fits: Fits) -> bool:
    return any(fits(pattern, value) for pattern in patterns)


def _as_it_stands(fits: Fits) -> Fits:
    return fits


def _is_open(patterns: Iterable[str]) -> bool:
    """Return whether a condition leaves no value out."""
    patterns = tuple(patterns)
    return not patterns or any(pattern in MATCH_ALL for pattern in patterns)


def _are_within(patterns: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Return whether each pattern, and there is one, certainly lies within one of the others."""
    return bool(patterns) and all(
        any(is_within(pattern, other) for other in others) for pattern in patterns
    )
