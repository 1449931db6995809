"""Column words: what columns are called by, where a question calls them otherwise.

A header may be in the other language ("Umsatz" for revenue), a compound ("Rechnungsdatum") or
short ("qty", "HR"). Words of a question for such a column become those of its header, so that
all else finds columns by their names alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from okso_jupyter.planning.table_questions.cue_words import CUES
from okso_jupyter.planning.table_questions.words import (
    STOP,
    header_words,
    stem,
    tokens,
    written_apart,
)
from okso_jupyter.word_stems import german_stem

if TYPE_CHECKING:
    from okso_jupyter.planning.table_questions.table_sample import TableSample

#: Words that mean the same in headers, a line for each meaning, without accents as tokens are.
#: Where a line is parted, the words before the mark are English or end no compounds (attacker).
_VOCABULARY: Final = """
customer client kunde kundin
waiter waitress server kellner kellnerin bedienung
supplier vendor lieferant
date datum
day tag
month monat
year jahr
week woche
quarter quartal
weekday wochentag
time zeit uhrzeit
hour stunde
duration dauer
begin start beginn anfang
end ende
city town ort stadt
place location site ort standort
country land
street straße strasse
address adresse anschrift
postcode zip plz postleitzahl
phone telephone telefon
price preis
cost expense kosten ausgabe gekostet kostet kostete
expense spent ausgabe ausgegeben
amount betrag
total sum summe
revenue turnover umsatz erlos
income earned einkommen einnahme eingenommen
donation donated spende gespendet
profit gewinn
salary wage pay gehalt lohn
fee gebuhr
tax steuer
discount rabatt
rent miete
balance saldo kontostand
account konto
booking buchung
purchase kauf einkauf
sale verkauf
invoice bill rechnung
order bestellung auftrag
delivery lieferung liefer
payment zahlung
paid bezahlt
recipient receiver empfanger
sender absender
quantity qty menge anzahl stuck stuckzahl
number no nr nummer num
item article artikel
product produkt ware
category kategorie
group gruppe
type kind art typ
variety sort sorte
brand make marke
model modell
colour color farbe
size große grosse
weight gewicht
height hohe
width breite
length lange
depth tiefe
area surface flache
volume volumen
temperature temperatur temp
humidity feuchte feuchtigkeit luftfeuchtigkeit
pressure druck
speed geschwindigkeit tempo
distance strecke entfernung distanz
consumption usage verbrauch
electricity power strom
water wasser
heating heizung
insurance versicherung
stock inventory bestand lagerbestand
warehouse lager
employee worker staff mitarbeiter
helper helfer
teacher lehrer
student pupil schuler
class klasse
grade mark note
doctor physician arzt
treatment behandlung
dose dosis
member mitglied
owner besitzer eigentumer inhaber
author autor
title titel
page seite
language sprache
publisher verlag
remark comment bemerkung anmerkung kommentar
description beschreibung desc
status state zustand
reason cause grund ursache
result ergebnis
value wert
unit einheit stuck einzel piece
device machine instrument gerat maschine
sample specimen probe
measurement messung mess
age alter
birth born geburt geboren
birthday geburtstag
sex gender geschlecht
department dept abteilung
room raum zimmer
floor etage stockwerk
building gebaude
flat apartment wohnung
tenant mieter
task job aufgabe
project projekt
meter zahler
vehicle car fahrzeug auto
driver fahrer
station bahnhof haltestelle
departure abfahrt
arrival ankunft
animal tier
breed race rasse
species art
plant pflanze
harvest ernte
guest gast
visitor besucher
event veranstaltung
points punkte
rank platz rang
team mannschaft
player spieler
game match spiel
outside outdoor außen aussen
inside indoor innen
gross brutto
net netto
km kilometer kilometre kilometern
kg kilo kilogram kilogramm
cm centimeter centimetre zentimeter
eur euros
usd dollars
slope gradient incline steepness | steigung gefalle neigung hangneigung
field paddock acker | feld schlag
plot parcel | parzelle flurstuck
soil | boden
crop | kultur feldfrucht
yield | ertrag
seed | saat saatgut
sown | aussaat gesat
fertilizer fertiliser | dunger
manure | gulle
hay | heu
straw | stroh
grain | getreide
wheat | weizen
barley | gerste
oats | hafer
corn maize | mais
potato | kartoffel
milk | milch
egg | eier
honey | honig
hive beehive | bienenvolk bienenstock volk
bee | biene
cow | kuh
sheep | schaf
pig | schwein
horse | pferd
dog | hund
cat | katze
chicken | huhn huhner
herd | herde
grape | traube
vine | rebe
variety | rebsorte
wine | wein
vintage | jahrgang
barrel cask | fass
bottle | flasche
acid acidity | saure sauregehalt
sugar | zucker
alcohol | alkohol
salt | salz
bed | beet
tree | baum
flower | blume
vegetable | gemuse
fruit | obst frucht
herb | krauter
greenhouse | gewachshaus
irrigation | bewasserung
lawn | rasen
site | lage
rain rainfall precipitation | regen niederschlag
sun sunshine | sonne sonnenschein sonnenstunden
snow | schnee
cloud cloudiness | bewolkung wolken
fog | nebel
brightness | helligkeit
noise loudness | larm lautstarke
moisture | feuchte feuchtigkeit
fuel | kraftstoff treibstoff sprit
fuel petrol |
fuel diesel |
fuel | benzin
petrol gasoline | benzin
| kraftstoff benzin
diesel | kraftstoff
| sprit benzin
diesel | sprit
refuelled refueled | getankt
litre liter litres liters |
driven drove | gefahren
trip journey reise | fahrt
mileage odometer | kilometerstand tachostand
tyre tire | reifen
licence plate | kennzeichen nummernschild
repair | reparatur
maintenance service | wartung
inspection | inspektion prufung
workshop garage | werkstatt
tool | werkzeug
screw | schraube
material | werkstoff
wood timber | holz
shelf | regal
reorder | nachbestellung
serial | seriennummer
defect fault | mangel defekt
expiry | ablauf haltbarkeit verfallsdatum
receipt voucher | beleg quittung kassenbon
contract | vertrag
offer quote | angebot
due | fallig falligkeit
deadline | frist
dunning | mahnung
vat ust | mwst mehrwertsteuer umsatzsteuer
interest | zinsen zins
loan | kredit darlehen
deposit | kaution
deposit | einzahlung
withdrawal | auszahlung abhebung
subscription abo | abonnement
shop store | laden geschaft
branch | filiale zweigstelle niederlassung
cash | bargeld
debt | schulden
fee | honorar gage
income earned | verdienst verdient
overtime | uberstunden
vacation holiday | urlaub
wage | stundenlohn
surname lastname | nachname familienname
firstname forename | vorname
email mail | mailadresse
competitor | wettbewerber
refund | erstattung
damage | schaden
claim | schadensfall
waste rubbish garbage mull | abfall
furniture | mobel
groceries | lebensmittel
clothes clothing | kleidung
health | gesundheit
leisure | freizeit
kitchen | kuche
bathroom | badezimmer
bedroom | schlafzimmer
livingroom | wohnzimmer
cellar basement | keller
attic | dachboden
garden | garten
gas | erdgas
school | schule
subject fach | schulfach
lesson lecture | unterricht
course | kurs
exam examination | klausur prufung
absence | fehlzeit fehltag abwesenheit
parent | eltern elternteil
homework | hausaufgabe
book | buch
library | bibliothek bucherei
borrowed | ausgeliehen entliehen
returned | zuruckgegeben
loan | ausleihe
patient | patientin
diagnosis | diagnose befund
medicine medication drug | medikament arznei
appointment | termin
nurse | pfleger pflegekraft
blood | blut
pulse | puls
vaccination vaccine | impfung impfstoff
vaccinated | geimpft
illness disease | krankheit
allergy | allergie
surgery operation |
symptom | beschwerden
waiting | wartezeit
goals tore |
victory | sieg
defeat | niederlage
season | saison
league | liga
coach trainer |
club | verein
opponent | gegner
referee | schiedsrichter
runner | laufer
contribution dues | beitrag mitgliedsbeitrag
court | spielfeld
lane | bahn
piano | klavier
violin | geige
guitar | gitarre
flute | querflote flote
trumpet | trompete
drums | schlagzeug
organ | orgel
choir | chor
orchestra | orchester
concert | konzert
rehearsal | probe
performance | auffuhrung vorstellung
audience | publikum zuschauer
ticket | eintrittskarte
seat | sitzplatz
stage | buhne
role | rolle
actor | schauspieler
composer | komponist
singer | sanger
painting | gemalde
exhibition | ausstellung
night | nacht ubernachtung
arrival | anreise
departure | abreise
breakfast | fruhstuck
flight | flug
luggage baggage | gepack
destination | zielort reiseziel
origin | herkunft
ship | schiff
train zug |
platform | gleis bahnsteig
passenger | fahrgast passagier
delay | verspatung
nationality | staatsangehorigkeit nationalitat
currency | wahrung
tourist | urlauber
concentration | konzentration
substance | stoff substanz
sensor | fuhler messfuhler
threshold limit | grenzwert
voltage | spannung
frequency | frequenz
experiment | versuch
nitrate | nitrat
oxygen | sauerstoff
dust | feinstaub staub
conductivity | leitfahigkeit
density | dichte
calibrated | kalibriert
gauge | pegel
battery | batterie akku
operator | bediener
shift | schicht
scrap | ausschuss
output | ausstoß
downtime | stillstand ausfallzeit
house | haus
street | gasse
district | bezirk stadtteil
village | dorf
region | gebiet
state | bundesland
thickness | dicke
diameter | durchmesser
angle | winkel
radius | halbmesser
circumference | umfang
power | leistung
load | auslastung
occupancy | belegung auslastung
capacity | kapazitat fassungsvermogen
content | inhalt
ingredient | zutat
recipe | rezept
portion serving |
calories kcal | kalorien
protein | eiweiß eiweiss
fat | fett
carbohydrate | kohlenhydrat
meal | mahlzeit
dish | gericht speise
drink beverage | getrank
beer | bier
coffee | kaffee
cheese | kase
meat | fleisch
bread | brot
donor | spender
sponsor | forderer
priority | prioritat dringlichkeit
approved | genehmigt
sent | verschickt versandt
spare sparepart | ersatzteil
car vehicle | pkw wagen kfz
truck lorry | lkw lastwagen
meter | zahlerstand ablesung
training workout |
experience | erfahrung
vet | tierarzt
"""
#: What may stand between the parts of a German compound.
_JOINTS: Final = ("", "s", "n", "en", "es", "e")
_SHORTEST_PART: Final = 3
#: The fewest letters of a table's word that is found at the end of a compound.
_SHORTEST_TAIL: Final = 4
#: Words of a question that stand for one column: "invoice date" is Rechnungsdatum.
_MOST_WORDS: Final = 3
#: Letters of a header's word that begins the word it is short for, and of that word.
_SHORT: Final = range(3, 6)
_LONG: Final = 6
_INITIALS: Final = 2
#: A column with more values tells no categories; shorter values are codes.
_MOST_CATEGORIES, _SHORTEST_CATEGORY = 12, 4
#: Letters that forms of one word share at least, and that they have beyond these at most.
_SHARED, _ENDING = 5, 2
#: A compound of a category with what it costs: "Stromkosten" are those of Strom.
_WITH_COST: Final = re.compile(
    r"(?P<what>\w{4,}?)s?(?:kosten|ausgaben?|rechnung(?:en)?|geb(?:ue|u)hren?)"
)
#: A compound with its measure: "Nitratwert" is Nitrat (mg/l).
_WITH_VALUE: Final = re.compile(r"(?P<what>\w{4,}?)s?werte?n?")
_WORD: Final = re.compile(r"[^\W\d_]+")
#: What was done, in English and German.
DONE: Final = re.compile(
    r"(?:(?:ab|an|auf|aus|ein|zu)?ge\w{3,}(?:t|en)|(?:be|er|ver)\w{3,}(?:t|en)|\w{3,}ed|spent|sold|"
    r"bought|paid|sent|given|lent)"
)
#: English words with the stem of a German one: to spend is no Spende.
FALSE_FRIENDS: Final = frozenset({"spend", "spends", "spending", "not"})
#: Words that say what is asked stand for no column: "the number of invoices" is of no invoice_no.
_ASKING: Final = STOP | CUES - {"order"}


@lru_cache(maxsize=20_000)
def _forms(word: str) -> tuple[str, str]:
    """Return the stems of a word in both languages."""
    return stem(word), german_stem(word)


# Made when a table is first asked about: stemming the vocabulary takes long.
@cache
def _meanings() -> dict[str, frozenset[int]]:
    """Return the lines of the vocabulary that each word, or stem in a language, stands in."""
    found: dict[str, frozenset[int]] = {}
    for line, written in enumerate(_VOCABULARY.strip().splitlines()):
        for key in _keys(written):
            found[key] = found.get(key, frozenset()) | {line}
    return found


def _keys(line: str) -> Iterator[str]:
    """Yield the words of a line, and their stems with the language that these are of."""
    english, mark, german = line.partition("|")
    for word in english.split():
        if mark:
            yield from (word, f"en {stem(word)}")
        else:
            for form in {word, *_forms(word)}:
                yield from (form, f"en {form}", f"de {form}")
    for word in german.split():
        yield from (word, f"de {german_stem(word)}")


_LINES: Final = [line.replace("|", " ").split() for line in _VOCABULARY.strip().splitlines()]


@cache
def _tails() -> frozenset[str]:
    """Return the words that may end a compound."""
    found: set[str] = set()
    for line in _VOCABULARY.strip().splitlines():
        is_marked = "|" in line
        words = line.partition("|")[2].split() if is_marked else line.split()
        found.update(words)
        if not is_marked:
            found.update(form for word in words for form in _forms(word))
    return frozenset(found)


@cache
def _heads() -> frozenset[str]:
    """Return what a compound may begin with."""
    return _tails().union(*_LINES)


@lru_cache(maxsize=20_000)
def meanings_of(word: str) -> frozenset[int]:
    """Return what a word may mean; nothing where the vocabulary does not have it."""
    known = _meanings().get(word)
    english, german = _forms(word)
    stems = (f"en {english}", f"de {german}")
    return known or frozenset().union(*(_meanings().get(form, ()) for form in stems))


@lru_cache(maxsize=20_000)
def parts_of(word: str) -> tuple[str, ...]:
    """Return the parts of a compound one of which is in the vocabulary; other words whole."""
    if meanings_of(word):
        return (word,)
    for at in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        head, tail = word[:at], word[at:]
        if tail in _tails():
            return (_without_joint(head), tail)
    return (word,)


def _without_joint(head: str) -> str:
    """Return the first part of a compound without what joins it to the next: "rechnungs"."""
    ends = (head.removesuffix(joint) for joint in _JOINTS)
    return next((end for end in ends if end in _heads()), head)


@lru_cache(maxsize=20_000)
def header_meanings(name: str) -> frozenset[str]:
    """Return the stems of a header's words, and of what they mean in either language.

    Of a compound its last part tells what it is: "Stückpreis" is a price.
    """
    words = header_words(name)
    heads = [parts_of(word)[-1] for word in words]
    lines = frozenset().union(*map(meanings_of, heads)) if heads else frozenset()
    told = {stem(word) for line in lines for word in _LINES[line]}
    return frozenset((*map(stem, words), *told))


@dataclass(frozen=True, slots=True)
class _Called:
    """What a column, or the rows by the name of their file, is called.

    Attributes:
        words: Its words.
        parts: The parts of these words, each with its word.
        shorts: Those of the words that may be short for others.
        initials: Those of the words that are written in capitals.
        is_value: Whether it is a value by which rows are told apart.
    """

    words: tuple[str, ...]
    parts: tuple[tuple[str, str], ...]
    shorts: tuple[str, ...]
    initials: tuple[str, ...]
    is_value: bool = False


@lru_cache(maxsize=2_000)
def _called(name: str) -> _Called:
    words = [word for word in header_words(name) if word.isalpha() and word not in _ASKING]
    capitals = [word.lower() for word in _WORD.findall(name) if word.isupper()]
    return _Called(
        tuple(words),
        tuple((part, word) for word in words for part in parts_of(word)),
        tuple(word for word in words if len(word) in _SHORT and not meanings_of(word)),
        tuple(word for word in capitals if len(word) >= _INITIALS),
    )


def in_words_of(
    question: str,
    table: TableSample,
    *,
    by_verbs: bool = False,
    elsewhere: Collection[str] = (),
) -> str:
    """Return a question with a table's own words for columns that it calls otherwise.

    Args:
        question: The question.
        table: The table; a word of its headers, its file's name or its values stays.
        by_verbs: Whether rows are called by what was done to them as well: what was spent are the
            expenses, but how much was spent is not how many there are.
        elsewhere: Words of other tables' columns, which stay as well.
    """
    file = PurePosixPath(table.source).stem
    names = [_called(name) for name in (file, *table.columns)]
    names += [
        _Called((word,), ((word, word),), (), (), is_value=True) for word in _categories(table)
    ]
    own = {*table.header_words, *header_words(file)}
    own |= {stem(word) for word in own}
    question = _WORD.sub(lambda word: _apart(word[0], own, table), question)
    words = list(_WORD.finditer(question))
    said = [_without_un(next(iter(tokens(word[0])), "")) for word in words]
    is_free = [word not in elsewhere and _is_free(word, own, table) for word in said]
    changed, behind = [], 0
    place = 0
    while place < len(words):
        are_rows = by_verbs or not DONE.fullmatch(said[place])
        size, text = _named_from(place, said, is_free, names if are_rows else names[1:])
        if text:
            denied = "un" if said[place] not in tokens(words[place][0]) else ""
            changed.append(f"{question[behind : words[place].start()]}{denied}{text}")
            behind = words[place + size - 1].end()
        place += size
    return "".join((*changed, question[behind:]))


def _categories(table: TableSample) -> Iterator[str]:
    """Yield the values of one word by which rows are told apart: "Ausgabe" is what was spent."""
    for column in table.columns.values():
        if column.kind == "text" and column.repeats and len(column.places) <= _MOST_CATEGORIES:
            for value in column.places:
                if len(value) == 1 and len(value[0]) >= _SHORTEST_CATEGORY:
                    yield value[0]


def _without_un(word: str) -> str:
    """Return what a word such as "unpaid" denies; other words as they are."""
    rest = word.removeprefix("un")
    return rest if meanings_of(rest) and not meanings_of(word) else word


def _apart(word: str, own: set[str], table: TableSample) -> str:
    """Return a German compound as two words, unless the table has it; any other word as it is."""
    apart = written_apart(word)
    if apart == word:
        apart = _apart_before(word, own, table)
    # a word is looked for in all values, so only where it matters
    is_free = apart != word and _is_free(next(iter(tokens(word)), ""), own, table)
    return apart if is_free else word


def _apart_before(word: str, own: Collection[str], table: TableSample) -> str:
    """Return a compound that ends with a word of the table as two: "Stromkosten" of `Kosten`.

    Where it begins with the name of numbers, these are meant: "Wasserverbrauch" of `Wasser_m3`.
    """
    said = next(iter(tokens(word)), "")
    tails = [each for each in own if len(each) >= _SHORTEST_TAIL and said.endswith(each)]
    tail = max(tails, key=len, default="")
    head = said.removesuffix(tail)
    if not tail or len(head) < _SHORTEST_PART:
        return word
    heads = {head.removesuffix(joint) for joint in _JOINTS}
    measured = [c for c in table.columns.values() if not heads.isdisjoint(header_words(c.name))]
    if len(measured) == 1 and measured[0].has_numbers:
        return measured[0].name
    return f"{_without_joint(head)} {tail}"


def _is_free(word: str, own: set[str], table: TableSample) -> bool:
    """Return whether a word may stand for another one: it is none of the table's."""
    if not word or word in FALSE_FRIENDS or not _ASKING.isdisjoint({word, stem(word)}):
        return False
    if not own.isdisjoint({word, stem(word)}):
        return False
    columns = (column for column in table.columns.values() if column.kind == "text")
    return not any(word in value for column in columns for value in column.places)


