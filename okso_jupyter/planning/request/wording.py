"""Text functions that find the files, columns, addresses, quotes and numbers in a request.

All are pure. `mask` replaces everything that is named by a word for its kind, so that two
requests that differ only in what they name become equal.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.plan.text_requests import QUOTED
from okso_jupyter.planning.request.synonyms import in_words_of_examples
from okso_jupyter.word_stems import english_stem

_URL = re.compile(r"https?://[^\s<>\"']+")
_MAIL_ADDRESS: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PATH = re.compile(
    r"(?<![\w/])(?:~?/)?(?:[\w.-]+/)*[\w-][\w.-]*\.[A-Za-z]\w{0,7}\b|[\w.-]+(?:/[\w.-]+)+/?"
)
#: What a pattern must not follow where a sentence ends: "St. Mary", "Dr. Lee", "J. Smith".
NO_TITLE: Final = "".join(
    rf"(?<!\b{title}\.)" for title in "[A-Z] St Dr Mr Ms Mrs Prof No Nr Jr Str vs".split()
)
#: "i.e", "e.g", "a.m": the last dot is left to the sentence.
_ABBREVIATION: Final = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*\w)")
_SIGN = re.compile(r"(?<=[\d)])\s*([-+*/^%×÷]{1,2}|x)\s*(?=[(\d])")  # noqa: RUF001  as people write
_CONTRACTED = re.compile(r"\b(what|who|where|how|that|it|there)['\u2019]s\b")
_WORD = re.compile(r"[^\W_][\w'-]*")
_TRAILING: Final = ".,;:!?)"
#: Runs are taken from this many first words of a request: each word gives several values.
_MAX_SPAN_WORDS: Final = 120
_LONGEST_SPAN_WORDS: Final = 8
_SPAN_MARKS: Final = _TRAILING + "'\""

_DIGITS: Final = {
    word: str(number)
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), start=1
    )
}
#: Words that never name a thing.
STOP_WORDS: Final = frozenset(
    "a about all an and any are as at be by can could do does file folder for from give has have "
    "how i in into is it its line lines many me much my of on or our please say says show tell "
    "than that the their them then there these they this those to was we were what when where "
    "which who will with word words would you your".split()
)
#: Polite words, which say nothing about what is wanted.
_POLITE: Final = frozenset("please tell me can could would you i want know like need".split())

_KINDS: Final = frozenset({"csv", "tsv", "json"})
PLAIN_KIND: Final = "file_text"
#: Placeholder for what a request is about: a column, a word to look for, a name.
THING: Final = "thing"
#: Placeholder for a number; not a word that a request could have.
NUMBER: Final = "a_number"


def stems(text: str) -> list[str]:
    """Return the stemmed words of a text in lower case, without polite words."""
    plain = _CONTRACTED.sub(r"\1 is", in_words_of_examples(text.lower())).replace("%", " percent ")
    words = re.findall(r"[a-z_]+", plain)
    return [stem(word) for word in words if word not in _POLITE]


# Stemming takes most of the time of building an index, and the examples' words never change.
@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return the stem of one word in lower case."""
    return english_stem(word.lower())


def quotes(text: str) -> list[str]:
    """Return the quoted texts."""
    return [next(filter(None, match.groups())) for match in QUOTED.finditer(text)]


def outside_quotes(text: str) -> str:
    """Return a text with every quoted text of several words replaced by spaces.

    Such a quote is a text to write or to search for; it names nothing and asks for nothing. A
    quoted single word may be a file or a column.
    """
    return QUOTED.sub(lambda match: " " * len(match[0]) if " " in match[0] else match[0], text)


def urls(text: str) -> list[str]:
    """Return the web addresses."""
    return [match[0].rstrip(_TRAILING) for match in _URL.finditer(outside_quotes(text))]


def paths(text: str, known: Iterable[str] = ()) -> list[str]:
    """Return everything that looks like a path, and known files whose names have spaces."""
    outside, quoted = outside_quotes(text), {quote.lower() for quote in quotes(text)}
    blank = [
        file
        for file in known
        if " " in file
        for names in [{file.lower(), PurePosixPath(file).name.lower()}]
        if names & quoted or any(name in outside.lower() for name in names)
    ]
    here = _MAIL_ADDRESS.sub(" ", _URL.sub(" ", outside))
    rest = _without(here, [PurePosixPath(file).name for file in blank])
    found = [match[0].rstrip(_TRAILING) for match in _PATH.finditer(rest)]
    return list(dict.fromkeys([*blank, *(p for p in found if not _ABBREVIATION.fullmatch(p))]))


def numbers(text: str) -> list[str]:
    """Return the numbers as digits, including those written as words."""
    tokens = re.findall(r"-?\d+(?:\.\d+)?|[A-Za-z]+", " ".join(_number_texts(text)))
    return [_DIGITS.get(token.lower(), token) for token in tokens]


def _number_texts(text: str) -> Iterator[str]:
    words = "|".join(_DIGITS)
    for match in re.finditer(rf"(?i){_NUMBER.pattern}|\b(?:{words})\b", text):
        yield match[0]


def signs(text: str) -> list[str]:
    """Return the arithmetic operators between numbers."""
    return [match[1] for match in _SIGN.finditer(text)]


