"""What a session offers for one request: working tools, files, variables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final

from okso_jupyter.effects.effect import Effect
from okso_jupyter.planning.examples.adaptation import adapt_example
from okso_jupyter.planning.examples.index import ExampleIndex, Match, index_of
from okso_jupyter.planning.request.facts import Facts, gather_of_example
from okso_jupyter.toolkit.tool import Example, Tool

#: Where the first clause of a tool's description ends.
_CLAUSE_END: Final = re.compile(r"[:;,.(]")
_HARMLESS: Final = frozenset({Effect.READS, Effect.RUNS_CODE})


@dataclass(frozen=True, kw_only=True)
class Here:
    """What is available for one request.

    Attributes:
        tools: The catalogue.
        facts: What the request names, and the files of the folder.
        variables: Names of the notebook variables passed to Python.
        values: Names of the values inserted into the request or given beside it.
        lacking: Why a tool cannot work here, by tool name; tools not listed work.
    """

    tools: Mapping[str, Tool]
    facts: Facts
    variables: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    lacking: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def index(self) -> ExampleIndex:
        """The index of the catalogue's examples."""
        return index_of(self.tools)

    @cached_property
    def ready(self) -> Mapping[str, Tool]:
        """The tools that can work here, without `final_answer`."""
        return {name: tool for name, tool in self.index.tools.items() if name not in self.lacking}

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the request names, else those of the folder."""
        return self.facts.files or self.facts.nearby

    def examples(self, most: int) -> list[tuple[Tool, str]]:
        """Return up to `most` tools that only read or calculate, each with a request for them.

        Requests about files that exist here come first.
        """
        found = []
        used: set[str] = set()
        for tool in self.ready.values():
            request = next(self._requests(tool, used), None)
            if request is not None:
                found.append((tool, request))
                used |= {file for file in self.files if file in request}
        named = [pair for pair in found if any(file in pair[1] for file in self.files)]
        return (named + [pair for pair in found if pair not in named])[:most]

    def _requests(self, tool: Tool, used: set[str]) -> Iterator[str]:
        """Yield example requests for a tool: about unused files, then any file, then none."""
        examples = _harmless_examples(tool)
        fresh = [file for file in self.files if file not in used]
        for file in (*fresh, *self.files):
            yield from self._about(tool, examples, file)
        yield from (e.request for e in examples if _names_nothing(e))

    def _about(self, tool: Tool, examples: Sequence[Example], file: str) -> Iterator[str]:
        """Yield example requests that can be fully adapted to a file."""
        facts = Facts(request=file, files=(file,))
        for example in examples:
            fitted = adapt_example(Match(tool.name, example, 1.0), facts, self.index)
            if fitted.whole and file in fitted.example.request:
                yield fitted.example.request


@lru_cache(maxsize=256)  # what an example's code would do is found by parsing it
def _harmless_examples(tool: Tool) -> tuple[Example, ...]:
    """Return the examples of a tool that read or calculate and do nothing else."""
    effects = ((example, tool.effect_of(example.args)) for example in tool.examples)
    return tuple(example for example, effect in effects if effect and effect <= _HARMLESS)


def ability(tool: Tool) -> str:
    """Return what a tool does in a few words, such as "read a text file or document"."""
    clause = _CLAUSE_END.split(tool.description, maxsplit=1)[0].strip()
    return clause[:1].lower() + clause[1:]


def _names_nothing(example: Example) -> bool:
    facts = gather_of_example(example.request)
    return not facts.named
