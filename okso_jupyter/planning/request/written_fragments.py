"""Written fragments: texts that a plan would write and that are only words of the request itself.

"Make a file with the names of everyone whose fee is open" says what the file is to hold, and no
part of it is that text.
"""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.request.wording import paths

_RELATIVE: Final = (
    r"(?:whose|who|whom|which|that (?:is|are|has|have|had|was|were|cost|costs|owe|owes)|everyone|"
    r"everybody|anyone|those|deren|dessen|welche[rsnm]?|all(?:e|en|er)? (?:die|der|das))"
)
_COLLECTION: Final = (
    r"(?:names?|lists?|lines?|rows?|numbers?|counts?|sums?|totals?|averages?|mean|results?|"
    r"answers?|addresses|e-?mails|dates?|entries|titles?|prices?|items?|summary|overview|copy|"
    r"namen|liste|zeilen|anzahl|summe|durchschnitt|ergebnis\w*|adressen|einträge|titel|preise?|"
    r"zusammenfassung|übersicht|kopie)"
)
_OF: Final = r"(?:of|from|in|with|for|who|whose|that|which|von|vom|aus|der|mit|für|deren|aller)"
#: Says what a text is to hold.
_DESCRIBES: Final = re.compile(
    rf"(?i)(?:^|\b(?:with|containing|mit) )(?:(?:the|all|every|an?|die|alle|eine?|allen|den) )*"
    rf"(?:[^\W\d_]+ )?{_COLLECTION} {_OF}\b|"
    rf"(?:^|\b(?:of|from|with|by|von|mit|aus) ){_RELATIVE}\b|"
    r"^(?:all|every|alle[nr]?) (?:the |of |of the |den |der )?[^\W\d_]+ (?:of|from|in|with|"
    r"von|vom|aus|mit)\b"
)
#: Words that hold a sentence together, and say nothing alone.
_GRAMMAR: Final = frozenset(
    "a an the and or of with from in into on onto to for by as at whose who whom which that this "
    "it them containing called named everyone everybody is are be ein eine einen einem einer der "
    "die das den dem des und oder mit von vom aus in im ins an am ans auf zu zum zur für als deren "
    "dessen welche welcher welches namens es sie ist sind".split()
)
#: Those of them that no text begins or ends with.
_FIRST: Final = frozenset(
    "whose whom which with of containing called named deren dessen mit namens und".split()
)
_LAST: Final = frozenset(
    "whose who whom which with of from the a an and or to into containing called named deren "
    "dessen mit von und oder der die das".split()
)
_WORD: Final = re.compile(r"[^\W_]+")


def describes_content(text: str) -> bool:
    """Return whether a text says what is to be written, and is not that itself."""
    return _DESCRIBES.search(text) is not None


def is_fragment(text: str, request: str) -> bool:
    """Return whether a text that no quotation marks give is only a part of how a request says it.

    Args:
        text: The text that a plan would write.
        request: The request, in which it may stand.
    """
    words = [word.lower() for word in _WORD.findall(text)]
    if not words:
        return False
    if text.strip() in paths(request):  # where to write, and not what
        return True
    whole = [word.lower() for word in _WORD.findall(request)]
    if words == whole[: len(words)]:  # the request itself, or its beginning with the verb
        return True
    is_said = " ".join(words) in " ".join(whole)
    ends = words[0] in _FIRST or words[-1] in _LAST
    return is_said and (ends or set(words) <= _GRAMMAR or describes_content(text))