def names_stem(text: str, file: str) -> bool:
    """Return whether a text names a file by its stem, as "the meeting notes" names a file.

    The first word, the verb, does not count: "Count the lines" is not about count.txt, nor is it
    about lines.txt, since stop words do not count.
    """
    wanted = _name_words(PurePosixPath(file).stem)
    said = _WORD.findall(_PATH.sub(" ", QUOTED.sub(" ", text)).lower())[1:]
    return not set(wanted) <= STOP_WORDS and _find(said, wanted) is not None


def columns_named(text: str, columns: Sequence[str]) -> list[str]:
    """Return the columns that a text names, in singular or plural, in order of mention."""
    return [column for _, _, column in _mentions(text, columns)]


def content_words(text: str) -> list[str]:
    """Return the words that may name a thing."""
    return [word for word in _WORD.findall(text) if word.lower() not in STOP_WORDS]


def without_names(text: str, files: Sequence[str], columns: Sequence[str]) -> str:
    """Return the text without addresses, quotes, files and columns."""
    rest = QUOTED.sub(" ", _URL.sub(" ", text))
    rest = _PATH.sub(" ", _replace_columns(rest, columns, lambda _: " "))
    return _without(rest, [PurePosixPath(file).stem for file in files])


def spans(text: str) -> list[str]:
    """Return runs of consecutive words as written, longest first, from the start of a text."""
    plain = _URL.sub(" ", text)
    found = itertools.islice(re.finditer(r"\S+", plain), _MAX_SPAN_WORDS)
    tokens = [(match.start(), match.end()) for match in found]
    runs = [
        plain[tokens[first][0] : tokens[first + size - 1][1]].strip(_SPAN_MARKS)
        for size in range(min(_LONGEST_SPAN_WORDS, len(tokens)), 0, -1)
        for first in range(len(tokens) - size + 1)
    ]
    return [run for run in runs if run]


def mask(text: str, files: Iterable[str] = (), columns: Sequence[str] = ()) -> str:
    """Return a text with everything that it names replaced by a word for its kind.

    Args:
        text: A request.
        files: Files that it may name by their stem.
        columns: Columns that it may name.
    """
    masked = _URL.sub(" url ", text)
    masked = _replace_columns(masked, columns, lambda _: f" {THING} ")
    masked = QUOTED.sub(" quoted ", masked)
    for file in files:
        if " " in file:
            masked = re.sub(rf"(?i){re.escape(PurePosixPath(file).name)}", _kind(file), masked)
    masked = _PATH.sub(lambda match: _kind(match[0]), masked)
    for file in files:
        name = r"[\W_]+".join(map(re.escape, _name_words(PurePosixPath(file).stem)))
        masked = re.sub(rf"(?i)(?<=\W){name}\b", " file ", masked)
    digits = "|".join(_DIGITS)
    return re.sub(rf"(?i){_NUMBER.pattern}|\b(?:{digits})\b", f" {NUMBER} ", masked)


def _kind(file: str) -> str:
    """Return the placeholder of a file; tables and JSON have their own, as they are read apart."""
    return f" file {kind_of(file)} "


def kind_of(file: str) -> str:
    """Return the kind of a file as one word: file_csv, file_tsv, file_json or file_text."""
    suffix = PurePosixPath(file).suffix[1:].lower()
    return f"file_{suffix}" if suffix in _KINDS else PLAIN_KIND


def _name_words(name: str) -> list[str]:
    """Return the words of a name, split at punctuation such as "_"."""
    return [word for word in re.split(r"[\W_]+", name.lower()) if word]


def _without(text: str, names: Iterable[str]) -> str:
    """Return a text without the given names."""
    for name in names:
        words = r"[\W_]+".join(map(re.escape, _name_words(name)))
        text = re.sub(rf"(?i)\b{words}\b", " ", text) if words else text
    return text


def _find(words: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Return the position of a run of words, or None."""
    size = len(wanted)
    starts = range(len(words) - size + 1)
    return next((s for s in starts if list(words[s : s + size]) == list(wanted)), None)


def _mentions(text: str, columns: Sequence[str]) -> list[tuple[int, int, str]]:
    """Return start, end and column of every mention of a column, compared by stems.

    Longer column names are matched first. Quotes around a mention belong to it. The first word,
    the verb, and words inside a path are not mentions.
    """
    words = [(m.start(), m.end(), stem(m[0])) for m in re.finditer(r"[^\W_]+", text)][1:]
    taken = [(m.start(), m.end()) for m in _PATH.finditer(text)]
    found: list[tuple[int, int, str]] = []
    for column in sorted(columns, key=lambda c: -len(_name_words(c))):
        wanted = [stem(word) for word in _name_words(column)]
        for place in range(len(words) - len(wanted) + 1) if wanted else ():
            run = words[place : place + len(wanted)]
            start, end = run[0][0], run[-1][1]
            free = not any(start < other_end and other < end for other, other_end in taken)
            if free and [word for _, _, word in run] == wanted:
                taken.append((start, end))
                found.append((*_with_quotes(text, start, end), column))
    return sorted(found)


def _with_quotes(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the position of a mention, extended by the quotes around it if there are any."""
    around = text[max(start - 1, 0) : start] + text[end : end + 1]
    return (start - 1, end + 1) if around in {"''", '""', "``", "“”"} else (start, end)


def _replace_columns(text: str, columns: Sequence[str], replacement: Callable[[str], str]) -> str:
    """Return the text with every mention of a column replaced."""
    for start, end, column in reversed(_mentions(text, columns)):
        text = text[:start] + replacement(column) + text[end:]
    return text
