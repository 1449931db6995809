"""Rules for which names denote secrets, and which values under such a name can be one.

A name is split into its words (`DB_PASSWORD_2`, `accessToken`, `X-API-Key`). As in English, the
last word says what the value is: `TOKEN_COUNT` is a count. Other words may make it harmless:
`MAX_TOKENS` counts tokens, and a `SORT_KEY` opens nothing.
"""

from __future__ import annotations

import enum
import re
import string
from functools import lru_cache
from typing import Final

#: Characters of names, for `str.rstrip`.
NAME_CHARS: Final = f"{string.ascii_letters}{string.digits}_.-"


class Suspicion(enum.IntEnum):
    """How strongly a name suggests that its value is a secret."""

    #: Not a secret: the value is shown.
    NONE = 0
    #: A secret if the value looks like one: `token`, `auth`, `merge_key`.
    SOME = 1
    #: A secret whatever it looks like, unless it is a placeholder: `password`, `API_KEY`.
    SURE = 2


_SURE: Final = frozenset(
    "password passwords passwd pwd passphrase passcode secret secrets credential credentials "
    "apikey apikeys accesskey secretkey privatekey masterkey authtoken jwt dsn webhook "
    "authorization".split()
)
_SOME: Final = frozenset(
    "token tokens auth cookie cookies salt pass pat pin otp sig signature key keys bearer".split()
)
#: Those of `_SOME` that are sure if they alone are the name of a constant.
_SURE_ALONE: Final = frozenset({"token", "tokens", "cookie", "salt"})
#: Those of `_SOME` with so many meanings that the value must look random.
_VAGUE: Final = frozenset({"key", "keys", "pass", "pat", "pin", "sig", "signature"})
#: Endings that make a longer word a sure name: `PGPASSWORD`, `dbpasswd`.
_SURE_ENDS: Final = (
    *("password", "passwd", "passphrase", "passcode", "apikey", "accesskey", "secretkey"),
    *("accesstoken", "authtoken", "refreshtoken", "sessiontoken", "clientsecret"),
)
#: Words before a key or token that say it gives access to something.
_OPENERS: Final = frozenset(
    "api access secret private account auth encryption encrypt signing sign master shared storage "
    "service client subscription license deploy consumer app application admin root session "
    "security bearer refresh oauth bot personal user jwt aes rsa hmac ssh gpg pgp".split()
)
#: Words with which a key belongs to data, keyboards, maps or music, or tokens are counted.
_HARMLESS_COMPANIONS: Final = frozenset(
    "sort sorting primary foreign partition group grouping join merge index order cache public row "
    "unique composite natural surrogate lookup map hot short shortcut arrow up down left right "
    "enter escape shift ctrl alt tab dict record object routing translation message metric label "
    "field column first last next prev previous num number count max min n total dedup idempotency "
    "range shard distribution business candidate parent child stop pad eos bos unk special mask "
    "sep cls per input output prompt completion context budget used new generated train vocab page "
    "start end word sub separator added reserved cached reasoning remaining second one two multi "
    "low high band all by boarding accept consent banner third party no without is has "
    "num needs require requires show hide forgot keyword".split()
)
#: Last words of names for something about a secret that is not itself secret.
_HARMLESS_HEADS: Final = frozenset(
    "count counts limit limits size sizes length lengths len type types name names file files path "
    "paths dir folder url uri endpoint host port id ids ttl expiry expires expiration expire age "
    "budget field fields column columns col header headers policy policies rule rules min max "
    "format prefix suffix mode enabled disabled required optional status index indices position "
    "usage method methods algorithm alg scheme provider providers service server user username "
    "users region manager store label title description version hint reset rate time timeout date "
    "day days at strength char chars characters bytes bits cost price ratio number num sock socket "
    "agent level script env var placeholder pattern regex template class domain realm kind group "
    "order map table schema event error errors message text page link button input prompt form "
    "view model check checks validator encoding total sum mean consent error code codes exists "
    "yield samesite secure httponly change changed".split()
)
#: Last words that only number a secret or tell its variant or encoding.
_SERIAL: Final = re.compile(
    r"\d+|prod|production|dev|test|staging|stage|live|old|new|value|string|raw|hex|b64|base64"
    r"|primary|secondary|default|main|backup"
)
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
#: Names of folders, which would otherwise be removed from every path.
_FOLDERS: Final = frozenset({"PWD", "OLDPWD"})
_LEAST_MIXED_CHARACTERS: Final = 6
_LEAST_RANDOM_CHARACTERS: Final = 8
#: A number with at least this many digits may be a chosen code.
_LEAST_DIGITS: Final = 4
_LEAST_CHARACTERS: Final = 3


