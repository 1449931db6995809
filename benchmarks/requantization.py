"""Is the bundled model better off in another quantization? Speed and size, side by side.

The bundled file is Q4_1. It is requantized once on the user's machine; this measures what that
gives, and `docs/decisions/0009` says what was decided from it. What it does to plans is told by
`python -m benchmarks.planning_quality --model FILE`.

    python -m benchmarks.requantization [--keep FOLDER] [--csv FILE]
"""

from __future__ import annotations

import argparse
import csv
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from okso_jupyter.llm.bindings import llama_cpp
from okso_jupyter.llm.specs import find_weights
from okso_jupyter.llm.thread_count import ThreadChoice
from okso_jupyter.llm.weights import BatchToken, Weights

QUANTIZATIONS: Final = {
    "Q8_0": llama_cpp.LLAMA_FTYPE_MOSTLY_Q8_0,
    "Q4_0": llama_cpp.LLAMA_FTYPE_MOSTLY_Q4_0,
}
_PROMPT_TOKENS: Final = 480
_LANES: Final = 8
_STEPS: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one quantization came to.

    Attributes:
        weights: Its name.
        size_mb: Size of the file, in millions of bytes.
        prompt_per_s: Prompt tokens per second.
        batch_per_s: Tokens per second over eight sequences decoded together.
    """

    weights: str
    size_mb: float
    prompt_per_s: float
    batch_per_s: float


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


def measure(folder: Path, repeat: int) -> Iterator[Row]:
    """Return a row for the bundled file and one for each other quantization of it.

    Args:
        folder: Where the files are written.
        repeat: How often everything is measured.
    """
    source = find_weights("bundled")
    files = {"Q4_1 (bundled)": source}
    files |= {name: requantize(source, folder, name) for name in QUANTIZATIONS}
    for name, file in files.items():
        prompt, batch = rates(file, repeat)
        size_mb = file.stat().st_size / 1e6
        yield Row(weights=name, size_mb=size_mb, prompt_per_s=prompt, batch_per_s=batch)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the files stay")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--csv", type=Path)
    wanted = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as made:
        if wanted.keep:
            wanted.keep.mkdir(parents=True, exist_ok=True)
        for row in measure(wanted.keep or Path(made), wanted.repeat):
            rows.append(asdict(row))
            print("  ".join(f"{key}={_shown(value)}" for key, value in rows[-1].items()))
    if wanted.csv:
        with wanted.csv.open("w", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)


def _shown(value: object) -> str:
    return f"{value:.0f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
