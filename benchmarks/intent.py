"""Who tells the kind of everyday requests better: their words, or the bundled model.

    python -m benchmarks.intent [--model SPEC]

Prints a line per request, then how many each got right and what a request took.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

if not __package__:  # run as a file: the folder above is not on the path yet
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from okso_jupyter import Session
from okso_jupyter.llm.protocol import Completion, CompletionRequest
from okso_jupyter.planning.request.intent import Intent, classify, intent_by_words

#: Requests, and the labels that a person would not object to.
CASES: Final = (
    ("How many lines does inventory.csv have?", {"filesystem"}),
    ("Show the last line of diary.txt", {"filesystem"}),
    ("Rename draft.md to final.md", {"filesystem"}),
    ("Which files in this folder are the largest?", {"filesystem"}),
    ("Write 'buy milk' into todo.txt", {"filesystem", "notes"}),
    ("What is 12.5 percent of 840?", {"math"}),
    ("Compute the standard deviation of 4, 8, 15, 16, 23 and 42", {"math"}),
    ("What is 2 to the power of 20?", {"math"}),
    ("Is 1009 a prime number?", {"math", "general"}),
    ("What is the mean of the price column in sales.csv?", {"math", "filesystem"}),
    ("Search the web for ferry times to Dover", {"web_research"}),
    ("What is the weather in Oslo right now?", {"web_research", "general"}),
    ("Who won the latest Nobel prize in physics?", {"web_research", "general"}),
    ("Summarise https://example.org/news in three lines", {"web_research"}),
    ("Find recent papers about solid state batteries on the internet", {"web_research"}),
    ("Write a Python function that reverses a string", {"coding"}),
    ("Why does my script raise a KeyError?", {"coding"}),
    ("Refactor utils.py so that it has no globals", {"coding", "filesystem"}),
    ("Remind me to call the dentist tomorrow", {"reminders"}),
    ("Take a note: the meeting moved to Friday", {"notes"}),
    ("What appointments do I have next week?", {"calendar"}),
    ("Draft an e-mail to Ann about the invoice", {"mail"}),
    ("hi, how are you?", {"conversation"}),
    ("Thanks, that was great!", {"conversation"}),
    ("good morning", {"conversation"}),
    ("Who are you?", {"conversation", "general"}),
    ("Explain what a notebook is", {"general"}),
    ("Give me a summary of your opinion on tea", {"general", "conversation"}),
    ("Translate 'good night' into French", {"general"}),
    ("Tell me about the Roman roads", {"general", "web_research"}),
)


def main() -> int:
    """Classify every request both ways and print what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--model", default="bundled", metavar="SPEC")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        settings = {"OKSO_HOME": home, "INTENT": "model"}
        with Session(settings, model=given.model) as session:

            def ask(question: CompletionRequest) -> Completion:
                return session.model("intent").complete(question)[0]

            by_model = _told(lambda request: classify(request, session.settings, ask))
    _told(intent_by_words)
    return 0 if by_model else 1


def _told(tell: Callable[[str], Intent]) -> int:
    """Print what is told of every request; return how many are right."""
    right, started = 0, time.perf_counter()
    for request, labels in CASES:
        intent = tell(request)
        right += intent.label in labels
        mark = " " if intent.label in labels else "x"
        print(f"{mark} {request:66}{intent}", flush=True)
    each_s = (time.perf_counter() - started) / len(CASES)
    print(f"{right} of {len(CASES)} right, {each_s:.3f} s a request\n", flush=True)
    return right


if __name__ == "__main__":
    raise SystemExit(main())