@lru_cache(maxsize=4096)
def suspicion(name: str) -> Suspicion:
    """Return how strongly a name suggests that its value is a secret."""
    if name in _FOLDERS:
        return Suspicion.NONE
    if name == "pwd":
        return Suspicion.SOME  # also a command, whose output follows its name
    words = [word.casefold() for word in _WORD.findall(name)]
    while len(words) > 1 and _SERIAL.fullmatch(words[-1]):
        words.pop()
    if not words:
        return Suspicion.NONE
    *before, head = words
    if head in _HARMLESS_HEADS:
        return _about(before, head)
    found = _of_head(before, head, is_constant=name.isupper())
    if found is Suspicion.NONE and any(_is_sure(word) or word in _SOME for word in before):
        return Suspicion.SOME  # TOKEN_GITHUB
    return found


def _about(before: list[str], head: str) -> Suspicion:
    """Return the suspicion of a name whose last word is something about a secret."""
    if head in {"url", "uri", "endpoint"} and "webhook" in before:
        return Suspicion.SURE  # knowing the address is enough to post
    if head == "id" and before[-2:] == ["access", "key"]:
        return Suspicion.SOME
    return Suspicion.NONE


def _of_head(before: list[str], head: str, *, is_constant: bool) -> Suspicion:
    if _is_sure(head):
        return Suspicion.SURE
    if head not in _SOME or _HARMLESS_COMPANIONS.intersection(before):
        return Suspicion.NONE
    if is_constant and (before or head in _SURE_ALONE):
        return Suspicion.SURE
    return Suspicion.SURE if before and before[-1] in _OPENERS else Suspicion.SOME


def _is_sure(word: str) -> bool:
    return word in _SURE or word.endswith(_SURE_ENDS)


_PLACEHOLDER: Final = re.compile(
    r"(?ix) \$[\w({].* | <[^>]*> | %\w+% | .*\{\{.* | \*+ | x+ | \.+ | …+ | \[[^\]]*\]? | \{.*"
    r"| (?:your|my|the|some|an?)[-_ ].* | \[?redacted\]?"
    r"| none | null | nil | true | false | yes | no | on | off | undefined | required | optional"
    r"| string | str | int | bool | bytes | text | secretstr | any | self | missing | empty | unset"
    r"| enabled | disabled | strict | basic | bearer | digest | oauth2? | default | not | hidden"
    r"| invalid.* | incorrect | wrong | expired | changed | reset"
)
#: Example keys in manuals that look like real ones.
_DOCUMENTED: Final = frozenset({"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"})
_EXAMPLE: Final = re.compile(r"(?i)example")
#: What may accompany "example": words, and a short number.
_BESIDE_EXAMPLE: Final = re.compile(r"(?:[a-z]+|[A-Z]+|(?:[A-Z]?[a-z]{2,})+)?\d{0,4}")
#: Code that computes the value: a call, an index, an attribute, a type, alternatives.
_CODE: Final = re.compile(
    r"[A-Za-z_][\w.]*\s*[(\[].*|[A-Za-z_]+(?:\.[A-Za-z_]+)+|.*\s(?:if|or|and|\|)\s.*|lambda\b.*"
    r"|(?:str|int|bool|bytes|Optional|SecretStr|None)\b\s*[|=\[].*|f?\"\"?|''?|->.*",
    re.DOTALL,
)
#: Words in consistent letter case, with the separators of words.
_PHRASE: Final = re.compile(r"[A-Z]?[a-z]+(?:[,;:.]?[ _-]?(?:(?<=[^a-z])[A-Z])?[a-z]+)*[.!?]?")
_FILE: Final = re.compile(
    r"(?:~|\.{1,2})?/(?:[\w.+@-]+/)*[\w+@-]*\.\w{1,8}"
    r"|(?:~|\.{1,2}|/(?:home|etc|usr|var|tmp|opt|root|run|mnt|Users))/.*"
)
_AMOUNT: Final = re.compile(r"[\d.,_+\-\s]*[\d][\d.,_+\-\s]*(?:[kKmM%]|px|s|ms|h|d)?")


