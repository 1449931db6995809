"""Builds the planner prompt: tools, examples, values and the schema of the answer.

A request is split into parts ("do this, then that"). Each part is compared with the tools'
examples; the most similar ones are shown adapted to the request, and the schema limits each
part's step to the tools that fit it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Final

from okso_jupyter.llm.protocol import Message, ServedQuestion
from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.plan.run_inputs import RunInputs
from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.examples.adaptation import adapt_example, as_compared, in_mode
from okso_jupyter.planning.examples.index import ExampleIndex, Match, clauses, index_of
from okso_jupyter.planning.prompt import messages
from okso_jupyter.planning.prompt.budget import Allowance, allowances
from okso_jupyter.planning.request.arithmetic import calculations
from okso_jupyter.planning.request.facts import Facts, gather
from okso_jupyter.planning.request.file_modes import replacing
from okso_jupyter.planning.request.only_asked import only_asks
from okso_jupyter.planning.schema.plan_schema import StepOffer, plan_schema
from okso_jupyter.planning.schema.variables import Variables
from okso_jupyter.planning.slot_filling.split import split
from okso_jupyter.planning.slot_filling.tool_match import NEED
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workspace import Workspace

#: From this similarity to an example on, a request needs a tool: a plan must have one.
_SURE: Final = 0.45
#: From this similarity to an example on, a request is the same question about other values.
_SAME: Final = 0.85
_SHOWN_EXAMPLES: Final = 4
#: An example less similar than this share of the best similarity is not shown.
_SHOWN_SHARE: Final = 0.85
_OFFERED_TOOLS: Final = 3
#: A tool that fits less than this share of the best one is not offered.
_OFFERED_SHARE: Final = 0.6
#: The same for a tool that always changes something or uses the network: it must be asked for.
_OFFERED_SHARE_WITH_EFFECTS: Final = 0.9
#: Of more tools without examples than this, a small model is told only those that fit.
_MOST_BARE: Final = 16
_REAL: Final = Environment()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """How well one tool fits the request, and whether it was offered to the model.

    Attributes:
        tool: Its name.
        lexical: Similarity of its examples or description to the request, 0 to 1.
        offered: Whether a plan could call it.
        model: The share of the model's plans that call it, 0 to 1; None if no model was asked.
    """

    tool: str
    lexical: float
    offered: bool
    model: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerPrompt:
    """A planner's prompt.

    Attributes:
        messages: The conversation.
        schema: The schema of the answer.
        ranked: The ranking of the tools behind both.
        left_out: What was left out, in words.
        needed: The tools of the schema that the request surely needs one of per part; all where
            that is not sure.
        served: The prompt for a server; None for the same.
    """

    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    ranked: tuple[Ranked, ...]
    left_out: tuple[str, ...] = ()
    needed: tuple[Tool, ...] = ()
    served: ServedQuestion | None = None


@dataclass(frozen=True, slots=True)
class _Part:
    """One part of a request.

    Attributes:
        facts: What it names; files and columns it leaves unsaid come from the whole request.
        matches: The examples about as similar as the best one, adapted to the part.
        fits: How well every tool fits, best first.
        index: The examples of all tools.
    """

    facts: Facts
    matches: tuple[Match, ...]
    fits: Mapping[str, float]
    index: ExampleIndex

    @property
    def best(self) -> float:
        """How well the best tool fits."""
        return max(self.fits.values(), default=0.0)

    @property
    def by_card(self) -> bool:
        """Whether the best tool has no examples, so that it is matched by its description."""
        return next(iter(self.fits), "") in self.index.without_examples

    def offered(self) -> frozenset[str]:
        """Return the tools that its step may choose; all that have examples if none fits.

        A tool without examples is offered only if its description matches the part: otherwise
        the model would use it for everything.
        """
        best = self.best
        if best < NEED:
            return frozenset(self.fits) - self.index.without_examples
        good = [name for name, fit in self.fits.items() if fit >= self._least(name) * best]
        asked_for = sum(fit == 1.0 for fit in self.fits.values())
        return frozenset(good[: max(_OFFERED_TOOLS, asked_for)])

    def only_looking(self) -> _Part:
        """Return the part without tools whose examples all command a change."""
        return replace(
            self,
            matches=tuple(m for m in self.matches if m.tool not in self.index.always_change),
            fits={n: fit for n, fit in self.fits.items() if n not in self.index.always_change},
        )

    def _least(self, name: str) -> float:
        return (
            _OFFERED_SHARE_WITH_EFFECTS
            if name in self.index.always_have_effects
            else _OFFERED_SHARE
        )

    def known(self) -> dict[str, list[Mapping[str, Any]]]:
        """Return the arguments of fully adapted examples that ask the same, by tool."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        for match in self.matches:
            if match.whole and match.similarity >= _SAME:
                found.setdefault(match.tool, []).append(match.example.args)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Material:
    """Everything that a prompt for one request could hold.

    Attributes:
        request: The request in plain words.
        feedback: The user's feedback on an earlier plan.
        tools: The catalogue in its own order.
        fits: How well every tool fits the whole request, best first.
        fitting: The tools that some part of the request needs.
        parts: The parts of the request.
        shown: The example plans, the most similar one last.
        budget: Most steps of a plan, the final one included.
        variables: The notebook variables passed into the run.
        found: The web search results, between marks.
        choice: The tools allowed for the kind of request; None for all.
        grounded: Whether only fitting tools and existing values are offered.
        has_thoughts: Whether the model writes why each step is there.
        now: Local time.
    """

    request: str
    feedback: str
    tools: Mapping[str, Tool]
    fits: Mapping[str, float]
    fitting: frozenset[str]
    parts: Sequence[_Part]
    shown: Sequence[Sequence[Match]]
    budget: int
    variables: Variables
    found: str
    choice: frozenset[str] | None
    grounded: bool
    has_thoughts: bool
    now: datetime

    @property
    def whole(self) -> Allowance:
        """The allowance for everything."""
        return Allowance(
            examples=len(self.shown),
            described=len(self.fits),
            listed=len(self.fits),
            feedback_chars=len(self.feedback),
            web=bool(self.found),
            value_chars=len(self.variables.data.prompt_text()),
        )

    def brief(self, allowance: Allowance) -> PlannerPrompt:
        """Return the prompt and schema within an allowance."""
        order = sorted(self.fits, key=lambda name: name not in self.fitting)
        listed = frozenset(order[: allowance.listed])
        named = (listed & self._named()) | {FINAL_TOOL}
        tools = {name: tool for name, tool in self.tools.items() if name in named}
        offered = self._offered() & listed
        needed = self._needed() & offered
        return PlannerPrompt(
            messages=messages.messages(
                tools,
                self.shown[len(self.shown) - allowance.examples :],
                self.request,
                feedback=self.feedback[: allowance.feedback_chars],
                variables=self.variables.words,
                values=self.variables.data.prompt_text(allowance.value_chars),
                found=self.found if allowance.web else "",
                now=self.now,
                short=frozenset(order[allowance.described :]),
                has_thoughts=self.has_thoughts,
            ),
            schema=self._schema(tools) if self.grounded else self._free_schema(tools),
            ranked=tuple(
                Ranked(tool=name, lexical=score, offered=name in offered)
                for name, score in self.fits.items()
            ),
            left_out=allowance.missing_from(self.whole),
            needed=tuple(tool for name, tool in tools.items() if name in needed),
        )

    def _schema(self, tools: Mapping[str, Tool]) -> dict[str, Any]:
        """Return the schema of plans with fitting tools and the values of the request."""
        sure = sum(part.best >= (NEED if part.by_card else _SURE) for part in self.parts)
        offers = [
            replace(_offer(part, tools, place, self.request), has_thought=self.has_thoughts)
            for place, part in enumerate(self.parts)
        ]
        if all(part.by_card for part in self.parts):
            # the parts are single calls and each needs its step, whatever the budget
            return plan_schema(offers, least_steps=1 + sure, most_steps=1 + sure)
        return plan_schema(
            offers,
            least_steps=min(1 + sure, self.budget),
            most_steps=min(len(self.parts) + 2, self.budget),
        )

    def _offered(self) -> frozenset[str]:
        """Return the tools that a plan may call: those that fit, or all that are allowed."""
        if self.grounded:
            return frozenset[str]().union(*(part.offered() for part in self.parts))
        return frozenset(self.tools if self.choice is None else self.choice) - {FINAL_TOOL}

    def _named(self) -> frozenset[str]:
        """Return the tools to name in the prompt: all, or of very many without examples the best.

        The others have examples and come first, so that the state after them can be reused.
        """
        bare = frozenset(name for name, tool in self.tools.items() if not tool.examples)
        if not self.grounded or len(bare) <= _MOST_BARE:
            return frozenset(self.tools)
        return (frozenset(self.tools) - bare) | self.fitting | self._offered()

    def _needed(self) -> frozenset[str]:
        """Return the tools that fit the parts, if each part has one that surely does; else all."""
        if not self.parts or any(part.best < _SURE for part in self.parts):
            return frozenset(self.tools)
        return frozenset[str]().union(*(part.offered() for part in self.parts))

    def _free_schema(self, tools: Mapping[str, Tool]) -> dict[str, Any]:
        """Return the schema of all plans with these tools, up to twice the budget of steps.

        A plan over the budget is allowed but scores lower.
        """
        offered = self._offered()
        offer = StepOffer(
            tools=tuple(tool for name, tool in tools.items() if name in offered),
            facts=self.parts[0].facts,
            grounded=False,
            has_thought=self.has_thoughts,
        )
        return plan_schema([offer], least_steps=1, most_steps=2 * self.budget)


