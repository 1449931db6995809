"""All candidates of a request in full, against the limit and against calls of the peers.

Everything is measured in rounds, close to each other, so that ratios are of pairs. What can be
prepared once (loading, compiling a schema) is done before the clock starts, for everyone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any, Final

from jsonschema import Draft202012Validator

from benchmarks.comparison import Question, question
from benchmarks.conditions import Conditions
from benchmarks.environments import PeerUnavailableError, python_of
from benchmarks.figures import paired_ratio, spread
from benchmarks.report import Row, number
from benchmarks.workers import Worker, WorkerError

OWN: Final = "okso_jupyter"
PEERS: Final = ("llama_cpp_python", "outlines", "guidance")
_LIMIT_AIM: Final = "<= 1.3"
_PEER_AIM: Final = ">= 2"
_WARM_UP_TOKENS: Final = 8


@dataclass(slots=True)
class Program:
    """One program and what was measured of it, one entry per round.

    Attributes:
        name: Its name.
        worker: The process that runs it.
        duration_s: Seconds for all answers.
        tokens: Tokens of all answers, counted alike for every program.
        valid: How many answers obey the schema.
        asked: How many were asked for, over all rounds.
        cached_tokens: Most tokens of a prompt that were not computed again, where it is told.
        prepared_s: Seconds to load the model and compile the schema, before any round.
    """

    name: str
    worker: Worker
    duration_s: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    valid: int = 0
    asked: int = 0
    cached_tokens: int | None = None
    prepared_s: float = 0.0

    @property
    def s_per_token(self) -> list[float]:
        """Seconds for each token of the answers."""
        return [s / max(tokens, 1) for s, tokens in zip(self.duration_s, self.tokens, strict=True)]

    def ask(self, asked: Question, conditions: Conditions) -> dict[str, Any]:
        """Measure one round."""
        prompt = conditions.vocabulary.render(asked.messages)
        answer = self.worker.ask(asked.as_ask(prompt))
        self.duration_s.append(answer["duration_s"])
        self.tokens.append(sum(len(conditions.vocabulary.tokens(t)) for t in answer["texts"]))
        self.valid += sum(_obeys(text, asked.schema) for text in answer["texts"])
        self.asked += len(answer["texts"])
        if "cached_tokens" in answer:
            self.cached_tokens = max(self.cached_tokens or 0, answer["cached_tokens"])
        return answer

    def warm_up(self, asked: Question, conditions: Conditions) -> dict[str, Any]:
        """Ask something and drop the figures; only how long it took to get here is kept."""
        started = time.perf_counter()
        answer = self.ask(asked, conditions)
        self.prepared_s = self.worker.ready["setup_s"] + time.perf_counter() - started
        self.duration_s.clear()
        self.tokens.clear()
        self.valid = self.asked = 0
        self.cached_tokens = None
        return answer

    def note(self) -> str:
        """Say what the figures stand for."""
        each = sum(self.tokens) / max(self.asked, 1)
        cached = self.cached_tokens
        versions = ", ".join(f"{n} {v}" for n, v in self.worker.ready["versions"].items())
        return (
            f"{self.valid} of {self.asked} obey the schema, {each:.0f} tokens each, "
            f"{1 / spread(self.s_per_token).middle:.0f} tokens/s; "
            f"{'' if cached is None else f'{cached} prompt tokens from earlier rounds; '}"
            f"ready after {number(self.prepared_s)} s; {versions}"
        )


@dataclass(slots=True)
class Limit:
    """What llama.cpp alone can do, one entry per round.

    Attributes:
        prompt_rate: Prompt tokens per second.
        batch_rate: Tokens per second of batches with one token for each candidate.
        tokens: Tokens that this project had to decode: those of like beginnings count once.
        least_s: Seconds for the prompt once and these tokens.
    """

    prompt_rate: list[float] = field(default_factory=list)
    batch_rate: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    least_s: list[float] = field(default_factory=list)

    def forget(self) -> None:
        """Drop what was measured: it was for warming up."""
        for figures in (self.prompt_rate, self.batch_rate, self.tokens, self.least_s):
            figures.clear()

    def measure(
        self, worker: Worker, asked: Question, own: dict[str, Any], conditions: Conditions
    ) -> None:
        """Measure one round, with the shape of what this project wrote in it."""
        words = conditions.vocabulary
        prompt = words.tokens(words.render(asked.messages))
        steps = max(1, round(own["tokens"] / asked.samples))
        rates = worker.ask({"tokens": prompt, "sequences": asked.samples, "steps": steps})
        prompt_rate, batch_rate = rates["prompt_tokens_per_s"], rates["batch_tokens_per_s"]
        tokens = words.decoded_once(own["texts"])
        self.prompt_rate.append(prompt_rate)
        self.batch_rate.append(batch_rate)
        self.tokens.append(tokens)
        self.least_s.append(len(prompt) / prompt_rate + tokens / batch_rate)


@dataclass(frozen=True, slots=True)
class SameOutput:
    """Rows, and what the best peer took: seconds for all of its answers, per round."""

    rows: list[Row]
    best_peer: str
    best_peer_s: Sequence[float]


def measure(conditions: Conditions) -> SameOutput:
    """Measure all programs in rounds.

    Raises:
        WorkerError: This project or the limit could not be measured.
    """
    setup = {
        "gguf": str(conditions.gguf),
        "threads": conditions.threads,
        "context_tokens": conditions.context_tokens,
    }
    with ExitStack() as stack:
        raw = stack.enter_context(
            Worker("benchmarks.own.run_raw_decode", {**setup, "sequences": conditions.samples})
        )
        worker = conditions.own_worker("same-output", LLAMA_THREADS=conditions.threads)
        own = Program(OWN, stack.enter_context(worker))
        peers, missing = _start_peers(conditions, setup, stack)
        limit = Limit()
        missing += _rounds(conditions, own, peers, limit, raw)
        return _result(conditions, own, peers, limit, missing)


def _start_peers(
    conditions: Conditions, setup: dict[str, Any], stack: ExitStack
) -> tuple[list[Program], list[Row]]:
    """Start the peers and let each compile its schema; those that cannot start become rows."""
    peers, missing = [], []
    for name in conditions.peers:
        try:
            python = python_of(name, conditions.environments)
            worker = Worker(f"benchmarks.peers.run_{name}", setup, python=python)
            peers.append(Program(name, stack.enter_context(worker)))
        except (PeerUnavailableError, WorkerError) as error:
            missing.append(_missing(conditions, name, str(error)))
    return peers, missing


def _rounds(
    conditions: Conditions, own: Program, peers: list[Program], limit: Limit, raw: Worker
) -> list[Row]:
    """Measure round by round; a peer that fails is taken out and becomes a row."""
    failed = []
    for turn in range(conditions.repeat + 1):
        asked = question(turn, conditions.samples) if turn else _warm_up()
        first = turn % (len(peers) + 1)
        for program in [*[own, *peers][first:], *[own, *peers][:first]]:
            try:
                answer = (program.ask if turn else program.warm_up)(asked, conditions)
            except WorkerError as error:
                if program is own:
                    raise
                peers.remove(program)
                failed.append(_missing(conditions, program.name, str(error)))
                continue
            if program is own:
                limit.measure(raw, asked, answer, conditions)
        if not turn:
            limit.forget()
    return failed


def _warm_up() -> Question:
    """Return a short question with the schema of all others, which is then compiled."""
    asked = question(0, 1, max_tokens=_WARM_UP_TOKENS)
    return replace(asked, messages=asked.messages[-1:])


def _result(
    conditions: Conditions, own: Program, peers: list[Program], limit: Limit, missing: list[Row]
) -> SameOutput:
    best = min(peers, key=lambda peer: spread(peer.s_per_token).middle, default=None)
    rows = [
        *_limit_rows(conditions, limit),
        Row(
            section=_section(conditions),
            what=own.name,
            value=spread(own.duration_s),
            unit="s",
            ratio=paired_ratio(own.duration_s, limit.least_s),
            against="the limit",
            aim=_LIMIT_AIM,
            note=own.note(),
        ),
    ]
    for peer in peers:
        rows += _peer_rows(conditions, own, peer, is_best=peer is best)
    return SameOutput(
        rows + missing, best.name if best else "", tuple(best.duration_s) if best else ()
    )


def _limit_rows(conditions: Conditions, limit: Limit) -> list[Row]:
    section, count = _section(conditions), conditions.samples
    tokens = number(spread(limit.tokens).middle)
    return [
        Row(section=section, what="llama_decode, prompt", value=spread(limit.prompt_rate),
            unit="tokens/s"),
        Row(section=section, what=f"llama_decode, batches of {count}",
            value=spread(limit.batch_rate), unit="tokens/s"),
        Row(section=section, what="the limit", value=spread(limit.least_s), unit="s",
            note=f"at these rates: the prompt once, and {tokens} tokens that {OWN} wrote, "
            "those of like beginnings once"),
    ]  # fmt: skip


def _peer_rows(conditions: Conditions, own: Program, peer: Program, *, is_best: bool) -> list[Row]:
    """Return what a peer took, against this project for the same number of tokens."""
    section = _section(conditions)
    row = Row(
        section=section,
        what=peer.name,
        value=spread(peer.duration_s),
        unit="s",
        ratio=paired_ratio(peer.s_per_token, own.s_per_token),
        against=f"{own.name}, for each token",
        aim=_PEER_AIM if is_best else "",
        note=peer.note(),
    )
    if not is_best:
        return [row]
    plain = Row(
        section=section,
        what=f"{peer.name}, the best peer",
        value=spread(peer.duration_s),
        unit="s",
        ratio=paired_ratio(peer.duration_s, own.duration_s),
        against=f"{own.name}, whatever was written",
        aim=_PEER_AIM,
    )
    return [row, plain]


def _missing(conditions: Conditions, name: str, reason: str) -> Row:
    return Row(section=_section(conditions), what=name, note=f"NOT MEASURED: {reason}")


def _section(conditions: Conditions) -> str:
    return (
        f"{conditions.samples} full candidates, the same schema and bounds, "
        f"{conditions.threads} thread(s)"
    )


def _obeys(text: str, schema: Any) -> bool:  # noqa: ANN401  a JSON Schema
    try:
        return Draft202012Validator(schema).is_valid(json.loads(text))
    except json.JSONDecodeError:
        return False
