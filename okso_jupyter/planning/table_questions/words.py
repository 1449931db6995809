"""Words: a question and a table's texts as tokens that can be compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import PurePath
from typing import Final

from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.word_stems import english_stem

_TOKEN: Final = re.compile(r"[-−](?=\d)|\d[\d,]*(?:\.\d+)?|[^\W\d_]+")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})|(?<=[A-Za-z])(?=\d)")
#: Words for what rows are numbered by: "the most orders" is of no order_id.
NUMBERINGS: Final = frozenset("id ids no nr num number key code".split())
#: A unit in a column's name is no longer than this.
_UNIT_CHARS: Final = 3
_LINKS: Final = frozenset("for von by per pro of".split())
#: Beginnings of German compounds that say what is asked of the rest: "Gesamtbetrag".
_COMPOUND: Final = re.compile(r"(gesamt|durchschnitts|mindest|hochst|maximal|minimal)([a-z]{4,})")
#: Those of them whose rest may be what a column means in another word: "Durchschnittsnote".
_APART: Final = re.compile(r"(?i)\b(gesamt|durchschnitts|maximal|minimal)(?=[^\W\d_]{4})")

#: Words that name neither a column nor a value.
STOP: Final = frozenset(
    "the of a an in is are was were did do does and to for by on with at it its be this that as "
    "from or which what who when where how many much there has have had i me my we our you "
    "der die das den dem des ein eine einen in im von und zu ist sind war wie viele viel was "
    "welche welcher welches wer wo".split()
)
#: Words that are no value unless it is written in capitals: "am" says a day, and AM is a class.
NO_VALUES: Final = STOP | {"am"}
#: What was done, in English and German.
DONE: Final = re.compile(
    r"(?:(?:ab|an|auf|aus|ein|zu)?ge\w{3,}(?:t|en)|(?:be|er|ver)\w{3,}(?:t|en)|\w{3,}ed|spent|sold|"
    r"bought|paid|sent|given|lent)"
)
#: Comparatives and superlatives say how rows are ranked: they are no value "long" or "high".
_COMPARED: Final = re.compile(
    r"(?:long|short|high|low|light|heavi|larg|small|bigg|fast|slow|quick|old|young|new|earli|lat|"
    r"cheap|dear|great|tall|wid|narrow|thick|thinn|deep|shallow|strong|weak|hott|cold|warm|cool|"
    r"bright|dark|loud|quiet|soft|hard|near|clos|steep|flatt?|wett|dri|dry|sweet|sour|mild|full|"
    r"rich|poor|fresh|fine?|clean|dirti|busi|easi|safe?|simpl|nice?|fatt?|lean)(?:er|est)"
)
#: Words that deny others.
NEGATIONS: Final = frozenset(
    "not except excluding other without no outside besides hasn hasnt haven havent hadn hadnt isn "
    "isnt aren arent wasn wasnt weren werent didn didnt doesn doesnt".split()
)
#: Words before what there is none of: "no rain".
NONE: Final = frozenset({"no", "without"})
#: What may stand between the values of a list.
JOINING: Final = frozenset("or and und oder the".split())
#: Rows are grouped by what follows.
GROUPING: Final = frozenset("per each every".split())
_UMLAUTS: Final = {"ae": "ä", "oe": "ö", "ue": "ü"}
_TWO_LETTERS: Final = re.compile("(?i)[aou]e")
_NUMBER_WORDS: Final = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
MONTHS: Final = {
    name[:length]: number
    for number, name in enumerate(
        "january february march april may june july august september october november "
        "december".split(),
        start=1,
    )
    for length in (3, len(name))
}


@lru_cache(maxsize=200_000)
def tokens(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text: no case, accents, punctuation or thousands commas."""
    flat = "".join(
        c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)
    ).lower()
    found = [token.replace(",", "") for token in _TOKEN.findall(flat)]
    return tuple(token for token in found if token not in {"-", "−"})


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the English stem of a word."""
    return english_stem(word)


def header_words(name: str) -> tuple[str, ...]:
    """Return the words of a column's name; `camelCase` and `snake_case` are taken apart."""
    return tokens(_CAMEL.sub(" ", name))


@lru_cache(maxsize=10_000)
def header_stems(name: str) -> tuple[str, ...]:
    """Return the stems of the words of a column's name."""
    found = [stem(token) for token in header_words(name)]
    # "per month" does not name price_per_night, nor "am 13. Mai" angemeldet_am
    content_words = [word for word in found if word not in NO_VALUES and word != "per"]
    return tuple(dict.fromkeys(content_words or found))