def _named_from(
    place: int, said: Sequence[str], is_free: Sequence[bool], names: Sequence[_Called]
) -> tuple[int, str]:
    """Return how many words from a place on stand for a column, and its words; (1, "") if none."""
    for size in range(_MOST_WORDS, 0, -1):
        run = said[place : place + size]
        if len(run) == size and all(is_free[place : place + size]):
            found = list(_columns_of(run, names))
            if found:
                return size, min(found)[-1]
    return 1, ""


def _columns_of(run: Sequence[str], names: Sequence[_Called]) -> Iterator[tuple[int, int, str]]:
    """Yield the columns that words stand for: the parts that they leave, their place, the words."""
    for at, called in enumerate(names):
        initials = "".join(word[0] for word in run)
        if len(run) > 1 and initials in called.initials:
            yield 0, at, initials
        found = _words_for(run, called)
        if found:
            yield len(called.parts) - len(run), at, found


def _words_for(run: Sequence[str], called: _Called) -> str:
    """Return the words of a name that words of a question stand for; "" if one is for none."""
    left, found = list(called.parts), set()
    for word in run:
        part = next((each for each in left if _is_same(word, each[0], called)), None)
        if part is None:
            return ""
        left.remove(part)
        found.add(part[1])
    return " ".join(word for word in called.words if word in found)


