"""Learned rules: the narrowest rule that covers a step that a person approved, and writing it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

from filelock import FileLock

from okso_jupyter import private_files
from okso_jupyter.effects.effect import Effect
from okso_jupyter.errors import PolicyError
from okso_jupyter.plan.approval_scope import ApprovalScope
from okso_jupyter.policies.call_facts import CallFacts
from okso_jupyter.policies.policy_file import read_rules
from okso_jupyter.policies.policy_rule import CONDITIONS, PolicyRule
from okso_jupyter.policies.policy_rules import read_content, user_file
from okso_jupyter.toolkit.tool import Tool

_WILD: Final = re.compile(r"[*?\[]")
_LOCK_TIMEOUT_S: Final = 10.0
#: Most characters of an argument that a rule repeats.
_MOST_CHARS: Final = 200


def why_never(scope: ApprovalScope) -> str:
    """Return why no rule may allow such a step; empty if one may."""
    if Effect.IRREVERSIBLE in scope.effects:
        return "it cannot be undone"
    if Effect.UNDECLARED in scope.effects:
        return "its effects are not declared"
    if scope.losses:
        return f"it discards what is in {', '.join(scope.losses)}"
    if scope.step.open_args:
        return f"{', '.join(scope.step.open_args)} was not known when it was approved"
    return "only a person may decide about it" if scope.needs_person else ""


def narrowest(facts: CallFacts, tool: Tool) -> PolicyRule | None:
    """Return the narrowest rule that allows a call; None if nothing but its tool is certain.

    It names the tool, effects, paths, hosts, command line and origins of the call as they are, and
    every argument that is neither a path or address nor a text.

    Args:
        facts: The facts of the call.
        tool: Its tool.
    """
    exact = _exact(facts, tool)
    if any(sum(map(len, texts)) > _MOST_CHARS or not all(texts) for texts in exact.values()):
        return None  # too long to be read in a rule, or no pattern matches it
    rule = PolicyRule(
        decision="allow",
        tool=(_escaped(facts.tool),),
        effect=tuple(sorted(facts.effects)),
        path=tuple(map(_escaped, facts.paths.values)),
        host=facts.hosts.values,
        command=tuple(map(_line, facts.commands.values)),
        origin=tuple(sorted(facts.origins)),
        args=exact,
    )
    is_narrow = rule.path or rule.host or rule.command or rule.args
    return rule if is_narrow and rule.matches(facts) else None


def _exact(facts: CallFacts, tool: Tool) -> Mapping[str, tuple[str, ...]]:
    """Return globs of the arguments that no other condition covers."""
    told = {*facts.paths.values}
    return {
        name: tuple(map(_escaped, texts))
        for name, texts in facts.args.items()
        if any(texts) and tool.properties.get(name, {}).get("x-ground") != "text"
        if not set(texts) <= told and not (facts.commands.values and name in {"command", "args"})
    }


def _escaped(text: str) -> str:
    """Return a glob that matches exactly a text."""
    return _WILD.sub(lambda found: f"[{found[0]}]", text)


def _line(line: str) -> str:
    """Return a pattern of a whole command line; one of a single word has no further words."""
    return _escaped(line) if " " in line else f"{_escaped(line)} "


def as_toml(rule: PolicyRule) -> str:
    """Return a rule as it stands in a policy file."""
    lines = [f"[[rule]]\ndecision = {_text(rule.decision)}"]
    lines += [
        f"{name} = [{', '.join(map(_text, patterns))}]"
        for name in CONDITIONS
        if (patterns := getattr(rule, name))
    ]
    if rule.args:
        globs = (f"{_text(n)} = [{', '.join(map(_text, v))}]" for n, v in rule.args.items())
        lines.append(f"args = {{ {', '.join(globs)} }}")
    if rule.reason:
        lines.append(f"reason = {_text(rule.reason)}")
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    """Return a text as a string of TOML."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def add(rule: PolicyRule) -> PolicyRule:
    """Write a rule to the end of the user's policy file and return it as it stands there.

    Raises:
        PolicyError: The file has an error, cannot be written, or already has a rule that leaves
            nothing for this one.
    """
    file = user_file().resolve()
    try:
        private_files.make_folder(file.parent)
        with FileLock(file.with_name(f"{file.name}.lock"), timeout=_LOCK_TIMEOUT_S, mode=0o600):
            known = read_content(file) or b""
            gap = b"" if not known else b"\n" if known.endswith(b"\n") else b"\n\n"
            content = known + gap + as_toml(rule).encode()
            added = read_rules(content, str(file))[-1]
            private_files.replace(file, content)
    except OSError as error:  # a lock that is held for too long is one, too
        msg = f"{file} cannot be written: {error.strerror or error}"
        raise PolicyError(msg, hint="make it writable") from error
    return added