@lru_cache(maxsize=1_000)
def row_stems(source: str) -> tuple[str, ...]:
    """Return the stems of what the rows of a file may be called: the words of its name.

    Umlauts may be written as two letters there: "die Gäste" are of gaeste.csv.
    """
    name = PurePath(source).stem
    spelt = _TWO_LETTERS.sub(lambda found: _UMLAUTS[found[0].lower()], name)
    return tuple(dict.fromkeys((*header_stems(name), *header_stems(spelt))))


def is_called(name: str, words: Collection[str]) -> bool:
    """Return whether a column is called by one of these words, a unit beside it or none."""
    first, *rest = header_words(name) or ("",)
    (english,) = in_english((first,))
    forms = (first, english, f"{first}s", f"{first.removesuffix('y')}ies")
    return any(form in words for form in forms) and all(map(_may_be_unit, rest))


def _may_be_unit(word: str) -> bool:
    # goals_for are not called goals: goals_against are, as well
    return len(word) <= _UNIT_CHARS and word not in NUMBERINGS and word not in _LINKS


def spoken_names(name: str) -> frozenset[str]:
    """Return the forms in which a column's name is said: "plot_size_m2" is "plot size"."""
    words = _CAMEL.sub(" ", name.replace("_", " ")).split()
    short = list(words)
    while len(short) > 1 and _may_be_unit(short[-1].strip("()[]")):
        short.pop()
    return frozenset((name, name.replace("_", " "), " ".join(words), " ".join(short))) - {""}


_RATE: Final = re.compile(r"(?i)\b(?:per|by|each|every|je|pro|nach)\b")


def without_rates(question: str, columns: Iterable[str]) -> str:
    """Return a question without names such as "price per bottle", which ask for no groups."""
    forms = {form for name in columns for form in spoken_names(name) if _RATE.search(form)}
    longest = sorted(forms, key=len, reverse=True)
    return (
        re.sub("|".join(map(re.escape, longest)), " ", question, flags=re.IGNORECASE)
        if forms
        else question
    )


def is_compared(word: str) -> bool:
    """Return whether a word is a comparative or superlative such as "longest" or "lighter"."""
    return _COMPARED.fullmatch(word) is not None


def number_word(word: str) -> str:
    """Return the digits of a number that is written as a word; other words as they are."""
    return _NUMBER_WORDS.get(word, word)


def _parts(word: str) -> tuple[str, ...]:
    """Return the parts of a German compound that says what is asked; other words as they are."""
    match = _COMPOUND.fullmatch(word)
    return (match[1].removesuffix("s"), match[2]) if match else (word,)


def written_apart(word: str) -> str:
    """Return a German compound that says what is asked as two words; other words as they are.

    "Durchschnittsnote" is "Durchschnitts note": each of them may be translated.
    """
    return _APART.sub(r"\1 ", word)


def one_letter_apart(a: str, b: str) -> bool:
    """Return whether two words differ by one letter: another, one more, or two exchanged."""
    if abs(len(a) - len(b)) > 1 or a[0] != b[0]:
        return False
    first = next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    rest_a, rest_b = a[first:], b[first:]
    exchanged = rest_a[:2] == rest_b[1::-1] and rest_a[2:] == rest_b[2:]
    return rest_a[1:] in {rest_b, rest_b[1:]} or rest_b[1:] == rest_a or exchanged


#: The shorter of two words that may be misspellings of each other has this many letters.
_SHORTEST_NEAR: Final = 4


def _meant(word: str, names: frozenset[str]) -> str:
    """Return the name that a word misspells by one letter; the word itself if it is none."""
    if len(word) < _SHORTEST_NEAR or word in names or stem(word) in map(stem, names):
        return word
    long = (n for n in sorted(names) if max(len(n), len(word)) > _SHORTEST_NEAR <= len(n))
    return next((name for name in long if one_letter_apart(word, name)), word)


#: Words that say what is asked, and are understood when they are misspelt.
_ASKING: Final = frozenset(
    "total average median minimum maximum mean number count highest lowest largest smallest "
    "biggest longest shortest percent percentage share missing different distinct correlation "
    "deviation which many show sum most least fewest latest earliest".split()
)
_LONG: Final = 6
#: Tokens of the longest value that is understood in another form.
_LONGEST_FORM: Final = 5
_SHORTEST_FORM: Final = 3


