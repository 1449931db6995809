"""Trial questions: how people ask a table, with the right answer as a pandas expression.

`DEVELOPMENT` may be looked at to mend what fails; `HELD_OUT` only says how often such questions are
answered rightly. In an expression `d` is the table; a list is the answer's rows, a tuple one row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: Table -> question -> pandas expression.
Questions = Mapping[str, Mapping[str, str]]

DEVELOPMENT: Final[Questions] = {
    "expenses.csv": {
        "how much did we spend in total": "[d.amount.sum()]",
        "total spent by category": "d.groupby('category').amount.sum().tolist()",
        "Who paid the most overall?": "[d.groupby('paid_by').amount.sum().idxmax()]",
        "biggest single expense": "[d.amount.max()]",
        "What share of expenses was paid in cash, in percent?": (
            "[100 * (d.method == 'cash').mean()]"
        ),
        "how many receipts are missing": "[d.receipt_no.isna().sum()]",
        "Average amount for Meals paid by card": (
            "[d[(d.category == 'Meals') & (d.method == 'card')].amount.mean()]"
        ),
        "How many expenses over 500?": "[(d.amount > 500).sum()]",
        "spending per month in 2024": (
            "d[d.date.dt.year == 2024].groupby(d.date.dt.month).amount.sum().tolist()"
        ),
        "top 3 vendors by amount": "d.groupby('vendor').amount.sum().nlargest(3).index.tolist()",
        "list the different payment methods": "d.method.unique().tolist()",
        "Did Mira or Tom spend more?": (
            "[d[d.paid_by.isin(['Mira', 'Tom'])].groupby('paid_by').amount.sum().idxmax()]"
        ),
        "Gesamtbetrag für Travel": "[d[d.category == 'Travel'].amount.sum()]",
        "median ammount in software": "[d[d.category == 'Software'].amount.median()]",
        "when was the last taxi nord expense": "[d[d.vendor == 'Taxi Nord'].date.max()]",
    },
    "loans.md": {
        "How many books are there?": "[len(d)]",
        "which book has the most pages": "[d.loc[d.pages.idxmax(), 'title']]",
        "average fine per branch": "d.groupby('branch').fine.mean().tolist()",
        "Which branch collected the most fines?": "[d.groupby('branch').fine.sum().idxmax()]",
        "How many loans were more than 10 days late?": "[(d.days_late > 10).sum()]",
        "titles in the crime genre": "d[d.genre == 'Crime'].title.tolist()",
        "What genre is Golden Bridge?": "[d[d.title == 'Golden Bridge'].genre.iloc[0]]",
        "what percentage of the loans were renewed": "[100 * (d.renewed == 'yes').mean()]",
        "Calculate the mean reader age": "[d.reader_age.mean()]",
        "how many fantasy books at Hillside": (
            "[((d.genre == 'Fantasy') & (d.branch == 'Hillside')).sum()]"
        ),
        "the 4 longest books": "d.nlargest(4, 'pages').title.tolist()",
        "count of books by genre": "d.groupby('genre').size().tolist()",
        "How old is the youngest reader?": "[d.reader_age.min()]",
        "is the fine correlated with the reader age?": "[d.fine.corr(d.reader_age)]",
        "Which book is the shortest in Riverside?": (
            "[d.loc[d[d.branch == 'Riverside'].pages.idxmin(), 'title']]"
        ),
    },
    "kurse.csv": {
        "Wie viele Kurse gibt es?": "[len(d)]",
        "Was kostet Yoga 2?": "[d[d.Kurs == 'Yoga 2'].Preis.iloc[0]]",
        "durchschnittlicher Preis pro Ort": "d.groupby('Ort').Preis.mean().tolist()",
        "Welcher Dozent hat die meisten Kurse?": "[d.Dozent.value_counts().idxmax()]",
        "Wie viele Teilnehmer hat Frau Weber insgesamt?": (
            "[d[d.Dozent == 'Weber'].Teilnehmer.sum()]"
        ),
        "Welcher Kurs ist am teuersten?": "[d.loc[d.Preis.idxmax(), 'Kurs']]",
        "Wie viele Kurse sind online?": "[(d.Online == 'ja').sum()]",
        "Kurse mit weniger als 6 Teilnehmern": "d[d.Teilnehmer < 6].Kurs.tolist()",
        "Anzahl Kurse je Monat": "d.groupby(d.Beginn.dt.month).size().tolist()",
        "Median der Teilnehmer": "[d.Teilnehmer.median()]",
        "Wann beginnt der erste Kurs?": "[d.Beginn.min()]",
        "how many courses cost between 100 and 200": "[d.Preis.between(100, 200).sum()]",
        "Wie hoch ist der Anteil der Kurse im Hafen in Prozent?": (
            "[100 * (d.Ort == 'Hafen').mean()]"
        ),
        "highest number of Teilnehmer in Nordend": "[d[d.Ort == 'Nordend'].Teilnehmer.max()]",
        "Sortiere die Kurse nach Preis": "d.sort_values('Preis').Preis.tolist()",
    },
    "gateway.log": {
        "How many ERROR lines are there?": "[(d.level == 'ERROR').sum()]",
        "Which service logged the most errors?": (
            "[d[d.level == 'ERROR'].service.value_counts().idxmax()]"
        ),
        "how many warnings from search": (
            "[((d.level == 'WARNING') & (d.service == 'search')).sum()]"
        ),
        "number of lines per level": "d.groupby('level').size().tolist()",
        "what was the last error": "[d[d.level == 'ERROR'].message.iloc[-1]]",
        "How many entries mention a timeout?": "[d.message.str.contains('timeout').sum()]",
        "when did the first error happen": "[d[d.level == 'ERROR'].time.min()]",
        "errors per service": "d[d.level == 'ERROR'].groupby('service').size().tolist()",
        "Show the last 5 lines": "d.tail(5).message.tolist()[::-1]",
        "Which services are there?": "d.service.unique().tolist()",
        "most common message": "[d.message.value_counts().idxmax()]",
        "Wie viele Fehler (ERROR) gab es in mailer?": (
            "[((d.level == 'ERROR') & (d.service == 'mailer')).sum()]"
        ),
        "how many log lines per hour": "d.groupby(d.time.dt.hour).size().tolist()",
        "share of DEBUG lines in percent": "[100 * (d.level == 'DEBUG').mean()]",
        "How many lines are not INFO?": "[(d.level != 'INFO').sum()]",
    },
}

HELD_OUT: Final[Questions] = {
    "expenses.csv": {
        "What did we spend on software?": "[d[d.category == 'Software'].amount.sum()]",
        "mean amount per paid_by": "d.groupby('paid_by').amount.mean().tolist()",
        "Which category costs us the most?": "[d.groupby('category').amount.sum().idxmax()]",
        "smallest amount paid to the Canteen": "[d[d.vendor == 'Canteen'].amount.min()]",
        "percentage of expenses in the Office category": (
            "[100 * (d.category == 'Office').mean()]"
        ),
        "How many entries have no receipt_no?": "[d.receipt_no.isna().sum()]",
        "total amount Tom paid by invoice": (
            "[d[(d.paid_by == 'Tom') & (d.method == 'invoice')].amount.sum()]"
        ),
        "number of expenses below 20": "[(d.amount < 20).sum()]",
        "amount by month": "d.groupby(d.date.dt.month).amount.sum().tolist()",
        "the five highest amounts": "d.nlargest(5, 'amount').amount.tolist()",
        "How many different vendors do we use?": "[d.vendor.nunique()]",
        "Which is higher, the average amount for Travel or for Meals?": (
            "[d[d.category.isin(['Travel', 'Meals'])].groupby('category').amount.mean().idxmax()]"
        ),
        "Wie viele Ausgaben hat Yusuf bezahlt?": "[(d.paid_by == 'Yusuf').sum()]",
        "averge amout for hotel adler": "[d[d.vendor == 'Hotel Adler'].amount.mean()]",
        "how many expenses were there in March 2025": (
            "[((d.date.dt.year == 2025) & (d.date.dt.month == 3)).sum()]"
        ),
    },
    "loans.md": {
        "number of loans": "[len(d)]",
        "Which title has the highest fine?": "[d.loc[d.fine.idxmax(), 'title']]",
        "mean pages by genre": "d.groupby('genre').pages.mean().tolist()",
        "Which genre has the fewest books?": "[d.genre.value_counts().idxmin()]",
        "How many books have at least 500 pages?": "[(d.pages >= 500).sum()]",
        "show all titles at the Central branch": "d[d.branch == 'Central'].title.tolist()",
        "At which branch is Hidden Winter?": "[d[d.title == 'Hidden Winter'].branch.iloc[0]]",
        "What percentage of loans come from Hillside?": "[100 * (d.branch == 'Hillside').mean()]",
        "Compute the standard deviation of the pages": "[d.pages.std()]",
        "sum of fines for poetry": "[d[d.genre == 'Poetry'].fine.sum()]",
        "3 books with the fewest pages": "d.nsmallest(3, 'pages').title.tolist()",
        "how many books does each branch have": "d.groupby('branch').size().tolist()",
        "What is the age of the oldest reader?": "[d.reader_age.max()]",
        "correlation of pages and days late": "[d.pages.corr(d.days_late)]",
        "Which science book was returned latest? (days_late)": (
            "[d.loc[d[d.genre == 'Science'].days_late.idxmax(), 'title']]"
        ),
    },
    "kurse.csv": {
        "Anzahl der Zeilen": "[len(d)]",
        "Wer ist der Dozent von Malen 4?": "[d[d.Kurs == 'Malen 4'].Dozent.iloc[0]]",
        "Summe der Teilnehmer nach Dozent": "d.groupby('Dozent').Teilnehmer.sum().tolist()",
        "An welchem Ort gibt es die wenigsten Kurse?": "[d.Ort.value_counts().idxmin()]",
        "Mittelwert Preis im Hafen": "[d[d.Ort == 'Hafen'].Preis.mean()]",
        "Was ist der billigste Kurs?": "[d.loc[d.Preis.idxmin(), 'Kurs']]",
        "Wie viele Kurse sind nicht online?": "[(d.Online == 'nein').sum()]",
        "Welche Kurse haben mehr als 25 Teilnehmer?": "d[d.Teilnehmer > 25].Kurs.tolist()",
        "Teilnehmer pro Jahr": "d.groupby(d.Beginn.dt.year).Teilnehmer.sum().tolist()",
        "standard deviation of Preis": "[d.Preis.std()]",
        "Wann beginnt Excel 3?": "[d[d.Kurs == 'Excel 3'].Beginn.iloc[0]]",
        "Wie viele Kurse kosten mehr als 250?": "[(d.Preis > 250).sum()]",
        "Welche Orte gibt es?": "d.Ort.unique().tolist()",
        "average Preis of online courses": "[d[d.Online == 'ja'].Preis.mean()]",
        "Zeige die 3 Kurse mit den meisten Teilnehmern": (
            "d.nlargest(3, 'Teilnehmer').Kurs.tolist()"
        ),
    },
    "gateway.log": {
        "count the warnings": "[(d.level == 'WARNING').sum()]",
        "Which source has the most lines?": "[d.service.value_counts().idxmax()]",
        "How many errors did payments log?": (
            "[((d.level == 'ERROR') & (d.service == 'payments')).sum()]"
        ),
        "lines by service": "d.groupby('service').size().tolist()",
        "How many lines contain connection refused?": (
            "[d.message.str.contains('connection refused').sum()]"
        ),
        "When was the last warning?": "[d[d.level == 'WARNING'].time.max()]",
        "warnings per hour": "d[d.level == 'WARNING'].groupby(d.time.dt.hour).size().tolist()",
        "Show the first 3 lines": "d.head(3).message.tolist()",
        "What levels occur?": "d.level.unique().tolist()",
        "How many different messages are there?": "[d.message.nunique()]",
        "How many INFO lines are from auth?": (
            "[((d.level == 'INFO') & (d.service == 'auth')).sum()]"
        ),
        "Wie viele Zeilen hat jede Quelle (service)?": "d.groupby('service').size().tolist()",
        "percentage of lines that are errors": "[100 * (d.level == 'ERROR').mean()]",
        "Which service had the fewest errors?": (
            "[d[d.level == 'ERROR'].service.value_counts().idxmin()]"
        ),
        "errors per day": "d[d.level == 'ERROR'].groupby(d.time.dt.day).size().tolist()",
    },
}
