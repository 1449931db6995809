"""Files that ship with the package: schemas, workflows and prompts.

`schemas/` and `workflows/` at the top of the checkout are the sources; an installed wheel carries
the same files inside the package. A prompt is a text with `${name}` placeholders; a missing or
unused name is an error, so a prompt and its caller cannot drift apart.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from okso_jupyter.errors import DocumentError
from okso_jupyter.jsonschema_import import load_jsonschema

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator


def folder(name: str) -> Path:
    """Return a folder of shipped files: in the wheel, else in the checkout.

    Args:
        name: "schemas", "workflows" or "prompts".
    """
    package = Path(__file__).resolve().parent
    packaged = package / name
    return packaged if packaged.is_dir() else package.parent / name


@cache
def schema(name: str) -> dict[str, Any]:
    """Return one JSON Schema from `schemas/`.

    Args:
        name: File name, such as "planner_plan.schema.json".
    """
    document: dict[str, Any] = json.loads((folder("schemas") / name).read_text("utf-8"))
    return document


def schema_names() -> list[str]:
    """Return the names of all schemas, sorted."""
    return sorted(
        entry.name for entry in folder("schemas").iterdir() if entry.name.endswith(".schema.json")
    )


@cache
def _validator(name: str) -> Validator:
    return validator_for(schema(name))


def validator_for(document: dict[str, Any]) -> Validator:
    """Return a validator for a JSON Schema.

    Raises:
        DocumentError: The document is not a JSON Schema.
    """
    import referencing  # noqa: PLC0415  comes with jsonschema

    fault = _fault(_Schema(repr(document), document))
    if fault:
        msg = f"not a JSON Schema: {fault}"
        raise DocumentError(msg)
    # an empty registry: an external reference is an error and never a network request
    validator: Validator = _kind_of(document)(document, registry=referencing.Registry())
    return validator


@dataclass(frozen=True, slots=True)
class _Schema:
    """A schema as a cache key: equal if written alike, which tells a tuple from a list."""

    text: str
    document: dict[str, Any] = field(compare=False, repr=False)


@lru_cache(maxsize=256)  # the tools of a session are declared again at every cell
def _fault(schema: _Schema) -> str:
    """Return why a document is not a JSON Schema; empty if it is one."""
    try:
        _kind_of(schema.document).check_schema(schema.document)
    except load_jsonschema().SchemaError as error:
        return str(error.message)
    return ""


def _kind_of(document: dict[str, Any]) -> Any:  # noqa: ANN401  jsonschema creates these classes
    """Return the class of validators for a schema's dialect."""
    jsonschema = load_jsonschema()
    return jsonschema.validators.validator_for(document, default=jsonschema.Draft202012Validator)


def unusable(validator: Validator) -> str:
    """Return why a validator cannot check anything (its references dangle or loop), else ""."""
    import referencing  # noqa: PLC0415  see validator_for

    try:
        next(validator.iter_errors({}), None)
    except RecursionError:
        return "it refers to itself without end"
    except referencing.exceptions.Unresolvable as error:
        return str(error)
    return ""


def first_violation(schema_name: str, document: Any) -> ValidationError | None:  # noqa: ANN401
    """Return the most relevant violation of a schema by a document, or None."""
    return best_violation(_validator(schema_name), document)


def best_violation(validator: Validator, document: Any) -> ValidationError | None:  # noqa: ANN401
    """Return the most relevant violation, or None; the validator comes from `validator_for`."""
    found: ValidationError | None = load_jsonschema().exceptions.best_match(
        validator.iter_errors(document)
    )
    return found


def prompt(name: str, **values: str) -> str:
    """Fill a prompt from `okso_jupyter/prompts/`.

    Args:
        name: File name without ".md".
        values: A text for every `${name}` in the file, and no others.

    Raises:
        DocumentError: A name is missing or unused, or the file is not a valid prompt.
    """
    template = _template(name)
    wanted = set(template.get_identifiers())
    if wanted != set(values):
        msg = f"prompt {name}: it has {sorted(wanted)} and was given {sorted(values)}"
        raise DocumentError(msg)
    return template.substitute(values)


@cache
def _template(name: str) -> Template:
    try:
        text = (folder("prompts") / f"{name}.md").read_text("utf-8")
    except OSError as error:
        msg = f"prompt {name}: the file cannot be read: {error.strerror}"
        raise DocumentError(msg) from error
    template = Template(text.rstrip("\n"))
    if not template.is_valid():
        msg = f"prompt {name}: a dollar sign begins no placeholder; write $$ for the sign itself"
        raise DocumentError(msg)
    return template