def is_secret_value(name: str, value: str, *, is_written: bool = False) -> bool:
    """Return whether a value is a secret, judged by its name and its look.

    Args:
        name: Its name.
        value: The value without quotes.
        is_written: Whether it is quoted, so that it cannot be a name or code.
    """
    found = suspicion(name)
    value = value.strip()
    if found is Suspicion.NONE or len(value) < _LEAST_CHARACTERS:
        return False
    if _PLACEHOLDER.fullmatch(value) or _is_example(value) or _FILE.fullmatch(value):
        return False
    if not is_written and (_CODE.fullmatch(value) or _is_reference(value)):
        return False
    if _AMOUNT.fullmatch(value):
        return found is Suspicion.SURE and len(value) >= _LEAST_DIGITS and "." not in value
    return found is Suspicion.SURE or _is_like_one(name, value)


def _is_example(value: str) -> bool:
    """Return whether a value is marked as an example, with nothing random beside that word."""
    if value in _DOCUMENTED:
        return True
    if not _EXAMPLE.search(value):
        return False
    beside = re.split(r"[-_. /]", _EXAMPLE.sub(" ", value))
    return all(_BESIDE_EXAMPLE.fullmatch(piece) for piece in beside)


def is_secret_option(name: str, value: str) -> bool:
    """Return whether the value of a command-line option is a secret.

    Args:
        name: The name of the option, without dashes; `--key 2` of sort is not a secret.
        value: Its value without quotes.
    """
    if suspicion(name) is not Suspicion.SOME or _last_word(name) in _VAGUE:
        return is_secret_value(name, value, is_written=True)
    return is_secret_value("password", value, is_written=True) and not value.isdigit()


def _last_word(name: str) -> str:
    return str(_WORD.findall(name)[-1]).casefold()


def _is_reference(value: str) -> bool:
    """Return whether a bare word is a variable holding the secret, as in `token=auth_token`."""
    return value.isidentifier() and value.islower() and suspicion(value) is not Suspicion.NONE


def _is_like_one(name: str, value: str) -> bool:
    """Return whether a value looks like a secret, if the name alone does not decide."""
    if _last_word(name) in _VAGUE:
        return is_random(value) and not set("_/").intersection(value)
    return is_mixed(value) and not _is_words(value)


def is_mixed(value: str) -> bool:
    """Return whether a value mixes letters with digits or signs, unlike a word."""
    return len(value) >= _LEAST_MIXED_CHARACTERS and not value.isalpha() and not value.isdigit()


def is_random(value: str) -> bool:
    """Return whether a value is long enough, has no blanks, and has both letters and digits."""
    if len(value) < _LEAST_RANDOM_CHARACTERS or " " in value:
        return False
    letters = any(character.isalpha() for character in value)
    return letters and any(character.isdigit() for character in value)


def _is_words(value: str) -> bool:
    """Return whether a value is a phrase or a list of words."""
    return _PHRASE.fullmatch(value) is not None
