"""Is the bundled model better off in another quantization? Speed, size and plans, side by side.

The bundled file is Q4_1. It can be requantized once on the user's machine; this measures what that
would give and what it would cost, and `docs/decisions/0009` says what was decided from it.

    python -m benchmarks.requantization [--cases FOLDER] [--limit N] [--csv FILE]
"""

from __future__ import annotations

import argparse
import csv
import json
import runpy
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from okso_jupyter import Session, Tool
from okso_jupyter.errors import ModelError
from okso_jupyter.llm.library import llama_cpp
from okso_jupyter.llm.specs import find_weights
from okso_jupyter.llm.threads import ThreadChoice
from okso_jupyter.llm.weights import BatchToken, Weights

CATEGORIES: Final = ("simple_python", "multiple")
QUANTIZATIONS: Final = {
    "Q8_0": llama_cpp.LLAMA_FTYPE_MOSTLY_Q8_0,
    "Q4_0": llama_cpp.LLAMA_FTYPE_MOSTLY_Q4_0,
}
_PROMPT_TOKENS: Final = 480
_LANES: Final = 8
_STEPS: Final = 12
_TYPES: Final = {"dict": "object", "float": "number", "tuple": "array"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one quantization came to.

    Attributes:
        weights: Its name.
        size_mb: Size of the file, in millions of bytes.
        prompt_per_s: Prompt tokens per second.
        batch_per_s: Tokens per second over eight sequences decoded together.
        right: Cases whose plan makes the accepted calls.
        cases: Cases.
        only_here: Cases that are right here and wrong with the bundled file.
        only_bundled: The other way round.
    """

    weights: str
    size_mb: float
    prompt_per_s: float
    batch_per_s: float
    right: int
    cases: int
    only_here: int
    only_bundled: int


def requantize(source: Path, folder: Path, name: str) -> Path:
    """Write the weights in another quantization and return the file."""
    target = folder / f"{name}.gguf"
    params = llama_cpp.llama_model_quantize_default_params()
    params.ftype, params.allow_requantize = QUANTIZATIONS[name], True
    if llama_cpp.llama_model_quantize(str(source).encode(), str(target).encode(), params) != 0:
        msg = f"llama.cpp could not write {name}"
        raise RuntimeError(msg)
    return target


def rates(file: Path, repeat: int) -> tuple[float, float]:
    """Return tokens per second of a prompt and of eight sequences side by side, medians."""
    weights = Weights(
        file, context_tokens=2048, max_sequences=_LANES + 1, threads=ThreadChoice([1])
    )
    tokens = weights.tokenize("A plain sentence of some words, again and again. " * 80)
    prompt = [
        BatchToken(token, place, 0, wants_logits=place == _PROMPT_TOKENS - 1)
        for place, token in enumerate(tokens[:_PROMPT_TOKENS])
    ]
    prompts, batches = [], []
    for _ in range(repeat):
        weights.forget_all()
        started = time.perf_counter()
        weights.decode(prompt)
        prompts.append(_PROMPT_TOKENS / (time.perf_counter() - started))
        for lane in range(1, _LANES + 1):
            weights.fork(0, lane)
        started = time.perf_counter()
        for step in range(_STEPS):
            weights.decode(
                [
                    BatchToken(tokens[lane], _PROMPT_TOKENS + step, lane, wants_logits=True)
                    for lane in range(1, _LANES + 1)
                ]
            )
        batches.append(_LANES * _STEPS / (time.perf_counter() - started))
    weights.close()
    return statistics.median(prompts), statistics.median(batches)


def cases(folder: Path, limit: int) -> Iterator[Mapping[str, Any]]:
    """Return evenly spread cases of each category."""
    for category in CATEGORIES:
        lines = (folder / f"{category}.jsonl").read_text().splitlines()
        for line in lines[:: max(1, len(lines) // limit)][:limit]:
            yield json.loads(line)


def judged(spec: str, folder: Path, limit: int) -> list[bool]:
    """Plan every case with a model and say which plans make the accepted calls."""
    accepts = runpy.run_path(str(folder / "check.py"))["calls_ok"]
    with tempfile.TemporaryDirectory() as home:
        return [
            accepts(_calls(spec, case, home), case["accepted"]) for case in cases(folder, limit)
        ]


def _calls(spec: str, case: Mapping[str, Any], home: str) -> list[dict[str, Any]]:
    tools = [
        Tool.from_schema(
            function["name"], function["description"], _schema(function["parameters"]), str,
            effect="none",
        )
        for function in case["function"]
    ]  # fmt: skip
    settings = {"PLANNER_MODEL_SPEC": spec, "OKSO_HOME": home, "PLANNER_SEED": 1}
    with Session(settings, tools=tools, root=home) as session:
        try:
            plan = session.plan(case["question"][0][-1]["content"]).plan
        except ModelError:
            return []
    return [
        {"name": step.tool, "args": dict(step.args)}
        for step in plan.steps
        if step.tool != "final_answer"
    ]


def _schema(data: Any) -> Any:  # noqa: ANN401  JSON
    """Return the data's own schema dialect as JSON Schema."""
    if isinstance(data, list):
        return [_schema(item) for item in data]
    if not isinstance(data, dict):
        return data
    schema = {key: _schema(value) for key, value in data.items()}
    kind = schema.get("type")
    if kind == "any":
        del schema["type"]
    elif isinstance(kind, str):
        schema["type"] = _TYPES.get(kind, kind)
    return schema


def measure(folder: Path, limit: int, repeat: int) -> Iterator[Row]:
    """Return a row for the bundled file and one for each other quantization of it."""
    source = find_weights("bundled")
    with tempfile.TemporaryDirectory() as made:
        files = {"Q4_1 (bundled)": source}
        files |= {name: requantize(source, Path(made), name) for name in QUANTIZATIONS}
        baseline: list[bool] = []
        for name, file in files.items():
            prompt, batch = rates(file, repeat)
            right = judged(str(file), folder, limit)
            baseline = baseline or right
            pairs = list(zip(right, baseline, strict=True))
            yield Row(
                weights=name,
                size_mb=file.stat().st_size / 1e6,
                prompt_per_s=prompt,
                batch_per_s=batch,
                right=sum(right),
                cases=len(right),
                only_here=pairs.count((True, False)),
                only_bundled=pairs.count((False, True)),
            )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cases", type=Path, default=Path("../shared/bfcl-dev"))
    parser.add_argument("--limit", type=int, default=30, help="cases of each category")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--csv", type=Path)
    wanted = parser.parse_args()
    if not (wanted.cases / "check.py").is_file():
        parser.error(f"--cases {wanted.cases}: there is no check.py and so no data")
    rows = []
    for row in measure(wanted.cases, wanted.limit, wanted.repeat):
        rows.append(asdict(row))
        print("  ".join(f"{key}={_shown(value)}" for key, value in rows[-1].items()), flush=True)
    if wanted.csv:
        with wanted.csv.open("w", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)


def _shown(value: object) -> str:
    return f"{value:.0f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
