"""Recognition: whether a request is a question about one table, and nothing else."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.request.wording import NO_TITLE, columns_named
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.spoken_parts import WEEKDAYS
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.planning.table_questions.words import MONTHS, spoken_names, tokens
from okso_jupyter.tables import file_kinds

#: Words that ask for a change, a picture or a file, wherever they stand.
_ACTS: Final = re.compile(
    r"""(?ix)\b(?:
    write|save|store|export|create|make|append|insert|delete|remove|rename|move|copy|convert|
    replace|update|change|edit|fix|clean|fill|split|merge|join|zip|backup|send|mail|upload|download|
    plot|chart|graph|draw|histogram|diagram|visuali[sz]e|picture|figure|
    schreib\w*|speicher\w*|erstell\w*|lösch\w*|kopier\w*|verschieb\w*|umbenenn\w*|zeichne\w*|
    grafik|diagramm|folder|directory|(?:on|from|in|search|browse)\ (?:the\ )?web|
    (?:train|fit|build)\ (?:a|an|the)|predict|machine\ learning
    )\b | ^\W*(?:please\ |bitte\ )?(?:set|setze?|drop|round|runde)\b |
    \bthen\b | ; | https?:// | `"""
)
#: What says how to compute, and changes nothing: what somebody did, what not to do, the type of a
#: column, a condition with its conclusion, a column to compute, and functions of a library.
_INSTRUCTIONS: Final = re.compile(
    r"""(?ix)
    \b(?:did|does|were|was)\s+(?:(?!and\b|then\b|to\b)[\w'’-]+\s+){1,4}(?:ma(?:k|d)e|sen[dt]|write|
        move|change|send|update|create|store|save|fill|join|edit|draw|merge|copy)d?\b |
    \b(?:do|does|should|must)\s*(?:not|n['’]t)\b[^.?!;]* |
    \bwithout\s+(?:any\s+)?\w+ing\b[^.?!;]* |
    \bconvert\b[^.?!;]*\b(?:data\ types?|(?:int|float)\d*|integers?|numeric\w*|numbers?|numerical|
        datetime)\b[^.?!;]* |
    \bif\b(?:[^.?!;]|\.\d)*,\s*then\b | ;\s*(?:if|otherwise|else)\b[^.?!;]* |
    \b(?:percent(?:age)?|relative|absolute|price|total|net|no|any|the)\s+changes?\s+
        (?:in|of|from|is)\b |
    `[\w.]+\(\)` |
    \b(?:create|make|insert|append)\s+(?:(?:an?|the|new|another)\s+)+(?:column|feature|variable|field)\b
    """
)
#: Words of a question that is not about the rows of a table.
_ELSE: Final = re.compile(
    r"""(?ix)\b(?:
    translate|summari[sz]e|summary|overview|describe|explain|model|regression|classify|
    lines?|words?|characters?|chars?|bytes?|size|modified|(?:the|its)\s+contents?|contents\s+of|header|headers|
    zusammenfass\w*|übersetz\w*|zeilenanzahl|
    python|pandas|sql|code|script|function|notebook|variable|search|
    columns?\s+(?:are|does|do|names?|has|have)|(?:which|what|list|all|show)(?:\s+\w+){0,2}\s+columns|
    spalten
    )\b"""
)
#: Missing values may be asked for of every column.
_MISSING: Final = re.compile(r"(?i)\b(?:missing|null|nan|empty|fehlende?)\b")
#: Columns are compared by their values: "which column has the highest mean?".
_COMPARED: Final = re.compile(
    r"(?i)\bcolumn\s+has\s+the\s+(?:most|highest|largest|greatest|strongest|fewest|least|lowest|"
    r"smallest|weakest)\b"
)
_COLUMNS: Final = re.compile(r"(?i)\b(?:columns?|spalten?)(?:\([a-z]\))?")
_LEVEL: Final = r"(?:errors?|warn(?:ing)?s?|info|debug|fatals?|criticals?|fehler|warnungen)"
_DAY: Final = (
    rf"(?:\d{{4}}-\d\d|(?:\d{{1,2}}(?:st|nd|rd|th|\.)?\ (?:of\ )?)?(?:{'|'.join(MONTHS)})\b)"
)
_ENTRIES: Final = r"(?:lines?|entries|entry|messages?|zeilen|einträge|meldungen)"
#: What is asked of the entries of a log, and not of its text: groups, shares, times, levels.
_OF_LOG: Final = re.compile(
    rf"""(?ix)
    \b(?:which|what|welche\w*)\ \w+\b.*\b(?:most|fewest|least|often|meisten|wenigsten)\b |
    \b(?:per|by|each|every|pro|je|nach)\ \w+ | \b(?:percent\w*|share|prozent|anteil)\b |
    \bwhen\b.*\b(?:first|last|latest)\b | \bwann\b.*\b(?:erste|letzte)\w*\b |
    \b{_LEVEL}\ {_ENTRIES}\b | \b{_LEVEL}\b.*\blog(?:ged)?\b |
    \b{_LEVEL}\b.*\b(?:on|in|of|from|since|after|before|between|am|im|seit)\ (?:the\ )?{_DAY}\b
    """
)
_OF_TEXT: Final = re.compile(
    r"(?i)\b(?:contain\w*|mention\w*|match\w*|occurs?|words?|text|enthalten|vorkomm\w*|"
    r"show|print|display|list|sort|sortiere|zeige?)\b"
)
#: How a sentence begins that asks something.
_ASKS: Final = re.compile(
    r"""(?ix)^\W*(?:please\s+|bitte\s+|(?:can|could)\s+you\s+)?(?:
    (?:(?:in|on|at|for|of|from|by|to|between)\ )?(?:what['’]?s?|which|how)|who|whose|when|where|
    is|are|do|does|did|was|were|
    find|calculate|compute|give|show|list|count|tell|determine|get|identify|display|sum|
    average|mean|median|total|number|check|report|sort|rank|compare|top|correlation|
    percentage|share|minimum|maximum|highest|lowest|distribution|all|every|alle|
    summe|anzahl|durchschnitt\w*|mittelwert|median|gesamtzahl|anteil|avg|i\ need|ich\ brauche|
    was|(?:(?:in|an|für|von|aus|bei|mit|zu|nach|auf|unter|seit)\ )?(?:welche\w*|wie\ ?viele?n?)|
    wer|wann|wo|wie|wich|
    zeige?|nenne?|berechne|finde|gib|sortiere?|liste|zähle
    )\b"""
)
#: Asks for a number of rows.
HOW_OFTEN: Final = re.compile(r"(?i)\b(?:how\s+(?:often|many\s+times)|wie\s+oft)\b")
_SUPERLATIVE: Final = re.compile(
    r"(?i)\W*(?:(?:the|my|our)\s+)?(?:(?:top\s+)?\d+\s+)?"
    r"(?:most|least|best|worst|top|(?!(?:requ|sugg|inv)est\b)\w{3,}est)\b"
)
#: A question that follows what it is about: "repairs in room 4, what did they cost".
_ASKS_AFTER: Final = re.compile(
    r"(?i)(?:[,;:]|\s[-\u2013\u2014])\s*(?:and\s+|und\s+)?"
    r"(?:(?:what|which|how|was|welche\w*|wie)\b.{4}|"
    r"(?:who|when|wer|wann)\s+(?:is|was|were|did|does|do|has|have|ist|war|hat|haben)\b)"
)
#: "Visits per hour" asks for a number of each, if a table has all of these words.
_PER: Final = re.compile(r"(?i)^\W*(?:[^\W\d_]+\s+){1,4}(?:per|pro|je)(?:\s+[^\W\d_]+){1,4}\W*$")
_SENTENCES: Final = re.compile(rf"(?<=[.?!]){NO_TITLE}\s+(?=[A-Z\d\"'(])")
#: What numbers a question in a list of questions.
_LIST_MARK: Final = re.compile(r"^\s*(?:(?i:question|q|frage)\s*)?\(?\d{1,2}[.):]\s+")
_CONNECTING: Final = r"(?:in|of|from|for|within|inside|out\ of|using|with|by|aus|von|in\ der|der)"
_KIND: Final = r"(?:file|table|datei|tabelle|dataset|data\s?frame|frame|variable)"
_DATABASE: Final = re.compile(
    rf"(?i)(?:\b{_CONNECTING}\s+)?\b(?:the|our|my|der|die)\s+(?:database|datenbank|db)\b"
)
_FILE_WORDS: Final = rf"(?:the\s+|die\s+|der\s+)?(?:(?:csv|tsv|data)?\s*{_KIND}\s+)?"


