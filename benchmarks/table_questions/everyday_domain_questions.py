"""Everyday trial: requests over nine tables, with the right answer as a pandas expression.

All were written before it was looked at what fails. `FIRST` may be looked at to mend what fails;
`SECOND`, over other tables, only says how far that holds for others. In an expression `d` is the
table; a list is the answer's rows, a tuple one row. "bar: ..." says which chart is wanted as well.
"""

from __future__ import annotations

from typing import Final

from benchmarks.table_questions.trial_questions import Questions

FIRST: Final[Questions] = {
    "sensors.csv": {
        "How many readings are in sensors.csv?": "[len(d)]",
        "whats the avg temperture per location in sensors.csv": (
            "d.groupby('location').temperature_c.mean().tolist()"
        ),
        "Which sensor reported offline most often in sensors.csv?": (
            "[d[d.status == 'offline'].sensor_id.value_counts().idxmax()]"
        ),
        "How many humidity values are missing in sensors.csv?": "[d.humidity.isna().sum()]",
        "Highest temperature in the attic after February 2026 in sensors.csv": (
            "[d[(d.location == 'attic') & (d.timestamp >= '2026-03-01')].temperature_c.max()]"
        ),
        "How many readings in sensors.csv have a battery below 20?": (
            "[(d.battery_pct < 20).sum()]"
        ),
        "Is temperature correlated with humidity in sensors.csv?": (
            "[d.temperature_c.corr(d.humidity)]"
        ),
        "When was the last reading of S3 in sensors.csv?": (
            "[d[d.sensor_id == 'S3'].timestamp.max()]"
        ),
        "plot the mean humidity by location from sensors.csv": (
            "bar: d.groupby('location').humidity.mean().tolist()"
        ),
        "Wie viele Messungen hatten nicht den Status ok in sensors.csv?": (
            "[(d.status != 'ok').sum()]"
        ),
    },
    "invoices.csv": {
        "what is the totl amount in invoices.csv": "[d.amount.sum()]",
        "Show the three largest orders in invoices.csv": (
            "d.nlargest(3, 'amount').amount.tolist()"
        ),
        "How many invoices are not paid in invoices.csv?": "[(d.paid == 'no').sum()]",
        "Which customer has the highest total amount in invoices.csv?": (
            "[d.groupby('customer').amount.sum().idxmax()]"
        ),
        "total amount of unpaid invoices from Norway in invoices.csv": (
            "[d[(d.paid == 'no') & (d.country == 'Norway')].amount.sum()]"
        ),
        "invoices.csv: how many were ordered in March 2025?": (
            "[((d.ordered.dt.year == 2025) & (d.ordered.dt.month == 3)).sum()]"
        ),
        "What share of the amount in invoices.csv comes from Germany, in percent?": (
            "[100 * d[d.country == 'Germany'].amount.sum() / d.amount.sum()]"
        ),
        "top 5 customers by number of invoices in invoices.csv": (
            "d.customer.value_counts().nlargest(5).tolist()"
        ),
        "How many invoices in invoices.csv are due after 2026-03-15?": (
            "[(d.due > '2026-03-15').sum()]"
        ),
        "median amount per country, invoices.csv": (
            "d.groupby('country').amount.median().tolist()"
        ),
    },
    "students.csv": {
        "Who has the best math score in students.csv?": "[d.loc[d.math.idxmax(), 'student']]",
        "average reading score of the girls in students.csv (gender female)": (
            "[d[d.gender == 'female'].reading.mean()]"
        ),
        "How many students have a scholarship in students.csv?": "[d.scholarship.sum()]",
        "How many students per class are in students.csv?": "d.groupby('class').size().tolist()",
        "Which class has the fewest absences in total in students.csv?": (
            "[d.groupby('class').absences.sum().idxmin()]"
        ),
        "students.csv: list the students with more than 18 absences": (
            "d[d.absences > 18].student.tolist()"
        ),
        "How many students in students.csv were born in 2013?": (
            "[(d.birthday.dt.year == 2013).sum()]"
        ),
        "correlation between math and reading in students.csv": "[d.math.corr(d.reading)]",
        "What percentage of the students in students.csv is male?": (
            "[100 * (d.gender == 'male').mean()]"
        ),
        "histogram of the absences in students.csv": "histogram: d.absences.tolist()",
    },
    "lager.csv": {
        "Wie viele Artikel gibt es in lager.csv?": "[len(d)]",
        "Was kostet Hammer M in lager.csv?": "[d[d.Artikel == 'Hammer M'].Stückpreis.iloc[0]]",
        "Welcher Lieferant liefert die meisten Artikel in lager.csv?": (
            "[d.Lieferant.value_counts().idxmax()]"
        ),
        "Gesamtbestand pro Gruppe in lager.csv": "d.groupby('Gruppe').Bestand.sum().tolist()",
        "Zeige alle Artikel mit einem Bestand unter 50 in lager.csv": (
            "d[d.Bestand < 50].Artikel.tolist()"
        ),
        "Durchschnittspreis der Werkzeuge in lager.csv": (
            "[d[d.Gruppe == 'Werkzeug'].Stückpreis.mean()]"
        ),
        "Welche Artikel liegen in Halle B? lager.csv": (
            "d[d.Lagerort == 'Halle B'].Artikel.tolist()"
        ),
        "Nenne die 5 teuersten Artikel aus lager.csv": (
            "d.nlargest(5, 'Stückpreis').Artikel.tolist()"
        ),
        "Wie viele Artikel kamen nach Juni 2025 an (Letzter Eingang) in lager.csv?": (
            "[(d['Letzter Eingang'] >= '2025-07-01').sum()]"
        ),
        "how many articles does each Lagerort have in lager.csv": (
            "d.groupby('Lagerort').size().tolist()"
        ),
    },
    "survey.tsv": {
        "What is the median income in survey.tsv?": "[d.income.median()]",
        "how many ppl would recommend us in survey.tsv": "[(d.recommend == 'yes').sum()]",
        "average satisfaction by region in survey.tsv": (
            "d.groupby('region').satisfaction.mean().tolist()"
        ),
        "How many respondents in survey.tsv are between 30 and 40 years old?": (
            "[d.age.between(30, 40).sum()]"
        ),
        "Which region has the highest average income in survey.tsv?": (
            "[d.groupby('region').income.mean().idxmax()]"
        ),
        "What percent of the respondents left no comment in survey.tsv?": (
            "[100 * d.comment.isna().mean()]"
        ),
        "How many people outside London answered survey.tsv?": "[(d.region != 'London').sum()]",
        "standard deviation of hours per week in survey.tsv": "[d.hours_per_week.std()]",
        "Compare the mean income of Wales and Scotland in survey.tsv": (
            "d[d.region.isin(['Wales', 'Scotland'])].groupby('region').income.mean().tolist()"
        ),
        "scatter plot of age and income from survey.tsv": ("scatter: d.age.tolist()"),
    },
    "visits.csv": {
        "How many requests in visits.csv returned a 404?": "[(d.status == 404).sum()]",
        "Which path is requested the most in visits.csv?": "[d.path.value_counts().idxmax()]",
        "slowest request in visits.csv": "[d.duration_ms.max()]",
        "total bytes by browser in visits.csv": "d.groupby('browser').bytes.sum().tolist()",
        "visits per day in visits.csv as a line chart": (
            "line: d.groupby(d.time.dt.floor('D')).size().tolist()"
        ),
        "number of distinct countries in visits.csv": "[d.country.nunique()]",
        "average duration for /search in visits.csv": (
            "[d[d.path == '/search'].duration_ms.mean()]"
        ),
        "Which browser had the most errors 500 in visits.csv?": (
            "[d[d.status == 500].browser.value_counts().idxmax()]"
        ),
        "How many visits came from Germany or Poland (DE, PL) in visits.csv?": (
            "[d.country.isin(['DE', 'PL']).sum()]"
        ),
        "how many requests took longer than 2 seconds (2000 ms) in visits.csv": (
            "[(d.duration_ms > 2000).sum()]"
        ),
    },
}

