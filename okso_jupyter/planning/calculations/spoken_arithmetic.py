"""Arithmetic in words and signs, read as an expression of `calculation.exact`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from okso_jupyter.calculation.exact import problem_of

#: Words for signs and functions; the longest that fits is taken.
_SIGNS: Final[Mapping[str, str]] = {
    word: sign
    for sign, words in {
        "+": "+|plus|added to|zuzüglich",
        "-": "-|−|–|minus|less|abzüglich",  # noqa: RUF001  as people write
        "*": "*|×|·|x|times|multiplied by|multiplied with|mal|multipliziert mit",  # noqa: RUF001
        "/": "/|÷|:|divided by|over|geteilt durch|durch|dividiert durch",
        "^": "**|^|to the power of|raised to the power of|raised to|to the power|hoch",
        "mod": "mod|modulo",
        "^2": "²|squared|im quadrat|zum quadrat",
        "^3": "³|cubed",
        "!": "!|factorial|fakultät",
        "%": "%|percent|per cent|prozent",
        "of": "of|von|aus",
        "the": "the|die|der|das|den",
        "and": "and|und|,|, and|&",
        "(": "(",
        ")": ")",
        "half": "half|one half|die hälfte|hälfte",
        "third": "a third|one third|1 third|ein drittel",
        "quarter": "a quarter|one quarter|1 quarter|ein viertel",
        "sqrt": "square root|sqrt|√|wurzel|quadratwurzel|root",
        "cbrt": "cube root|cbrt|cubic root|kubikwurzel",
        "factorial": "factorial of|fakultät von",
        "abs": "absolute value|abs|betrag",
        "sum": "sum|summe|total",
        "product": "product|produkt",
        "mean": "mean|average|mittelwert|durchschnitt|arithmetic mean",
        "median": "median",
        "max": "maximum|max|largest|biggest|highest|größte",
        "min": "minimum|min|smallest|lowest|kleinste",
        "gcd": "gcd|greatest common divisor|greatest common factor|ggt",
        "ln": "ln|natural log|natural logarithm|natürlicher logarithmus",
        "log": "log|log10|logarithm|common logarithm|logarithmus",
        "pi": "pi|π",
        "lcm": "lcm|least common multiple|lowest common multiple|kgv",
    }.items()
    for word in words.split("|")
}
_FRACTIONS: Final[Mapping[str, str]] = {"half": "1/2", "third": "1/3", "quarter": "1/4"}
_OF_ONE: Final = frozenset({"sqrt", "cbrt", "factorial", "abs", "ln", "log"})
_OF_MANY: Final = frozenset({"sum", "product", "mean", "median", "max", "min", "gcd", "lcm"})
_NUMBER: Final = r"\d{1,300}(?:\.\d{1,300})?(?:e[+-]?\d{1,2})?|\.\d{1,300}"
_LETTERS: Final = sorted((w for w in _SIGNS if w[0].isalpha()), key=len, reverse=True)
_MARKS: Final = sorted((w for w in _SIGNS if not w[0].isalpha()), key=len, reverse=True)
_TOKEN: Final = re.compile(
    rf"\s*(?:(?P<number>{_NUMBER})(?![\d.]*\d)"
    rf"|(?P<word>(?:{'|'.join(map(re.escape, _LETTERS))})(?![^\W\d]))"
    rf"|(?P<mark>{'|'.join(map(re.escape, _MARKS))}))"
)
#: Parentheses of no function, around a number.
_NEEDLESS: Final = re.compile(r"(?<![a-z])\((\d+(?:\.\d+)?)\)")
#: A comma of thousands, or one between two numbers.
_UNSURE_COMMA: Final = re.compile(r"\d,\d{3}(?!\d)")
_PART: Final = r"(.+)"
#: A number or a sum in parentheses.
_ONE_VALUE: Final = r"([\d.]+|\([^()]+\))"
_RATE: Final = r"(.+?(?:%|percent|prozent))"
_WHAT: Final = r"(?:what |which |how many )?"
_CHANGE: Final = r"(?:the )?(?:percent|percentage|relative|%)"
_FROM_TO: Final = r"(?:from|between) (.+?) (?:to|and) (.+)"
_SUM_OF_RANGE: Final = (
    r"(?:the )?sum(?: of)?(?: all| the| whole| natural| numbers| integers)*(?: from)? "
    r"(\d+) (?:to|through|bis) (\d+)"
)
_AMONG: Final = r"(?:among|between|unter|auf)"
_PEOPLE: Final = r"(?: (?:people|persons?|friends|guests|of us|ways|personen|leute))?"
_DECIMALS: Final = r"(?:decimals?|decimal places?|digits|places|nachkommastellen)"
_TAX: Final = r"(?:\s+(?:vat|tax|sales tax|mwst\.?|mehrwertsteuer|ust\.?|gst))?"
_PRICE: Final = r"[$€£]?(\d+(?:\.\d+)?)(?: ?(?:[$€£]|euros?|dollars?|pounds?|eur|usd))?"
_BUYS: Final = r"(?:if (?:i|we|you) )?(?:(?:buy|order|sell|take) )?"
_COST: Final = (
    r"(?:,? (?:how much|what) (?:is|does|do|will|are) (?:it|that|they|this)(?: (?:cost|be|make))*)?"
)
_YEARLY: Final = r"(\d+(?:\.\d+)?) ?(?:%|percent)(?: per year| a year)? (?:for|over) (\d+) years?"
_LOAN: Final = rf"{_PRICE} at {_YEARLY}"
_COMPOUND: Final = r"compound(?:ed)? interest (?:on|for|of)"
_RADIUS: Final = (
    r"(?:with|of)(?: an?)? radius(?: of)? (\d+(?:\.\d+)?)(?: ?(?:cm|m|mm|km|inches|feet))?"
)
_DIAMETER: Final = _RADIUS.replace("radius", "diameter")
_YEAR: Final = r"((?:1\d|20)\d\d)"
_SOMEONE: Final = r"(?:someone|somebody|a person|he|she|a man|a woman|jemand|eine person|er|sie)"
_AM_I: Final = r"(?:how old (?:am|was|will|would) i(?: be)?|wie alt (?:bin|werde|war|wäre) ich)"
_IN_YEAR: Final = rf"(?:in |by |im jahr )?{_YEAR}"
_I_WAS_BORN: Final = rf"(?:i was|i am|i'm) born (?:in )?{_YEAR}"
_ICH_GEBOREN: Final = rf"ich (?:im jahr )?{_YEAR} geboren(?: bin| wurde)?"
_THEY_RISE: Final = r"(?:it|they|(?:the|der|die|das) [^\W\d]+)"
_AGE: Final = rf"(?:how old|wie alt) (?:is|was|would|will|ist|war|wird|wäre) {_SOMEONE},?(?: be)?"
_BORN: Final = rf"(?:(?:who|that) (?:is|was) )?born (?:in )?{_YEAR}"
_GEBOREN: Final = rf"(?:(?:der|die) )?(?:im jahr )?{_YEAR} geboren(?: wurde| ist)?"
_YEARS: Final = (
    r"(?:how many |number of |the |wie ?viele )?(?:years|jahre) "
    r"(?:are (?:there )?|is it |were (?:there )?|lie |sind (?:es )?|liegen |vergehen )?"
)
_BASES: Final = r"(hex|hexadecimal|binary|octal)"
#: Sentences whose words are no signs, and the same with signs; `|` shows a result in percent.
_FORMS: Final = tuple(
    (re.compile(pattern), written)
    for pattern, written in (
        (rf"(?:add|addiere) {_RATE}{_TAX} (?:to|zu) {_PART}", "({1}) + {0}"),
        (rf"{_PART}(?: plus|\s?\+| zuzüglich) {_RATE}{_TAX}", "({0}) + {1}"),
        (
            rf"(?:subtract|take|deduct|subtrahiere) {_RATE}(?: off)? (?:from|von) {_PART}",
            "({1}) - {0}",
        ),
        (rf"(?:increase|raise|erhöhe) {_PART} (?:by|um) {_RATE}", "({0}) + {1}"),
        (
            rf"(?:decrease|reduce|lower|verringere|reduziere) {_PART} (?:by|um) {_RATE}",
            "({0}) - {1}",
        ),
        (rf"{_PART} (?:increased|erhöht) (?:by|um) {_RATE}", "({0}) + {1}"),
        (rf"{_PART} (?:decreased|reduced) (?:by|um) {_RATE}", "({0}) - {1}"),
        (rf"{_RATE} (?:off|discount on) {_PART}", "({1}) - {0}"),
        (rf"(?:a |an |the )?{_RATE} (?:tip|vat|tax|sales tax) on {_PART}", "{0} of ({1})"),
        (rf"{_WHAT}(?:percent|percentage|%) of (.+) (?:is|are) (.+)", "({1}) / ({0}) |"),
        (r"(.+) is (?:what|which) (?:percent|percentage|%) of (.+)", "({0}) / ({1}) |"),
        (r"(?:wie ?viel )?(?:prozent|%) von (.+) (?:ist|sind) (.+)", "({1}) / ({0}) |"),
        (rf"{_WHAT}percent(?:age)? (?:is|are) (.+) (?:out )?of (.+)", "({0}) / ({1}) |"),
        (r"(?:wie ?viel )?(?:prozent|%) (?:ist|sind) (.+) von (.+)", "({0}) / ({1}) |"),
        (rf"{_CHANGE} (?:change|increase|growth|rise) {_FROM_TO}", "(({1}) - ({0})) / ({0}) |"),
        (rf"{_CHANGE} (?:decrease|drop|fall) {_FROM_TO}", "(({0}) - ({1})) / ({0}) |"),
        (
            (rf"(?:by )?(?:how many|how much|what) percent (?:is it|(?:did|has) {_THEY_RISE} "
            rf"(?:rise|risen|increase|increased|grow|grown|go up|gone up)) {_FROM_TO}"),
            "(({1}) - ({0})) / ({0}) |",
        ),
        (
            (rf"(?:um )?wie ?viel prozent (?:ist|sind) {_THEY_RISE} von (.+?) auf (.+?) "
            r"(?:gestiegen|gewachsen)"),
            "(({1}) - ({0})) / ({0}) |",
        ),
        (
            (r"(?:(?:my|the|our|meine|die|unsere) )?[^\W\d]+(?: [^\W\d]+)? (?:are|were|sind|waren) "
            r"(\d.+?)[,.:;]? (?:what|was)(?:'s| is| was| ist| war) (?:(?:the|my|their|der|die|"
            r"mein|meine|das) )?(average|mean|median|sum|total|durchschnitt|mittelwert|summe)"),
            "{1} of {0}",
        ),
        (r"(?:add|addiere) (.+?) (?:to|and|und|zu) (.+)", "({1}) + ({0})"),
        (r"(?:add(?: up)?|addiere) (.+)", "sum of {0}"),
        (_SUM_OF_RANGE, "({1} - {0} + 1) * ({0} + {1}) / 2"),
        (r"(?:subtract|subtrahiere|take) (.+?) (?:from|von) (.+)", "({1}) - ({0})"),
        (r"(.+?) subtracted from (.+)", "({1}) - ({0})"),
        (r"(?:multiply|multipliziere) (.+?) (?:by|with|and|mit) (.+)", "({0}) * ({1})"),
        (r"(?:divide|dividiere|teile) (.+?) (?:by|durch) (.+)", "({0}) / ({1})"),
        (
            rf"(?:split|share|divide|teile) (.+?) (?:equally )?{_AMONG} (\d+){_PEOPLE}",
            "({0}) / ({1})",
        ),
        (
            (rf"{_BUYS}(\d+) (?:(?!dozen)[a-z]+ )?(?:at|for|zu|à) {_PRICE} "
            rf"(?:each|apiece|a piece|je){_COST}"),
            "{0} * {1}",
        ),
        (rf"(?:the )?{_COMPOUND} {_LOAN}", "({0}) * (1 + {1} / 100)^{2} - ({0})"),
        (rf"(?:the )?simple interest (?:on|for|of) {_LOAN}", "({0}) * {1} / 100 * {2}"),
        (
            rf"{_PRICE} (?:compounded|invested|growing) (?:annually |yearly )?(?:at|by) {_YEARLY}",
            "({0}) * (1 + {1} / 100)^{2}",
        ),
        (r"(?:the )?log(?:arithm)?(?: to(?: the)?)? base (\d+) of (.+)", "log {0} {1}"),
        (r"(?:the )?log(\d+)(?: of)? \(?(\d[\d.]*)\)?", "log {0} {1}"),
        (rf"(?:the )?area of a circle {_RADIUS}", "pi * ({0})^2"),
        (rf"(?:the )?(?:circumference|perimeter) of a circle {_RADIUS}", "2 * pi * ({0})"),
        (rf"(?:the )?area of a circle {_DIAMETER}", "pi * (({0}) / 2)^2"),
        (rf"(?:the )?(?:circumference|perimeter) of a circle {_DIAMETER}", "pi * ({0})"),
        (rf"(?:the )?{_BASES}(?: value| form)? of (\d+)", "base {1} {0}"),
        (rf"(\d+) (?:in|to|as|into) {_BASES}", "base {0} {1}"),
        (r"(?:binary )?([01]{2,64})(?: in)?(?: binary)? (?:to|in|as|into) decimal", "binary {0}"),
        (rf"{_AGE} {_BORN},? (?:in|by) {_YEAR}", "{1} - {0}"),
        (rf"{_AM_I},? {_IN_YEAR},? (?:if|when) {_I_WAS_BORN}", "{0} - {1}"),
        (rf"{_AM_I},? {_IN_YEAR},? wenn {_ICH_GEBOREN}", "{0} - {1}"),
        (rf"(?:if )?{_I_WAS_BORN}[,.:]? (?:and )?{_AM_I} {_IN_YEAR}", "{1} - {0}"),
        (rf"{_AM_I},? (?:if|when) {_I_WAS_BORN},? {_IN_YEAR}", "{1} - {0}"),
        (rf"{_AGE} {_GEBOREN},? (?:im jahr |in )?{_YEAR}", "{1} - {0}"),
        (
            rf"{_YEARS}(?:between|from|zwischen|von) {_YEAR} (?:and|to|und|bis) {_YEAR}",
            "abs ({1} - {0})",
        ),
        (rf"(?:the )?square of {_ONE_VALUE}", "{0}^2"),
        (rf"(?:the )?cube of {_ONE_VALUE}", "{0}^3"),
        (r"(?:the )?difference (?:between|of) (.+?) and (.+)", "abs (({0}) - ({1}))"),
        (r"(?:the )?remainder (?:of|when) (.+?)(?: is)? divided by (.+)", "({0}) mod ({1})"),
        (rf"(?:round|runde) (.+?) (?:to|auf) (\d) {_DECIMALS}", "round {0} {1}"),
        (rf"(.+?),? (?:rounded|gerundet) (?:to|auf) (\d) {_DECIMALS}", "round {0} {1}"),
        (r"(?:twice|double|das doppelte von) (.+)", "2 * {0}"),
        (r"(?:triple) (.+)", "3 * {0}"),
        (r"(\d+) (?:quarters|viertel) (?:of|von) (.+)", "{0} / 4 * {1}"),
        (r"(\d+) (?:thirds|drittel) (?:of|von) (.+)", "{0} / 3 * {1}"),
    )
)  # fmt: skip


_NAMES_OF_BASES: Final = {
    "hex": "hexadecimal", "hexadecimal": "hexadecimal", "binary": "binary", "octal": "octal"
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression that a request asks for.

    Attributes:
        text: In the grammar of `calculation.exact`.
        to: How its value is asked: "percent", or the base of its digits; "" for a number.
    """

    text: str
    to: str = ""


