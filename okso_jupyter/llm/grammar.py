"""A JSON Schema as a GBNF grammar of texts without blanks, by llama-cpp-python's converter.

A server that converts a schema itself lets its model write blanks between the values, which takes
up to half of the tokens. What a grammar leaves out, such as the least number, its reader judges.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from okso_jupyter.llm.bindings import SchemaConverter

#: A character of a JSON string: no control character may stand there.
_CHARACTER: Final = r'[^"\\\x7F\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4})'
#: Keywords of texts that the converter reads itself.
_OTHER_TEXTS: Final = frozenset({"const", "enum", "format", "pattern"})
#: A set of characters in a pattern, or one escaped character outside of such a set.
_SET_OR_ESCAPED: Final = re.compile(r"\[(?:\\.|[^\]\\])*\]|\\(?P<escaped>.)", re.DOTALL)
#: Characters that mean something else without the backslash, beside letters and digits.
_SPECIAL: Final = frozenset('\\^$.[](){}|*+?"')
#: How the converter says that it cannot read a schema.
_UNREAD: Final = (AssertionError, AttributeError, LookupError, TypeError, ValueError)


def grammar_of(schema: Mapping[str, Any]) -> str | None:
    """Return the grammar of the texts that a schema allows; None if it cannot be converted."""
    converter = _Compact()
    try:
        whole = converter.resolve_refs(json.loads(json.dumps(schema)), "")
        converter.visit(whole, "")
    except (*_UNREAD, RecursionError):  # the last: too deeply nested
        return None
    return converter.grammar()


class _Compact(SchemaConverter):  # type: ignore[misc,unused-ignore]  # it is untyped
    """The converter, with every value as compact JSON has it."""

    def __init__(self) -> None:
        super().__init__(prop_order={}, allow_fetch=False, dotall=False, raw_pattern=False)
        self._rules["space"] = '""'
        self._named: dict[str, str] = {}

    def grammar(self) -> str:
        """Return the rules of what was visited."""
        if "char" in self._rules:
            self._rules["char"] = _CHARACTER
        return str(self.format_grammar())

    def visit(self, schema: Mapping[str, Any], name: str) -> str:
        """Return the name of a schema's rule; a text of many characters is one repetition."""
        if isinstance(schema.get("pattern"), str):
            schema = {**schema, "pattern": _SET_OR_ESCAPED.sub(_bare, schema["pattern"])}
        if schema.get("type") != "string" or schema.keys() & _OTHER_TEXTS:
            return str(super().visit(schema, name))
        self._rules["char"] = _CHARACTER
        least, most = schema.get("minLength", 0), schema.get("maxLength", "")
        return str(self._add_rule(name or "root", rf'"\"" char{{{least},{most}}} "\""'))

    def _resolve_ref(self, ref: str) -> str:
        if ref not in self._named:
            self._named[ref] = f"ref-{len(self._named)}"  # a definition may hold itself
            self._named[ref] = self.visit(self._refs[ref], self._named[ref])
        return self._named[ref]

    def _generate_constant_rule(self, value: object) -> str:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return self._format_literal(text)

    def _format_literal(self, literal: str) -> str:
        return str(super()._format_literal(literal.replace("\\", "\\\\")))


def _bare(found: re.Match[str]) -> str:
    """Return a character without a backslash that it does not need: a grammar knows none there."""
    one = found["escaped"]
    if one in {".", "$"}:  # the converter leaves these as they are
        return f"[{one}]"
    return found[0] if not one or one.isalnum() or one in _SPECIAL else one