def _is_same(word: str, part: str, called: _Called) -> bool:
    """Return whether a word means what a part of a name means, or what it is short for."""
    if part in called.shorts and len(word) >= _LONG and word.startswith(part):
        return True
    compound = (_WITH_COST if called.is_value else _WITH_VALUE).fullmatch(word)
    if compound and _is_form_of(compound["what"], part):
        return True
    if called.is_value:
        # the stem of "marked" is that of a brand
        return _is_form_of(word, part) or not _lines_of(word).isdisjoint(_lines_of(part))
    return _is_form_of(word, part) or not meanings_of(word).isdisjoint(meanings_of(part))


@lru_cache(maxsize=20_000)
def _lines_of(word: str) -> frozenset[int]:
    """Return the lines of the vocabulary that have a word itself, which may be a plural."""
    forms = (word, word.removesuffix("s"), word.removesuffix("n"))
    return frozenset(n for n, line in enumerate(_LINES) if not set(forms).isdisjoint(line))


def _is_form_of(word: str, part: str) -> bool:
    """Return whether two words are forms of one: "Völker" and "Volk", "expires" and "expiry"."""
    if _forms(word)[1] == _forms(part)[1]:
        return True
    longer = max(len(word), len(part))
    shared = next((i for i in range(longer) if word[i : i + 1] != part[i : i + 1]), longer)
    return shared >= _SHARED and longer - shared <= _ENDING