def expression_of(text: str) -> Expression | None:
    """Return the expression that a text in small letters says, and says alone; else None."""
    for pattern, form in _FORMS:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        if form.startswith("round"):
            inner = match[1] if _is_number(match[1]) else _read(match[1])
            return Expression(f"round({inner}, {match[2]})") if inner else None
        if form.startswith("log"):
            return Expression(f"log({match[2]}, {match[1]})") if _is_number(match[2]) else None
        if form.startswith("base"):
            words = [part for part in match.groups() if not part.isdigit()]
            [number] = [part for part in match.groups() if part.isdigit()]
            return Expression(number, _NAMES_OF_BASES[words[0]])
        if form.startswith("binary"):
            return Expression(f"0b{match[1]}", "decimal")
        written, mark, _ = form.format(*match.groups()).partition(" |")
        found = _read(written)
        if found:
            return Expression(found, "percent" if mark else "")
    found = _read(text)
    return Expression(found) if found else None


def _is_number(text: str) -> bool:
    return re.fullmatch(_NUMBER, text) is not None


def _read(text: str) -> str:
    """Return a text as an expression; "" if it is none, or only a number."""
    tokens = _tokens(text)
    if len(tokens) < 2:  # noqa: PLR2004  a number alone asks for nothing
        return ""
    try:
        reader = _Reader(tokens)
        found = reader.sum()
        is_whole = reader.at == len(tokens)
    except (_NoArithmeticError, RecursionError):
        return ""
    return _bare(found) if is_whole and not problem_of(found) else ""