SECOND: Final[Questions] = {
    "flights.csv": {
        "whats the avrage delay in flights.csv": "[d.delay_min.mean()]",
        "Which airline has the longest total delay in flights.csv?": (
            "[d.groupby('airline').delay_min.sum().idxmax()]"
        ),
        "How many flights left Vienna after September 2025 in flights.csv?": (
            "[((d.origin == 'Vienna') & (d.departure >= '2025-10-01')).sum()]"
        ),
        "How many flights in flights.csv were cancelled?": "[(d.cancelled == 'yes').sum()]",
        "show the four longest flights in flights.csv": (
            "d.nlargest(4, 'distance_km').distance_km.tolist()"
        ),
        "flights per destination in flights.csv": "d.groupby('destination').size().tolist()",
        "What share of the flights in flights.csv is by Nimbus, in percent?": (
            "[100 * (d.airline == 'Nimbus').mean()]"
        ),
        "How many flights from Lisbon to Athens are in flights.csv?": (
            "[((d.origin == 'Lisbon') & (d.destination == 'Athens')).sum()]"
        ),
        "bar chart of the mean delay by airline in flights.csv": (
            "bar: d.groupby('airline').delay_min.mean().tolist()"
        ),
        "totl number of seats of Aeris in flights.csv": "[d[d.airline == 'Aeris'].seats.sum()]",
    },
    "recipes.csv": {
        "How many recipes are vegetarian in recipes.csv?": "[(d.vegetarian == 'yes').sum()]",
        "Which recipe takes the longest in recipes.csv?": "[d.loc[d.minutes.idxmax(), 'recipe']]",
        "recipes.csv: which recipes take less than 20 minutes?": (
            "d[d.minutes < 20].recipe.tolist()"
        ),
        "median calories of the thai recipes in recipes.csv": (
            "[d[d.cuisine == 'Thai'].calories.median()]"
        ),
        "For how many recipes in recipes.csv are the calories unknown?": (
            "[d.calories.isna().sum()]"
        ),
        "average rating per cuisine in recipes.csv": "d.groupby('cuisine').rating.mean().tolist()",
        "How many recipes in recipes.csv are not Italian?": "[(d.cuisine != 'Italian').sum()]",
        "best rated polish recipe in recipes.csv": (
            "[d.loc[d[d.cuisine == 'Polish'].rating.idxmax(), 'recipe']]"
        ),
        "how many recipes were added in 2025 in recipes.csv": "[(d.added.dt.year == 2025).sum()]",
        "Is there a correlation between minutes and calories in recipes.csv?": (
            "[d.minutes.corr(d.calories)]"
        ),
    },
    "mieten.csv": {
        "Wie hoch ist die durchschnittliche Kaltmiete in mieten.csv?": "[d.Kaltmiete.mean()]",
        "Wie viele Wohnungen in mieten.csv haben einen Balkon?": "[(d.Balkon == 'ja').sum()]",
        "Welcher Stadtteil hat die meisten Wohnungen in mieten.csv?": (
            "[d.Stadtteil.value_counts().idxmax()]"
        ),
        "Anzahl der Wohnungen je Zimmer in mieten.csv": "d.groupby('Zimmer').size().tolist()",
        "Wie viele Wohnungen in Altona kosten weniger als 900? mieten.csv": (
            "[((d.Stadtteil == 'Altona') & (d.Kaltmiete < 900)).sum()]"
        ),
        "Median der Kaltmiete pro Stadtteil in mieten.csv": (
            "d.groupby('Stadtteil').Kaltmiete.median().tolist()"
        ),
        "Die drei größten Wohnungen in mieten.csv (Flaeche_qm)": (
            "d.nlargest(3, 'Flaeche_qm').Flaeche_qm.tolist()"
        ),
        "Wie viele Wohnungen wurden vor 1950 gebaut (Baujahr) in mieten.csv?": (
            "[(d.Baujahr < 1950).sum()]"
        ),
        "Korrelation zwischen Kaltmiete und Flaeche_qm in mieten.csv": (
            "[d.Kaltmiete.corr(d.Flaeche_qm)]"
        ),
        "cheapest flat in Barmbek in mieten.csv": ("[d[d.Stadtteil == 'Barmbek'].Kaltmiete.min()]"),
    },
}