def make_prompts(  # noqa: PLR0913  named at every call
    request: str,
    *,
    tools: Mapping[str, Tool],
    workspace: Workspace | None,
    budget: int,
    feedback: str = "",
    data: RunInputs | None = None,
    choice: frozenset[str] | None = None,
    found: str = "",
    grounded: bool = True,
    has_thoughts: bool = False,
    environment: Environment = _REAL,
) -> Iterator[PlannerPrompt]:
    """Yield the prompt for a request, then ever shorter versions of it.

    Args:
        request: The request in plain words.
        tools: The catalogue.
        workspace: The folder whose file names and table headers are read.
        budget: Most steps of a plan, the final one included.
        feedback: The user's feedback on an earlier plan.
        data: Notebook variables passed to Python.
        choice: The tools allowed for the kind of request; None for all. The catalogue in the
            prompt stays whole, so that the model's state after it can be reused.
        found: The web search results, between marks.
        grounded: Whether a model is offered only fitting tools and existing values; a larger one
            may choose among all tools and write any values.
        has_thoughts: Whether the model writes why each step is there.
        environment: Folder listing and clock.
    """
    index, variables = index_of(tools), Variables(data or RunInputs())
    said = f"{request} {feedback}".strip()
    facts_of = partial(_facts_of, said, variables, workspace, environment)
    whole, parts = facts_of(said), []
    wanted = _tools_named(feedback, tools)
    for text, for_tools in _by_card(_texts(request, feedback, index), index):
        facts = facts_of(text)
        asked = wanted or for_tools or variables.readers(facts, tools)
        parts.append(_chosen(_part(facts, whole, index, asked), choice))
    parts = [_with_variables(p, variables) for p in _only_asked(parts, whole, grounded=grounded)]
    fitting = [part.offered() for part in parts if part.best >= NEED]
    material = _Material(
        request=request,
        feedback=feedback,
        tools=tools,
        fits=index.rank(whole),
        fitting=frozenset[str]().union(*fitting) - {FINAL_TOOL},
        parts=parts,
        shown=_shown(parts),
        budget=budget,
        variables=variables,
        found=found,
        choice=choice,
        grounded=grounded,
        has_thoughts=has_thoughts,
        now=environment.now(),
    )
    least = max(len(material.fitting), _OFFERED_TOOLS)
    yield from _shrinking(map(material.brief, allowances(material.whole, least)))