def _asked(word: str, known: frozenset[str]) -> str:
    """Return the asking word that a word misspells; the word itself if it is known or none."""
    if len(word) < _SHORTEST_NEAR or word in known or word in _ASKING or stem(word) in _ASKING:
        return word
    return next((name for name in sorted(_ASKING) if _misspells(word, name)), word)


def _misspells(word: str, name: str) -> bool:
    """Return whether a word misspells a name by one letter.

    A short word may only lack a letter, have one twice or two exchanged: "totl" is "total", but
    neither "court" nor "county" is "count".
    """
    if not one_letter_apart(word, name):
        return False
    if len(name) >= _LONG or len(word) < len(name) or sorted(word) == sorted(name):
        return True
    doubled = (word[:i] + word[i + 1 :] for i, (a, b) in enumerate(pairwise(word)) if a == b)
    return name in doubled


def _content(words: Sequence[str]) -> Sequence[str]:
    """Return words without stop words, if there are others."""
    return [word for word in words if word not in STOP] or words


def forms_of(words: Sequence[str]) -> frozenset[str]:
    """Return what is the same for words with other endings, in another order or written as one.

    "Flat tyre" and "flat tyres", "chain, 11 speed" and "11 speed chain", "e-bike" and "ebikes".
    Stop words do not count beside others: "lamp broken", "the lamp was broken".
    """
    said = _content(words)
    return frozenset((" ".join(sorted(map(stem, said))), stem("".join(said))))


class QuestionWords:
    """A question as tokens.

    Attributes:
        text: The question.
        raw: Its tokens as they are written.
        english: Its tokens, German question words in English, and misspelt ones mended.
        words: Its tokens, numbers written as digits.
        stems: The stem of each token; of a misspelt name of a column the stem of the name.
        cues: Everything that may be a cue: tokens and stems, also in English.
        spans: The place of every run of up to eight tokens, as (first, behind the last).
        forms: The places of every run of up to five tokens that is no stop word, by its forms.
        numbers: The numbers by the place of their token.
    """

    def __init__(
        self,
        text: str,
        names: Iterable[str] = (),
        known: frozenset[str] = frozenset(),
        elsewhere: frozenset[str] = frozenset(),
    ) -> None:
        """Read a question.

        Args:
            text: The question.
            names: Words of the columns' names, which may be misspelt in it.
            known: Words that are no misspelt names.
            elsewhere: Words of other tables' columns, which are none either.
        """
        self.text = text
        self.raw = tuple(part for word in tokens(text) for part in _parts(word))
        own = frozenset(names)
        spelt = known | own | STOP | elsewhere
        self.english = tuple(_asked(word, spelt) for word in in_english(self.raw))
        self.words = tuple(map(number_word, self.english))
        self.stems = tuple(
            stem(word if word in known or word in STOP | elsewhere else _meant(word, own))
            for word in self.raw
        )
        self.cues = frozenset((*self.raw, *self.english, *self.stems, *map(stem, self.english)))
        self.spans: dict[tuple[str, ...], tuple[int, int]] = {}
        count = len(self.raw)
        for first in range(count):
            for behind in range(first + 1, min(first + 8, count) + 1):
                self.spans.setdefault(self.raw[first:behind], (first, behind))
        self.forms = {
            form: frozenset(range(first, behind))
            for run, (first, behind) in self.spans.items()
            if behind - first <= _LONGEST_FORM and not STOP.issuperset(run)
            for form in forms_of(run)
        }
        self._letters = "".join(_content(self.raw))
        self.numbers = {
            place: float(word) for place, word in enumerate(self.words) if word[0].isdigit()
        }

    @property
    def mended(self) -> frozenset[str]:
        """The tokens that are taken for misspelt names."""
        pairs = zip(self.raw, self.stems, strict=True)
        return frozenset(word for word, root in pairs if root != stem(word))

    def places_of_name(self, name: str) -> frozenset[int]:
        """Return the places of a column's name of several words, its unit said or not."""
        spans = (self.spans.get(header_words(form)) for form in spoken_names(name))
        found = [range(*span) for span in spans if span and span[1] - span[0] > 1]
        return frozenset().union(*found)

    def places_of(self, value: Sequence[str]) -> Iterator[frozenset[int]]:
        """Yield the places of a value's words with other endings, in another order or joined."""
        # without a look at the first letters, all values of a large table would be stemmed
        if "".join(_content(value))[:_SHORTEST_FORM] not in self._letters:
            return
        for form in forms_of(value):
            places = self.forms.get(form)
            if places and len(form) >= _SHORTEST_FORM:
                yield places
