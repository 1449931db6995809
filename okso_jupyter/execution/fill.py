"""Filler: fills open arguments from observations with one constrained question to the model.

The model chooses among observed values: whole outputs, their lines, numbers and addresses, and
what the request itself names. It fills open slots and nothing else.
"""

from __future__ import annotations

import csv
import io
import json
import posixpath
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from okso_jupyter import assets
from okso_jupyter.errors import ModelError
from okso_jupyter.execution.model_calls import ModelCalls, Question
from okso_jupyter.execution.open_arguments import is_empty, longest, offer_for, restored
from okso_jupyter.execution.run_transcript import (
    beginnings,
    calls_in_brief,
    pages_in_brief,
    within_budget,
)
from okso_jupyter.journal.events import ArgumentsFilled
from okso_jupyter.llm.protocol import Completion
from okso_jupyter.log import LOGGER
from okso_jupyter.personal.mail.mail_addresses import addresses_in as addresses_in_request
from okso_jupyter.plan.holes import fits, is_mark, is_open
from okso_jupyter.plan.plan import Plan, Step, outline
from okso_jupyter.plan.records import Observation
from okso_jupyter.redaction.redactor import Redactor
from okso_jupyter.toolkit.schema_types import NUMBERS, valued_types
from okso_jupyter.toolkit.steering import steers
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.web.addresses import addresses_in

