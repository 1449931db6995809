"""Arguments of the `%okso` subcommands that audit a choice: a candidate, or weights."""

from __future__ import annotations

from okso_jupyter.errors import UsageError


def read_candidate(words: list[str]) -> tuple[int, list[str]]:
    """Return the number of a candidate, and the words after it.

    Raises:
        UsageError: The words do not begin with a number.
    """
    if not words or not (words[0].isascii() and words[0].isdigit()):
        said = f"{words[0]!r} is not the number of a candidate" if words else "which candidate?"
        msg = f"%okso why-not: {said}"
        raise UsageError(msg, hint="such as: %okso why-not 2; %okso candidates lists them")
    return int(words[0]), _one_run("why-not", words[1:])


def read_weights(words: list[str]) -> tuple[dict[str, float], list[str]]:
    """Return the weights among words such as "coverage=0.5", and the other words.

    Raises:
        UsageError: There are no weights, or one is not a number or given twice.
    """
    weights: dict[str, float] = {}
    for word in words:
        rule, is_weight, number = word.partition("=")
        if rule in weights:
            msg = f"%okso rescore: there are two weights of {rule}"
            raise UsageError(msg, hint="name each rule once")
        if is_weight:
            try:
                weights[rule] = float(number)
            except ValueError as error:
                msg = f"%okso rescore: the weight of {rule} is {number!r}, which is not a number"
                raise UsageError(msg, hint="such as: %okso rescore coverage=0.5") from error
    if not weights:
        msg = "%okso rescore: which weights?"
        raise UsageError(msg, hint="such as: %okso rescore coverage=0.5 length=2")
    return weights, _one_run("rescore", [word for word in words if "=" not in word])


def _one_run(name: str, words: list[str]) -> list[str]:
    """Return the remaining words: the id of a run, or none.

    Raises:
        UsageError: There is more than one word.
    """
    if len(words) > 1:
        msg = f"%okso {name} takes one run at most, and was given {' '.join(words)!r}"
        raise UsageError(msg, hint="%okso runs lists them")
    return words