def _bare(expression: str) -> str:
    """Return an expression without parentheses around one number or around parentheses."""
    bare = _NEEDLESS.sub(r"\1", expression)
    return bare if bare == expression else _bare(bare)


def _tokens(text: str) -> list[str]:
    """Return numbers, and signs for words; empty if something is neither."""
    found, at, text = [], 0, text.strip()
    if _UNSURE_COMMA.search(text):
        return []
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            return []
        word = match["word"] or match["mark"]
        found.append(_SIGNS[word] if word else match["number"])
        at = match.end()
    return found


class _NoArithmeticError(Exception):
    """The tokens are no expression."""


class _Reader:
    """Reads tokens as an expression, by recursive descent."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.at = 0
        self._tokens = tokens

    def sum(self) -> str:
        """Return a sum; a percentage after its sign is one of what stands before."""
        found = self._product()
        while sign := self._taken("+", "-"):
            right = self._product(may_be_percent=True)
            if right.endswith("%"):
                found = f"({found}) * (1 {sign} {right[:-1]}/100)"
            else:
                found = f"{found} {sign} {right}"
        return found

    def _product(self, *, may_be_percent: bool = False) -> str:
        found = self._factor()
        is_percent = self._percent()
        if is_percent and self._taken("of"):
            found, is_percent = f"{self._product()} * {found} / 100", False
        elif is_percent and may_be_percent and not self._is_next("*", "/"):
            return f"{found}%"
        elif is_percent:
            raise _NoArithmeticError
        while sign := self._taken("*", "/", "mod", "of"):
            if sign == "of" and not re.search(r"\d ?/ ?\d+$", found):
                raise _NoArithmeticError
            right = self._factor()
            right = f"{right} / 100" if self._percent() else right
            found = f"{found} { ({'mod': '%', 'of': '*'}.get(sign, sign)) } {right}"
        return found

    def _factor(self) -> str:
        if self._taken("-"):
            return f"-{self._factor()}"
        found = self._primary()
        while mark := self._taken("!", "^2", "^3"):
            found = f"factorial({found})" if mark == "!" else f"{found}^{mark[1]}"
        if self._taken("^"):
            return f"{found}^{self._factor()}"
        return found

    def _primary(self) -> str:
        token = self._next()
        if token[0].isdigit() or token[0] == ".":
            return token
        if token == "(":  # noqa: S105  a sign
            found = self.sum()
            self._expect(")")
            return f"({found})"
        if token == "pi":  # noqa: S105  a number
            return token
        if token in _FRACTIONS:
            self._expect("of")
            return f"{_FRACTIONS[token]} * {self._factor()}"
        return self._function(self._next() if token == "the" else token)  # noqa: S105  a word

    def _function(self, name: str) -> str:
        if name not in _OF_ONE | _OF_MANY:
            raise _NoArithmeticError
        self._taken("of")
        self._taken("the")
        if name in _OF_ONE:
            inner = self._primary()
            return f"{name}({inner[1:-1] if inner[0] == '(' else inner})"
        return f"{name}({', '.join(self._list())})"

    def _list(self) -> list[str]:
        """Return the values of a list; one without parentheses ends what is asked."""
        is_closed = bool(self._taken("("))
        listed = [self._factor()]
        while self._taken("and"):
            self._taken("and")
            listed.append(self._factor())
        if is_closed:
            self._expect(")")
        is_ended = is_closed or self.at == len(self._tokens) or self._is_next(")")
        if len(listed) == 1 or not is_ended:
            raise _NoArithmeticError
        return listed

    def _percent(self) -> bool:
        return bool(self._taken("%"))

    def _is_next(self, *signs: str) -> bool:
        return self.at < len(self._tokens) and self._tokens[self.at] in signs

    def _taken(self, *signs: str) -> str:
        """Return the next token and go on if it is one of the signs; else ""."""
        return self._next() if self._is_next(*signs) else ""

    def _next(self) -> str:
        if self.at == len(self._tokens):
            raise _NoArithmeticError
        self.at += 1
        return self._tokens[self.at - 1]

    def _expect(self, sign: str) -> None:
        if not self._taken(sign):
            raise _NoArithmeticError