_SCHEMA: Final = "argument_fill.schema.json"
_MAX_TOKENS: Final = 256
_MAX_VALUES: Final = 40
#: Maximum length of an output's beginning that is offered and shown for the whole output.
_MAX_VALUE_CHARACTERS: Final = 2000
#: A number as people write it; longer digit sequences are not quantities.
_NUMBER = re.compile(r"(?<![0-9])-?[0-9]{1,15}(?:\.[0-9]{1,15})?(?![0-9])")
_QUOTED = re.compile(r"'([^'\n]+)'|\"([^\"\n]+)\"")
#: Suffixes of files that a table is written into as delimited text.
_SEPARATORS: Final = {".csv": ",", ".tsv": "\t"}
_SEVERAL: Final = 2
#: The only kind of argument that is filled with a tool's output without asking a model.
_PLAIN_TEXT: Final = "text"
#: The kind that is filled only with an observed address, or stays open.
_ADDRESS: Final = "url"
#: The kind that is filled only with a mail address of the request, whatever was observed.
_RECIPIENT: Final = "address"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A step with its arguments filled.

    Attributes:
        args: All arguments.
        tainted: Names of the arguments whose value came from an observation and controls what a
            tool does: a command, path, address, query or code, or a text that goes into a file
            which is run later. They need a new approval.
        left_open: Names of the arguments without a value.
        sources: Ids of the steps whose output the values came from.
    """

    args: Mapping[str, Any]
    left_open: tuple[str, ...] = ()
    tainted: tuple[str, ...] = ()
    sources: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Filler:
    """Fills open arguments."""

    model_calls: ModelCalls

    def fill(
        self,
        step: Step,
        tool: Tool,
        observations: Sequence[Observation],
        wrong: Observation | None = None,
        plan: Plan | None = None,
    ) -> Filled:
        """Return the step's arguments, with open ones filled where a value was found.

        A required argument that the plan left out counts as open. MISSING_POLICY decides about
        those that stay open; without a model, only an awaited output is copied into a text.

        Args:
            step: The step.
            tool: Its tool.
            observations: The observations that values may come from, in order.
            wrong: The last attempt at this step if it failed because of its arguments: shown to
                the model, but not a source of values.
            plan: The plan of the step; a server is told its outline.
        """
        missing = {name: "" for name in tool.required if name not in step.args}
        args = {**missing, **step.args}
        wanted = (*missing, *step.open_args)
        if not wanted:
            return Filled(args=args)
        handed_on = _handed_on(step, tool, wanted, observations)
        if _awaits_part_of_table(step, observations):
            return Filled(args=args, left_open=wanted)  # a file would seem to hold all rows
        args |= handed_on
        wanted = tuple(name for name in wanted if name not in handed_on)
        if handed_on:
            self._note(step, handed_on, frozenset(step.depends_on))
        offers = self._offers(tool, {name: args[name] for name in wanted}, observations)
        shown = [*observations, *([] if wrong is None else [wrong])]
        asked = _Asked(self.model_calls.asked, step, tool, plan, shown)
        answered = self._answers(asked, offers, observations) if offers else {}
        found = {**handed_on, **answered}
        args |= answered
        return Filled(
            args=args,
            left_open=tuple(name for name in wanted if name not in answered),
            tainted=tuple(name for name in found if steers(tool, name, args)),
            sources=_sources(answered.values(), observations)
            | frozenset(step.depends_on if handed_on else ()),
        )

    def _answers(
        self,
        asked: _Asked,
        offers: Mapping[str, Mapping[str, Any]],
        observations: Sequence[Observation],
    ) -> dict[str, Any]:
        """Return the values that the model chose from the offers, by argument."""
        step, tool = asked.step, asked.tool
        try:
            completion = self._ask(asked, offers)
        except ModelError as error:
            LOGGER.warning("arguments stay open", extra={"detail": str(error)})
            return {}
        given = _object(completion.text)
        raw = _as_observed(observations, self.model_calls.redactor)
        chosen = {name: restored(given.get(name), raw) for name in offers}
        # not every server enforces the schema
        closed = {n for n in offers if tool.properties.get(n, {}).get("x-ground") == _ADDRESS}
        answered = {
            name: value
            for name, value in chosen.items()
            if not is_open(value) and not (name in closed and value not in offers[name]["enum"])
            if _keeps(step, name, value)
        }
        self._note(step, answered, _sources(answered.values(), observations))
        return answered

    def _note(self, step: Step, filled: Mapping[str, Any], sources: frozenset[int]) -> None:
        """Record the filled values and the steps whose output they came from."""
        values = ArgumentsFilled(step_id=step.id, filled=filled, sources=tuple(sorted(sources)))
        self.model_calls.recorder.record(values)

    def _offers(
        self, tool: Tool, wanted: Mapping[str, object], observations: Sequence[Observation]
    ) -> dict[str, dict[str, Any]]:
        """Return the schema of each open argument's possible values; omit those without any."""

        def narrow(schema: Mapping[str, Any]) -> dict[str, Any]:
            return _narrowed(schema, observations, self.model_calls.request)

        found = {
            name: offer_for(planned, tool.properties.get(name, {}), narrow)
            for name, planned in wanted.items()
        }
        return {name: offer for name, offer in found.items() if not is_empty(offer)}

    def _ask(self, asked: _Asked, offers: Mapping[str, Mapping[str, Any]]) -> Completion:
        schema = _schema(offers)
        max_tokens = max(_MAX_TOKENS, _longest(schema))

        def prompt(make: Callable[[str], str]) -> str:
            # in the budget's measure: `_longest` counts one token per character
            tokens = max(_MAX_TOKENS, max_tokens // 4)
            brief = beginnings(pages_in_brief(asked.shown), _MAX_VALUE_CHARACTERS)
            return within_budget(make, brief, self.model_calls.settings, max_tokens=tokens)

        question = Question(
            text=prompt(lambda shown: asked.brief(offers, shown)),
            served=prompt(lambda shown: asked.in_full(offers, shown)),
            schema=schema,
            max_tokens=max_tokens,
            step_id=asked.step.id,
        )
        return self.model_calls.ask(question)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the question about the open arguments of a step is made of.

    Attributes:
        request: The request in plain words.
        step: The step.
        tool: Its tool.
        plan: Its plan, if known.
        shown: The observations to show, in order.
    """

    request: str
    step: Step
    tool: Tool
    plan: Plan | None
    shown: Sequence[Observation]

    def closed(self, offers: Container[str]) -> str:
        """Return the arguments that are set, as JSON."""
        args = self.step.args.items()
        return json.dumps({k: v for k, v in args if k not in offers or not is_mark(v)})

    def brief(self, offers: Mapping[str, object], shown: str) -> str:
        """Return the question for a model of this process: the call and what was observed."""
        return assets.prompt(
            "fill",
            request=self.request,
            observations=shown,
            tool=self.tool.name,
            description=self.tool.description,
            closed=self.closed(offers),
            wanted=", ".join(offers),
        )

    def in_full(self, offers: Mapping[str, object], shown: str) -> str:
        """Return the question for a server: also outline, purpose, descriptions, earlier calls."""
        words = {name: self.tool.properties.get(name, {}).get("description") for name in offers}
        lines = [f"- {name}: {said}" if said else f"- {name}" for name, said in words.items()]
        return assets.prompt(
            "fill_served",
            request=self.request,
            outline=outline(self.plan) if self.plan else "(one call)",
            calls=calls_in_brief(self.shown),
            observations=shown,
            step=str(self.step.id),
            tool=self.tool.name,
            description=self.tool.description,
            thought=self.step.thought or self.step.label,
            closed=self.closed(offers),
            wanted="\n".join(lines),
        )


def _handed_on(
    step: Step, tool: Tool, wanted: Sequence[str], observations: Sequence[Observation]
) -> dict[str, str]:
    """Return the output of a single awaited step for the only open text of a step; else empty.

    There is nothing to choose then, so no model is asked and the text is copied exactly.
    """
    texts = [
        name
        for name in wanted
        if tool.properties.get(name, {}).get("x-ground") == _PLAIN_TEXT
        and is_mark(step.args.get(name))
    ]
    awaited = _awaited(step, observations)
    if len(texts) != 1 or awaited is None:
        return {}
    separator = _separator(step)
    if separator and _is_table(awaited.raw):
        return {texts[0]: _delimited(awaited.raw, separator)}
    if lines := _lines_of(awaited, step):
        return {texts[0]: lines}
    given = awaited.raw.get("stdout") if isinstance(awaited.raw, Mapping) else awaited.raw
    text = given if isinstance(given, str) else awaited.text
    return {texts[0]: text} if text else {}


def _awaited(step: Step, observations: Sequence[Observation]) -> Observation | None:
    """Return the newest output of the only step that a step awaits; None of several or none."""
    awaited = [o for o in observations if step.depends_on == (o.call.step_id,)]
    return awaited[-1] if awaited else None


def _lines_of(awaited: Observation, step: Step) -> str:
    """Return the values of the one column that a query lists, a line each, for a text; else ""."""
    table, is_text = awaited.raw, str(step.args.get("path", "")).lower().endswith(".txt")
    if not is_text or awaited.call.args.get("measures") or not _is_table(table):
        return ""
    if len(table["columns"]) != 1 or len(table["rows"]) < _SEVERAL or table.get("truncated"):
        return ""
    values = [row[0] for row in table["rows"]]
    is_listed = all(isinstance(value, str) and value and "\n" not in value for value in values)
    return "".join(f"{value}\n" for value in values) if is_listed else ""


def _awaits_part_of_table(step: Step, observations: Sequence[Observation]) -> bool:
    """Return whether a table that was cut would go into a table file."""
    awaited = _awaited(step, observations)
    return (
        awaited is not None
        and bool(_separator(step))
        and _is_table(awaited.raw)
        and bool(awaited.raw.get("truncated"))
    )


def _separator(step: Step) -> str:
    """Return the separator of the table file that a step writes; "" for other steps."""
    suffix = posixpath.splitext(str(step.args.get("path", "")))[1]
    return _SEPARATORS.get(suffix.lower(), "")


def _is_table(raw: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(raw, Mapping) and {"columns", "rows"} <= raw.keys()


def _delimited(table: Mapping[str, Any], separator: str) -> str:
    """Return a table as delimited text with a header."""
    written = io.StringIO()
    writer = csv.writer(written, delimiter=separator, lineterminator="\n")
    writer.writerow(table["columns"])
    writer.writerows(table["rows"])
    return written.getvalue()


def _keeps(step: Step, name: str, value: object) -> bool:
    """Return whether a value differs from the planned one only at its holes."""
    planned = step.args.get(name)
    return is_mark(planned) or fits(planned, value)


def _sources(values: Iterable[object], observations: Sequence[Observation]) -> frozenset[int]:
    """Return, for each value, the id of the newest step whose output contains it."""
    found = set()
    for value in _leaves(values):
        text = str(value).strip()
        holders = [o.call.step_id for o in observations if text and text in o.text]
        found |= set(holders[-1:])
    return frozenset(found)


def _object(text: str) -> Mapping[str, Any]:
    """Return the completion as an object; empty if it is invalid."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        return {}
    return value if assets.first_violation(_SCHEMA, value) is None else {}


def _schema(offers: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the schema of the open arguments, narrowed to observed values."""
    return {
        **assets.schema(_SCHEMA),
        "properties": dict(offers),
        "required": list(offers),
        "additionalProperties": False,
    }


def _narrowed(
    schema: Mapping[str, Any], observations: Sequence[Observation], request: str
) -> dict[str, Any]:
    if schema.get("x-ground") == _RECIPIENT:
        return _recipients(schema, request)
    plain = {k: v for k, v in schema.items() if not k.startswith("x-") and k != "description"}
    if "enum" in plain or "const" in plain:
        return plain
    kinds = valued_types(plain)
    if kinds and kinds <= NUMBERS:
        numbers = [n for o in reversed(observations) for n in _NUMBER.findall(o.text)]
        # not JSON's grammar: a page may contain 007
        fitting = [n for n in numbers if "number" in kinds or "." not in n]
        values = [float(n) if "." in n else int(n) for n in fitting]
        return {"enum": list(dict.fromkeys(values))[:_MAX_VALUES]} if values else plain
    if schema.get("x-ground") == _ADDRESS:
        return {"enum": _addresses(observations, request)}
    if kinds == {"string"} and schema.get("x-ground") != "code":
        texts = _texts(observations) or _quotes(request)
        return {"enum": texts[:_MAX_VALUES]} if texts else {"maxLength": 200, **plain}
    return plain


def _recipients(schema: Mapping[str, Any], request: str) -> dict[str, Any]:
    """Return the schema of the mail addresses that the request names."""
    named = {"enum": list(addresses_in_request(request))}
    if valued_types(schema) != {"array"} or not named["enum"]:
        return named
    return {"type": "array", "items": named, "minItems": 1, "maxItems": len(named["enum"])}


def _texts(observations: Sequence[Observation]) -> list[str]:
    """Return observed texts, newest first: outputs (the beginning of long ones), then lines."""
    whole = [_beginning(o) for o in reversed(observations)]
    lines = [line.strip() for text in whole for line in text.splitlines()]
    return [text for text in dict.fromkeys([*whole, *lines]) if text]


def _beginning(observation: Observation) -> str:
    return observation.text.strip()[:_MAX_VALUE_CHARACTERS]


def _addresses(observations: Sequence[Observation], request: str) -> list[str]:
    """Return the observed web addresses, newest output first, the request's last."""
    texts = [*(o.text for o in reversed(observations)), request]
    found = (address for text in texts for address in addresses_in(text))
    return list(dict.fromkeys(found))[:_MAX_VALUES]


def _as_observed(observations: Sequence[Observation], redactor: Redactor) -> Mapping[str, str]:
    """Return the original texts by the texts shown to the model, where the two differ.

    Secrets are shown as marks, and long outputs by their beginning.
    """
    texts = [*_texts(observations), *_addresses(observations, "")]
    meant = {text: text for text in texts} | {_beginning(o): o.text.strip() for o in observations}
    shown = {redactor.text(text): whole for text, whole in reversed(meant.items())}
    return {seen: text for seen, text in shown.items() if seen != text}


def _quotes(request: str) -> list[str]:
    return [first or second for first, second in _QUOTED.findall(request)]


def _longest(schema: Mapping[str, Any]) -> int:
    """Return enough tokens for the longest values that the schema offers."""
    return max(map(longest, schema["properties"].values()), default=0) + 32


def _leaves(values: Iterable[object]) -> Iterator[object]:
    """Yield the values that are neither lists nor objects, including nested ones."""
    for value in values:
        if isinstance(value, Mapping):
            yield from _leaves(value.values())
        elif isinstance(value, list):
            yield from _leaves(value)
        else:
            yield value
