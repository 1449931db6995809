"""What each version of the planner gained and lost: ablations, from the answers of one file."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.quality.answers import AnswerFile, Judged, Key

#: Whose answers are compared with the others of theirs.
_WHO = "okso_jupyter"


def as_markdown(judged: Sequence[Judged], answers: AnswerFile) -> str:
    """Return a table of the file's versions of the planner, a column per category.

    A cell is the share of right plans in percent, over the cases that this run and that version
    have both answered; in brackets how many this run has right and that version wrong, and the
    other way round.

    Args:
        judged: What this run came to, all contestants.
        answers: The file, with the answers of earlier runs.
    """
    now = [each for each in judged if each.key.contestant == _WHO]
    categories = list(dict.fromkeys(each.case.category for each in now))
    if not now:
        return ""
    lines = [["version", *categories], ["---", *["--:"] * len(categories)]]
    current = now[0].key
    for key in answers.keys_like(current):
        cells = [_cell([e for e in now if e.case.category == each], key, answers)
                 for each in categories]  # fmt: skip
        if any(cells):
            lines.append([_name(key, current), *cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _name(key: Key, current: Key) -> str:
    """Return what a version is called: its settings and its code."""
    name = f"{key.settings or 'default'} ({key.code})"
    return f"**{name}**" if key == current else name


def _cell(now: Sequence[Judged], key: Key, answers: AnswerFile) -> str:
    """Return what a version has right of these cases, and what this run gained and lost."""
    pairs = []
    for each in now:
        known = answers.known(key, each.case)
        if known is not None:
            then = Judged(key=key, case=each.case, answer=known)
            pairs.append((then.verdict.right, each.verdict.right))
    if not pairs:
        return ""
    share = 100 * sum(then for then, _ in pairs) / len(pairs)
    gained, lost = pairs.count((False, True)), pairs.count((True, False))
    changed = f" (+{gained} -{lost})" if gained or lost else ""
    return f"{share:.1f} of {len(pairs)}{changed}"
