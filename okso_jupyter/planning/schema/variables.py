"""Tables of the notebook that Python gets: planned as files are, then written as variables.

The examples know how to work on a table in a file. So for as long as a request is compared with
them, a DataFrame `sales` is the file sales.csv, and at the end the code that would read the file
is the variable.
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
#: Longest text of a variable that a plan may hold.
_MAX_TEXT: Final = 2000
_TABULAR = re.compile(r"(?i)\b(?:rows?|columns?|table|dataframe)\b")
_PRINTS = re.compile(r"\bprint\((.+)\)$")
_READS: Final = r"\bpd\.read_(?:csv|table)\('({names})'\)"


@dataclass(frozen=True, slots=True)
class Variables:
    """The variables of one request.

    Attributes:
        data: What Python gets.
    """

    data: RunInputs

    @property
    def tables(self) -> Mapping[str, tuple[str, ...]]:
        """Columns of every table, by the file it stands for."""
        return {
            value.name + _SUFFIX: tuple(column for column, _ in value.columns)
            for value in self.data.inputs
            if value.columns
        }

    @property
    def words(self) -> str:
        """All of them in words, for the model."""
        return "; ".join(self._said())

    def _said(self) -> Iterator[str]:
        for value in self.data.inputs:
            columns = f", columns {value.column_words}" if value.columns else ""
            yield f"{value.name} is a {value.kind}, {value.shape or 'one value'}{columns}"
        if self.data.outputs:
            yield f"the results go into {', '.join(self.data.outputs)}"

    def as_files(self, request: str, whole: str) -> str:
        """Return a request, or a part of one, with a file in the place of every table.

        The only table there is may stay unsaid where the request speaks of its columns.

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
        """Say whether a request that names no table is about the only one there is."""
        if len(self.tables) > 1 or wording.paths(whole):
            return False
        columns = next(iter(self.tables.values()))
        return bool(wording.columns_named(request, columns) or _TABULAR.search(request))

    def as_variables(self, match: Match) -> Match:
        """Return an example whose request and code have the variables of the notebook.

        Tables are no files any more, and what the code prints is kept in the variable that is
        wanted back, if it is one.
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
        """Return the tools that take code, if a request is about tables of the notebook alone."""
        if not facts.files or not set(facts.files) <= set(self.tables):
            return frozenset()
        return frozenset(
            name
            for name, tool in tools.items()
            if any(part.get("x-ground") == "code" for part in tool.properties.values())
        )

    def with_texts(self, facts: Facts) -> Facts:
        """Return facts in which a text that stands beside the request is in its name's place.

        One that is too long to be written by a model is no value that a plan could hold.
        """
        texts = {v.name: v.text for v in self.data.inserted if v.is_beside and v.is_text}
        named = (texts.get(quote, quote) for quote in facts.quotes)
        return replace(facts, quotes=tuple(text for text in named if len(text) <= _MAX_TEXT))

    def without_files(self, facts: Facts) -> Facts:
        """Return facts in which the tables are no files: no tool but Python can read them."""
        files = tuple(file for file in facts.files if file not in self.tables)
        return replace(facts, files=files)

    def _names(self, suffix: str) -> str:
        """Return the tables' names as alternatives of a pattern."""
        names = (table.removesuffix(_SUFFIX) + suffix for table in self.tables)
        return "|".join(re.escape(name) for name in names)
