"""Notebook variables that are passed into the sandbox, and those that are returned.

They are encoded once, before planning: the approved values are the ones passed in.
"""

from __future__ import annotations

import builtins
import hashlib
import json
import keyword
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Self

from okso_jupyter.errors import JournalError, UsageError
from okso_jupyter.plan.run_inputs import InputVariable, RunInputs, TemplateVariable
from okso_jupyter.sandbox import value_codec
from okso_jupyter.sandbox.value_codec import MAX_VALUE_BYTES
from okso_jupyter.tables.foreign_tables import as_pandas
from okso_jupyter.tables.value_tables import columns_of, table_of

_MAX_NAME_CHARS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookVariables:
    """The input and output variables of a run's sandbox.

    Attributes:
        bodies: The encoded values by name.
        data: Descriptions of them for display, and the names of the output variables.
        tables: Those that are tables, as encoded frames.
    """

    bodies: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, repr=False)
    data: RunInputs = field(default_factory=RunInputs)
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, repr=False)

    @property
    def sources(self) -> Mapping[str, Mapping[str, Any]]:
        """The encoded values by name, as frames where they are tables."""
        return {**self.bodies, **self.tables}

    def columns(self) -> dict[str, tuple[str, ...]]:
        """Return the names of the columns of each table, by its variable."""
        known = {value.name: value.columns for value in self.data.inputs}
        return {
            name: tuple(column for column, _ in known[name]) or columns_of(table)
            for name, table in self.tables.items()
            if known[name] or self.bodies[name]["kind"] != "frame"
        }

    def beside(self, inserted: tuple[TemplateVariable, ...]) -> Self:
        """Return a copy that also holds the values inserted into the request."""
        return replace(self, data=replace(self.data, inserted=inserted))


def pack(
    inputs: Mapping[str, object] | None = None,
    outputs: Iterable[str] = (),
    *,
    also: Mapping[str, object] | None = None,
) -> NotebookVariables:
    """Encode values for the sandbox.

    Args:
        inputs: Values by their variable name in the code.
        outputs: Names of the variables to return after the run.
        also: Values that may go too; one that cannot is left out.

    Raises:
        UsageError: A name is not a plain variable name, or a value cannot be encoded.
    """
    if isinstance(outputs, str):
        msg = f"outputs is the text {outputs!r}, not a list of names"
        raise UsageError(msg, hint=f"write outputs=[{outputs!r}]")
    wanted = tuple(dict.fromkeys(outputs))
    for name in (*(inputs or {}), *wanted):
        check_name(name)
    packed = {name: _packed(name, value) for name, value in (inputs or {}).items()}
    for name, value in (also or {}).items():
        if name not in packed:
            with suppress(UsageError):
                check_name(name)
                packed[name] = _packed(name, value)
    bodies = {name: body for name, (body, _) in packed.items()}
    found = {name: table_of(name, body) for name, body in bodies.items()}
    return NotebookVariables(
        bodies=bodies,
        tables={name: table for name, table in found.items() if table is not None},
        data=RunInputs(inputs=tuple(shown for _, shown in packed.values()), outputs=wanted),
    )


def check_name(name: object) -> None:
    """Raise UsageError if a name is not a plain variable name."""
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
        msg = f"{name!r} is not the name of a variable"
    elif name.startswith("_"):
        msg = f"{name} is a private name"
    elif hasattr(builtins, name):
        msg = f"{name} would hide Python's own {name}"
    elif len(name) > _MAX_NAME_CHARS:
        msg = f"{name[:20]}... is longer than {_MAX_NAME_CHARS} characters"
    else:
        return
    msg += ", so it cannot be handed to python_repl or taken back"
    raise UsageError(msg, hint="use a plain name, such as sales")


def described(name: str, value: object, body: Mapping[str, Any]) -> InputVariable:
    """Return the description of a value for display.

    Args:
        name: Its name.
        value: The value.
        body: The encoded value.
    """
    text = json.dumps(body)
    kind, shape, columns = value_codec.described(value)
    return InputVariable(
        name=name,
        kind=kind,
        shape=shape,
        size_bytes=len(text),
        sha256=hashlib.sha256(text.encode("ascii")).hexdigest(),
        columns=tuple(columns),
    )


def _packed(name: str, value: object) -> tuple[dict[str, Any], InputVariable]:
    """Return the encoded value and its description."""
    value = as_pandas(name, value)
    _check_size(name, value_codec.least_bytes(value))
    try:
        body = value_codec.encode(value)
        shown = described(name, value, body)
    except value_codec.ValueCodecError as error:
        msg = f"{name} cannot be handed to python_repl: {error}"
        hint = "tables, Series, arrays and JSON values can go; convert it, or save it as a file"
        raise UsageError(msg, hint=hint) from error
    _check_size(name, shown.size_bytes)
    return body, shown


def _check_size(name: str, size_bytes: int) -> None:
    if size_bytes > MAX_VALUE_BYTES:
        msg = (
            f"{name} is too big for python_repl: {size_bytes} bytes or more,"
            f" and MAX_VALUE_BYTES is {MAX_VALUE_BYTES}"
        )
        raise UsageError(msg, hint="hand in fewer rows or columns, or save it as a file")


def taken_back(name: str, file: str, sha256: str) -> object:
    """Load a variable that was taken back; its file must be unchanged.

    Args:
        name: The variable.
        file: File that holds its value.
        sha256: Hash of the file when it was written.

    Raises:
        JournalError: The file is missing or was changed.
    """
    try:
        text = Path(file).read_text("ascii")
    except OSError as error:
        msg = f"{name} cannot be read: {error}"
        raise JournalError(msg) from error
    if hashlib.sha256(text.encode("ascii")).hexdigest() != sha256:
        msg = f"{file} is not what the run wrote"
        raise JournalError(msg)
    return value_codec.decode(json.loads(text))
