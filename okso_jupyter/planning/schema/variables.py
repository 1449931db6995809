"""Notebook tables passed to Python: planned as if they were files, then written as variables.

The examples work on tables in files. So while a request is compared with them, a DataFrame
`sales` is written as the file sales.csv; afterwards the variable replaces the code that would
read the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from okso_jupyter.plan.run_inputs import RunInputs
from okso_jupyter.planning.examples.index import Match
from okso_jupyter.planning.request import wording
from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.toolkit.tool import Example, Tool

_SUFFIX: Final = ".csv"
#: Maximum characters of a variable's text that a plan may hold.
_MAX_TEXT: Final = 2000
_TABULAR = re.compile(r"(?i)\b(?:rows?|columns?|table|dataframe)\b")
_PRINTS = re.compile(r"\bprint\((.+)\)$")
_READS: Final = r"\bpd\.read_(?:csv|table)\('({names})'\)"


@dataclass(frozen=True, slots=True)
class Variables:
    """The notebook variables of one request.

    Attributes:
        data: The inputs and outputs of Python steps.
    """

    data: RunInputs

    @property
    def tables(self) -> Mapping[str, tuple[str, ...]]:
        """Columns of every table, by the name of the file that represents it."""
        return {
            value.name + _SUFFIX: tuple(column for column, _ in value.columns)
            for value in self.data.inputs
            if value.columns
        }

    @property
    def words(self) -> str:
        """All variables in words, for the model."""
        return "; ".join(self._said())

    def _said(self) -> Iterator[str]:
        for value in self.data.inputs:
            columns = f", columns {value.column_words}" if value.columns else ""
            yield f"{value.name} is a {value.kind}, {value.shape or 'one value'}{columns}"
        if self.data.outputs:
            yield f"the results go into {', '.join(self.data.outputs)}"

    def as_files(self, request: str, whole: str) -> str:
        """Return a request, or a part of one, with table names replaced by file names.

        A request about columns or rows need not name the table if there is only one.

        Args:
            request: The request or part.
            whole: The whole request.
        """
        named = re.compile(rf"(?<![\w.])({self._names('')})(?![\w.]*\w)")
        if not self.tables:
            return request
        if not named.search(whole) and self._is_meant_by(request, whole):
            body = request.rstrip("?.! \n")
            return f"{body} in {next(iter(self.tables))}{request[len(body) :]}"
        return named.sub(lambda match: match[1] + _SUFFIX, request)

    def _is_meant_by(self, request: str, whole: str) -> bool:
        """Return whether a request that names no table is about the only table."""
        if len(self.tables) > 1 or wording.paths(whole):
            return False
        columns = next(iter(self.tables.values()))
        return bool(wording.columns_named(request, columns) or _TABULAR.search(request))

    def as_variables(self, match: Match) -> Match:
        """Return an example with notebook variables in its request and code instead of files.

        If there is exactly one output variable, the code also assigns to it what it prints.
        """
        request = match.example.request
        for table in self.tables:
            request = request.replace(table, table.removesuffix(_SUFFIX))
        args = {
            name: self._code(value) if isinstance(value, str) else value
            for name, value in match.example.args.items()
        }
        return replace(match, example=Example(request, args))

    def _code(self, code: str) -> str:
        """Return an example's code in terms of the notebook's variables."""
        if self.tables:
            reads = re.compile(_READS.format(names=self._names(_SUFFIX)))
            code = reads.sub(lambda found: found[1].removesuffix(_SUFFIX), code)
        if len(self.data.outputs) == 1:
            wanted = self.data.outputs[0]
            code = _PRINTS.sub(lambda found: f"{wanted} = {found[1]}; print({wanted})", code)
        return code

    def readers(self, facts: Facts, tools: Mapping[str, Tool]) -> frozenset[str]:
        """Return the tools that take code if a request is only about notebook tables, else none."""
        if not facts.files or not set(facts.files) <= set(self.tables):
            return frozenset()
        return frozenset(
            name
            for name, tool in tools.items()
            if any(part.get("x-ground") == "code" for part in tool.properties.values())
        )

    def with_texts(self, facts: Facts) -> Facts:
        """Return facts with the names of texts given beside the request replaced by the texts.

        A text too long for a plan is left out.
        """
        texts = {v.name: v.text for v in self.data.inserted if v.is_beside and v.is_text}
        named = (texts.get(quote, quote) for quote in facts.quotes)
        return replace(facts, quotes=tuple(text for text in named if len(text) <= _MAX_TEXT))

    def without_files(self, facts: Facts) -> Facts:
        """Return facts without the tables among the files: only Python can read them."""
        files = tuple(file for file in facts.files if file not in self.tables)
        return replace(facts, files=files)

    def _names(self, suffix: str) -> str:
        """Return the tables' names as alternatives of a pattern."""
        names = (table.removesuffix(_SUFFIX) + suffix for table in self.tables)
        return "|".join(re.escape(name) for name in names)