def table_named(facts: Facts, frames: Mapping[str, Sequence[str]] | None = None) -> str:
    """Return the one table that a request is a question about; "" where it is something else.

    Args:
        facts: What the request names.
        frames: The columns of the notebook's tables that were handed in, by variable.
    """
    if facts.urls or facts.folders or any(map(_is_file_name, facts.new_paths)):
        return ""
    frames = frames or {}
    named = [name for name in frames if _named(name).search(facts.request)]
    file = _file_named(facts)
    # a frame that was handed in is meant, too, where a request names nothing but a column of it
    of_column = [name for name, own in frames.items() if columns_named(facts.request, own)]
    meant = [*named, file] if file else named or of_column
    if len(meant) != 1:
        return ""
    source = meant[0]
    columns = [*facts.columns, *frames.get(source, ())]
    asked = question_of(facts.request, source)
    if _is_log(source):
        asked = re.sub(rf"(?i)\b{_ENTRIES}\b", " ", asked)
    whole = _named(source).sub(" ", facts.request)
    return source if _only_asks(whole, asked, columns) else ""


def database_named(facts: Facts, database: str) -> str:
    """Return the configured database if a request is a question about its rows; else "".

    Args:
        facts: What the request names: "the database", or its kind.
        database: The source that is the table of its tables; "" where none is configured.
    """
    if not database or facts.urls or facts.folders or facts.files or facts.new_paths:
        return ""
    is_named = _named(database).search(facts.request) or _DATABASE.search(facts.request)
    rest = _DATABASE.sub(" ", _named(database).sub(" ", facts.request))
    return database if is_named and asks_only(rest, facts.columns) else ""


