"""Open tasks: which lines of the folder's texts are tasks that a question asks for.

A task is marked by TODO or by a box, "- [ ]". "What does Ivo have to do?" is answered by the tasks
with his name, "list the todos in the minutes" by those of the texts that are called so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from okso_jupyter.planning.file_commands.best_lines import lines_of
from okso_jupyter.planning.file_commands.word_forms import words_in

_TASK_WORD: Final = (
    r"to-?dos?|to-do (?:items?|list)|open (?:items?|points?)|tasks?|action items?|jobs|"
    r"aufgaben?|offenen? punkte?"
)
_ASKS: Final = re.compile(
    rf"(?i)^\W*(?:(?:list|show|find|give|what|which|who|are there|is there|all|open|remaining|"
    rf"zeige?|nenne?|liste|welche[nrs]?|was|wer|gibt es|alle|offene[nr]?)\b.*)?\b(?:{_TASK_WORD})\b"
)
#: What is left to do, or what one person has to do, without a word for tasks.
_ASKS_OF_SOMEBODY: Final = re.compile(
    r"(?i)^\W*(?:what|was) (?:(?:does|must|should|has|is|are|do|will|muss|soll|müssen|sollen|"
    r"hat|haben|ist|bleibt|remains|still)\b.*)?\b(?:to do|to be done|do|"
    r"supposed to do|tun|machen|erledigen)\W*$"
)
_HAVE_TO: Final = re.compile(
    r"(?i)\b(?:have|has|need|needs|left|supposed|still|remains|must|should|is there|muss|müssen|"
    r"soll|sollen|noch|zu (?:tun|machen|erledigen))\b"
)
_IS_DONE: Final = re.compile(
    r"(?i)(?<!\bbe )(?<!\bnot )(?<!\bnicht )(?<!\bnoch )\b(?:done|finished|completed|ticked|"
    r"erledigte?n?|fertig|abgehakt)\b"
)
_TODO: Final = re.compile(r"\bTODO\b")
#: Words of such questions that say nothing of which tasks are meant.
_NO_TOPIC: Final = frozenset(
    "todo todos to-dos to-do task tasks action item items open point points jobs aufgabe aufgaben "
    "offen offene offenen punkte left remain remains still done finished completed ticked "
    "off erledigt erledigte erledigen zu tun machen supposed have has there all list lines line "
    "zeilen alle liste zeige zeig give entries unfinished undone noch mal stehen due fertig "
    "abgehakt must should jobs".split()
)
_LONGEST_QUERY: Final = 60


@dataclass(frozen=True, slots=True)
class TasksFound:
    """Tasks that a question asks for: the text to look for, and where.

    Attributes:
        query: What the lines have.
        paths: The texts.
    """

    query: str
    paths: tuple[str, ...]


def tasks_asked(question: str, texts: Mapping[str, str]) -> tuple[TasksFound, ...]:
    """Return the tasks that a question asks for; () where it asks for none, or there are none.

    Args:
        question: The question.
        texts: The texts by path.
    """
    asks = _ASKS.search(question)
    of_somebody = _ASKS_OF_SOMEBODY.search(question) and _HAVE_TO.search(question)
    if not asks and not of_somebody:
        return ()
    topic = [keys for word, keys in words_in(question).items() if word not in _NO_TOPIC]
    marks = (
        [re.compile(r"- \[[xX]\]")]
        if _IS_DONE.search(question)
        else [_TODO, re.compile(r"- \[ \]")]
    )
    return tuple(found for mark in marks for found in _marked(mark, topic, texts))


def _marked(
    mark: re.Pattern[str], topic: Sequence[frozenset[str]], texts: Mapping[str, str]
) -> Iterator[TasksFound]:
    """Yield the lines with a mark whose words, or those of their text, have all of a topic."""
    found = [
        (path, line[at.start() :].rstrip())
        for path, text in texts.items()
        for line, said in lines_of(path, text)
        if (at := mark.search(line)) and all(not keys.isdisjoint(said) for keys in topic)
    ]
    if found:
        paths = tuple(dict.fromkeys(path for path, _ in found))
        tasks = [task for _, task in found]
        yield TasksFound(_query(mark, tasks, [texts[path] for path in paths]), paths)


def _query(mark: re.Pattern[str], tasks: Sequence[str], texts: Sequence[str]) -> str:
    """Return what the tasks begin with, as long as no other line has it."""
    written = mark.match(tasks[0])
    same = takewhile(lambda each: len({*each}) == 1, zip(*tasks, strict=False))
    common = "".join(each[0] for each in same)[:_LONGEST_QUERY].rstrip()
    shortest = written[0] if written else common
    lines = [line for text in texts for line in text.splitlines()]
    if sum(shortest in line for line in lines) == len(tasks):
        return shortest
    return common if common.startswith(shortest) else shortest
