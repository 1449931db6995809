"""langgraph: a graph of nodes that do nothing, without a checkpointer, which is its fastest way."""

from __future__ import annotations

import operator
import time
from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph

from benchmarks.serving import Answer, Measure, serve


class State(TypedDict):
    """How many nodes have run."""

    done: Annotated[int, operator.add]


def prepare(setup: Mapping[str, Any]) -> Measure:
    """Take in how many nodes may run side by side."""

    def measure(ask: Mapping[str, Any]) -> Answer:
        steps = ask["steps"]
        graph = StateGraph(State)
        for step in range(steps):
            graph.add_node(str(step), _noop)
            graph.add_edge(
                START if step == 0 or ask["shape"] == "fanned out" else str(step - 1), str(step)
            )
        graph.add_edge(str(steps - 1), END)
        started = time.perf_counter()
        app = graph.compile()
        state = app.invoke(
            {"done": 0},
            {"recursion_limit": steps + 10, "max_concurrency": setup["threads"]},
        )
        return {"duration_s": time.perf_counter() - started, "done": state["done"]}

    return measure


def _noop(_state: State) -> dict[str, int]:
    return {"done": 1}


if __name__ == "__main__":
    serve(prepare, "langgraph")
