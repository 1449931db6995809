"""Reader of `okso-policy.toml`: rules, or an error that names the line; nothing is guessed."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter import assets
from okso_jupyter.errors import PolicyError
from okso_jupyter.policies.policy_rule import CONDITIONS, PolicyRule

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

NAME: Final = "okso-policy.toml"
MAX_BYTES: Final = 65_536
_SCHEMA: Final = "okso_policy.schema.json"
_HINT: Final = "until the file is corrected or removed, nothing runs; docs/policies.md shows rules"


def read_rules(content: bytes, file: str) -> tuple[PolicyRule, ...]:
    """Return the rules of a policy file, in order.

    Args:
        content: The content of the file.
        file: Its name, as shown in errors and beside its rules.

    Raises:
        PolicyError: It is not TOML, breaks the schema, or has a rule that allows every call or
            can never decide; the message names file and line.
    """
    text = _text_of(content, file)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _error(file, 0, f"is not TOML: {error}") from error
    except RecursionError as error:
        raise _error(file, 0, "is nested too deeply") from error
    violation = assets.first_violation(_SCHEMA, document)
    if violation is not None:
        path = list(violation.absolute_path)
        raise _error(file, _line_of(text, [*path, *_strangers(violation)[:1]]), _words(violation))
    rules = [
        _rule(table, file, _line_of(text, ["rule", place]))
        for place, table in enumerate(document.get("rule", ()))
    ]
    _check(rules, file)
    return tuple(rules)


def _text_of(content: bytes, file: str) -> str:
    """Return the text of a policy file."""
    if len(content) > MAX_BYTES:
        raise _error(file, 0, f"is longer than {MAX_BYTES:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _error(file, 0, "is not UTF-8 text") from error


def _rule(table: Mapping[str, Any], file: str, line: int) -> PolicyRule:
    """Return the rule that a table of the file holds."""
    return PolicyRule(
        decision=table["decision"],
        **{name: _listed(table.get(name, ())) for name in CONDITIONS},
        args={name: _listed(globs) for name, globs in table.get("args", {}).items()},
        when=table.get("when", ""),
        reason=table.get("reason", ""),
        file=file,
        line=line,
    )


def _listed(patterns: str | Sequence[str]) -> tuple[str, ...]:
    return (patterns,) if isinstance(patterns, str) else tuple(patterns)


def _check(rules: Sequence[PolicyRule], file: str) -> None:
    """Refuse rules whose effect cannot be what their author meant.

    Raises:
        PolicyError: A rule allows every call, allows the trifecta, names a path above its folder,
            or can never decide.
    """
    for rule in rules:
        if rule.decision == "allow" and rule.when:
            raise _error(file, rule.line, f'this rule allows {rule.when}: "when" asks or denies')
        if rule.decision == "allow" and rule.is_for_every_call:
            what = "this rule allows every call: name tools, paths, hosts or commands"
            raise _error(file, rule.line, what)
        above = next((path for path in rule.path if ".." in path.split("/")), "")
        if above:
            raise _error(file, rule.line, f"the path {above!r} leads upwards: write where it leads")
    for earlier, later in combinations(rules, 2):
        if earlier.leaves_nothing_for(later):
            raise _error(file, later.line, _never(earlier, later))


def _never(earlier: PolicyRule, later: PolicyRule) -> str:
    """Return why a rule can never decide."""
    first = f"the rule in line {earlier.line} ({earlier})"
    if earlier.decision != later.decision:
        return f"this rule ({later}) contradicts {first}, which comes first and always decides"
    return f"this rule ({later}) never decides, since {first} already does: remove one of them"


def _error(file: str, line: int, what: str) -> PolicyError:
    place = f"{file}, line {line}: " if line else f"{file} "
    return PolicyError(f"{place}{what}", hint=_HINT)


def _strangers(violation: ValidationError) -> list[str]:
    """Return the keys that the schema does not know."""
    if violation.validator != "additionalProperties":
        return []
    schema: Any = violation.schema
    value: Any = violation.instance
    return sorted(value.keys() - schema["properties"].keys())


def _words(violation: ValidationError) -> str:
    """Return what breaks the schema, with the nearest word that would not."""
    schema: Any = violation.schema
    value: Any = violation.instance
    for key in _strangers(violation):
        known = [name for name in schema["properties"] if name not in value]
        return f"there is no {key!r} in a policy{_near(key, known)}"
    if violation.validator == "required":
        return 'this rule has no decision: write decision = "allow", "ask" or "deny"'
    path = reversed(violation.absolute_path)
    name = next((part for part in path if isinstance(part, str)), "")
    if violation.validator == "enum":
        return f"{name} = {value!r} is unknown{_near(str(value), schema['enum'])}"
    if violation.validator == "type":
        return f"{name} = {value!r} is neither a text nor a list of texts"
    return f"{name}: {violation.message}"


def _near(word: str, known: Sequence[str]) -> str:
    """Return the word that was probably meant, or all that are known."""
    near = difflib.get_close_matches(word.lower(), known, n=1)
    return f": did you mean {near[0]}?" if near else f": there are {', '.join(known)}"


def _line_of(text: str, path: Sequence[str | int]) -> int:
    """Return the first line by whose end a part of the document is there; 1 if none is.

    The lines before an error are read again, one more at a time: the reader of TOML does not tell
    where a value stood.
    """
    lines = text.splitlines(keepends=True)
    for count in range(1, len(lines) + 1):
        try:
            document = tomllib.loads("".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue
        if _is_in(document, path):
            return count
    return 1


def _is_in(document: Any, path: Sequence[str | int]) -> bool:  # noqa: ANN401  any TOML value
    """Return whether a document has a part at this path."""
    for part in path:
        try:
            document = document[part]
        except (KeyError, IndexError, TypeError):
            return False
    return True