def asks_only(request: str, columns: Sequence[str]) -> bool:
    """Return whether a request that names no table asks something, and is about rows and values.

    Args:
        request: The request in plain words.
        columns: The columns that it may name.
    """
    return asks(request) and is_of_rows(request, columns)


def is_of_rows(request: str, columns: Sequence[str]) -> bool:
    """Return whether a request changes nothing, and is about rows and values of such columns."""
    return _only_asks(request, _asking(request), columns)


def asks(request: str) -> bool:
    """Return whether a request asks something by its own words; "open orders" does not."""
    return bool(_begins(request) or _ASKS_AFTER.search(request) or _PER.match(request))


def asks_per(request: str) -> bool:
    """Return whether only "per" or the like makes a request a question: "visits per hour"."""
    return _PER.match(request) is not None and not _begins(request)


def _begins(request: str) -> bool:
    """Return whether a request begins as a question does."""
    in_words = " ".join(in_english(tokens(request)))  # "die 3 teuersten" are the 3 priciest
    return bool(_ASKS.search(request) or _SUPERLATIVE.match(in_words))


def as_asked(phrase: str) -> str:
    """Return what a request asks for: "open orders" asks to show them."""
    return phrase if asks(phrase) else f"show {phrase}"


def asks_of_log(question: str) -> bool:
    """Return whether a question can be one about the entries of a log, and not about its text."""
    return bool(_OF_LOG.search(question)) and not _OF_TEXT.search(question)


def _only_asks(whole: str, asked: str, columns: Sequence[str]) -> bool:
    """Return whether nothing is to be changed, and what is asked is about rows and values."""
    rest = _INSTRUCTIONS.sub(" ", _without_names(whole, columns))
    question = _without_names(asked, columns)
    if _MISSING.search(question) or _COMPARED.search(question):
        question = _COLUMNS.sub(" ", question)
    return not (_ACTS.search(rest) or _ELSE.search(question))