def _shrinking(prompts: Iterable[PlannerPrompt]) -> Iterator[PlannerPrompt]:
    """Yield the prompts that are shorter than those before; what is cut may not have been there."""
    least = None
    for prompt in prompts:
        chars = sum(len(message.content) for message in prompt.messages)
        if least is None or chars < least:
            least = chars
            yield prompt


def _facts_of(
    said: str,
    variables: Variables,
    workspace: Workspace | None,
    environment: Environment,
    text: str,
) -> Facts:
    """Return the facts of a part of a request, including notebook variables."""
    as_files = variables.as_files(text, said)
    return variables.with_texts(environment.facts(as_files, workspace, variables.tables))


def _by_card(texts: Sequence[str], index: ExampleIndex) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the parts of a request with their tools; split those for tools without examples.

    Such a part is split into single calls; any other is yielded without tools.
    """
    bare = {name: tool for name, tool in index.tools.items() if not tool.examples}
    for text in texts:
        best = next(iter(index.rank(gather(text, None))), "") if bare else ""
        if best not in bare:
            yield text, frozenset()
            continue
        for part in split(text, bare):
            yield part.text, frozenset(part.tools)


def _only_asked(parts: list[_Part], whole: Facts, *, grounded: bool) -> list[_Part]:
    """Return the parts of a request; without tools that change something if it only asks.

    A larger model may choose among all tools.
    """
    if not grounded or whole.new_paths or not only_asks(whole.request):
        return parts
    return [part.only_looking() for part in parts]


def _with_variables(part: _Part, variables: Variables) -> _Part:
    """Return a part, and its examples, with notebook tables as variables instead of files."""
    return replace(
        part,
        facts=variables.without_files(part.facts),
        matches=tuple(variables.as_variables(match) for match in part.matches),
    )


def _chosen(part: _Part, choice: frozenset[str] | None) -> _Part:
    """Return a part with only the allowed tools, and those that an example clearly asks for."""
    if choice is None:
        return part
    fits = {n: fit for n, fit in part.fits.items() if n in choice or (choice and fit >= _SURE)}
    return replace(
        part, fits=fits, matches=tuple(match for match in part.matches if match.tool in fits)
    )


def _texts(request: str, feedback: str, index: ExampleIndex) -> list[str]:
    """Return the parts of a request with the feedback appended to the last one."""
    examples = [example for tool in index.tools.values() for example in tool.examples]
    parts = clauses(request, examples)
    return [*parts[:-1], f"{parts[-1]} {feedback}"] if parts and feedback else parts


def _tools_named(feedback: str, tools: Mapping[str, Tool]) -> frozenset[str]:
    """Return the tools that the feedback names, as "file_read" or "file read"."""
    said = feedback.lower().replace("_", " ")
    return frozenset(name for name in tools if name.lower().replace("_", " ") in said)


def _part(
    facts: Facts, whole: Facts, index: ExampleIndex, wanted: frozenset[str] = frozenset()
) -> _Part:
    """Compare one part of a request with the examples, only those of `wanted` tools if any."""
    said = as_compared(facts)
    every = index.nearest(said)
    matches = [match for match in every if match.tool in wanted] or every
    best = max((match.similarity for match in matches), default=0.0)
    near = [m for m in matches if m.similarity > 0 and m.similarity >= _SHOWN_SHARE * best]
    return _Part(
        facts=_completed(replace(facts, things=index.things(facts)), whole),
        matches=tuple(
            in_mode(adapt_example(match, said, index), index.tools[match.tool], said)
            for match in near[:_SHOWN_EXAMPLES]
        ),
        fits=dict.fromkeys(wanted, 1.0) or index.rank(said),
        index=index,
    )


def _completed(part: Facts, whole: Facts) -> Facts:
    """Return a part's facts, with missing files and columns taken from the whole request."""
    if part.files or part.new_paths:
        return replace(part, columns=part.columns or whole.columns)
    return replace(
        part, files=whole.files, new_paths=whole.new_paths, columns=part.columns or whole.columns
    )


def _offer(part: _Part, tools: Mapping[str, Tool], place: int, whole: str) -> StepOffer:
    """Return the step offer of a part; only a later step can wait for an earlier value."""
    offered = part.offered() | replacing(part.facts, tools, whole)
    chosen = tuple(tool for name, tool in tools.items() if name in offered - {FINAL_TOOL})
    return StepOffer(
        tools=chosen,
        facts=part.facts,
        known=part.known() | calculations(part.facts.request, chosen),
        may_wait=place > 0,
        whole=whole,
    )


def _shown(parts: Sequence[_Part]) -> list[list[Match]]:
    """Return the example plans to show, the most similar one last.

    A request of several parts gets fewer examples for each, and one plan that joins the best
    example of every part, so that it has as many steps as the request.
    """
    each = max(1, _SHOWN_EXAMPLES // max(len(parts), 1))
    shown = [[match] for part in parts for match in reversed(part.matches[:each])]
    if len(parts) > 1 and all(part.matches for part in parts):
        shown.append([part.matches[0] for part in parts])
    return shown