def names_source(facts: Facts, sources: TableSources) -> bool:
    """Return whether a request names a file, an address or a frame: it is no follow-up.

    A month or weekday is a time, and names no november.txt without its suffix.
    """
    files = [file for file in facts.files if not _is_time(file, facts.request)]
    named = facts.urls or facts.new_paths or facts.folders or files
    return bool(named) or any(_named(name).search(facts.request) for name in sources.frames)


def _is_time(file: str, request: str) -> bool:
    """Return whether a file is called as a time is, and a request does not write its suffix."""
    path = PurePosixPath(file)
    words = in_english((*tokens(path.stem), "und"))[:-1]
    are_times = bool(words) and all(word in MONTHS or word in WEEKDAYS for word in words)
    return are_times and path.name.lower() not in request.lower()


def _is_file_name(path: str) -> bool:
    """Return whether a path that is not there can be a file, and is not a name as scipy.stats."""
    return "/" in path or mimetypes.guess_type(path)[0] is not None or _has_table_suffix(path)


def _has_table_suffix(path: str) -> bool:
    suffix = file_kinds.suffix_of(path)
    return suffix in file_kinds.TABLES | file_kinds.PERHAPS_TABLES | file_kinds.DATABASES


def _file_named(facts: Facts) -> str:
    """Return the one file that a request names, if it is a table."""
    if len(facts.files) != 1 or not _named(facts.files[0]).search(facts.request):
        return ""
    file = facts.files[0]
    if _is_log(file):
        return file if asks_of_log(question_of(facts.request, file)) else ""
    return file if _has_table_suffix(file) else ""


def _is_log(source: str) -> bool:
    return file_kinds.suffix_of(source) in file_kinds.LOGS


def question_of(request: str, file: str) -> str:
    """Return a request without the file's name and the words that lead to it."""
    text = _told(file).sub(" ", request)
    text = _DATABASE.sub(" ", _named(file).sub(" ", text))
    text = _LIST_MARK.sub("", " ".join(text.split()))
    return _asking(text).strip(" ,:?.")


def without_source(text: str, source: str) -> str:
    """Return a text without the name of a file or variable and the words that lead to it."""
    return " ".join(_named(source).sub(" ", _told(source).sub(" ", text)).split())


@lru_cache
def _told(file: str) -> re.Pattern[str]:
    """Return the pattern of a sentence that says nothing but where the data is."""
    path = PurePosixPath(file)
    names = "|".join(re.escape(name) for name in (file, path.name, f"{path.stem} file"))
    return re.compile(rf"(?i)\b(?:the\s+)?data\s+(?:is|are)\s+in\s+[\"'`]?(?:{names})[\"'`]?\.?")


def _asking(text: str) -> str:
    """Return the sentences of a text that ask; the first one if the others say how to answer."""
    sentences = _SENTENCES.split(text)
    if any(sentence.rstrip().endswith("?") for sentence in sentences):
        # "What was the hottest day? (temp_max)": a hint belongs to its question
        return " ".join(s for s in sentences if s.rstrip().endswith("?") or s.startswith("("))
    return next((sentence for sentence in sentences if _ASKS.search(sentence)), text)


@lru_cache
def _named(source: str) -> re.Pattern[str]:
    """Return the pattern of the name of a file or variable, with the words that lead to it."""
    path = PurePosixPath(source)
    if not path.suffix:
        # the case of a variable's name counts
        names = rf"(?-i:{re.escape(source)})"
    else:
        stem = rf"{re.escape(path.stem)}(?=\s+(?:file|table|datei))"
        names = "|".join((re.escape(source), re.escape(path.name), stem))
    return re.compile(
        rf"(?i)(?:\b{_CONNECTING}\s+)?(?<!\w){_FILE_WORDS}[\"'`]?(?:\./)?(?<![\w.])(?:{names})[\"'`]?"
        rf"(?:\s+{_KIND})?(?!\w)"
    )


def _without_names(text: str, columns: Sequence[str]) -> str:
    """Return a text without the names of columns: "size" asks for nothing if it is a column."""
    for name in sorted(columns, key=len, reverse=True):
        for form in spoken_names(name):
            named = rf"(?<!\w){re.escape(form)}s?(?!\w)['\"`]?(?:\s+(?:column|spalte)\b)?"
            text = re.sub(rf"(?i){named}", " ", text)
    return text
