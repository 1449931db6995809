"""Our own requests for analyses: new columns, outliers, tests and several statistics.

They were written before any of them was tried. Twenty are to mend with; of the ten others only the
number of right ones is told. The values that an answer must hold are expressions over the table
`d`, in the order of no one.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Final

#: The name of the table's file.
FILE: Final = "flats.csv"
_ROWS: Final = 80
_DISTRICTS: Final = ("North", "South", "Harbour", "Old Town")


def write_flats(folder: Path) -> None:
    """Write the table of rented flats that the requests are about."""
    chance = random.Random(11)
    lines = ["flat_no,district,rooms,area,rent,heating,deposit,tenant_age,built"]
    for number in range(1, _ROWS + 1):
        rooms = chance.randint(1, 5)
        area = round(18 + 21 * rooms + chance.gauss(0, 6), 1)
        rent = round(9.5 * area + chance.gauss(0, 60), 2)
        rent = round(4.2 * rent, 2) if number in {17, 58} else rent
        heating = round(1.1 * area + chance.gauss(0, 25), 2)
        age = "" if number % 19 == 0 else str(chance.randint(19, 82))
        district = _DISTRICTS[chance.randrange(len(_DISTRICTS))]
        built = chance.randint(1905, 2020)
        deposit = 3 * round(rent / 100) * 100
        cells = (number, district, rooms, area, rent, heating, deposit, age, built)
        lines.append(",".join(map(str, cells)))
    (folder / FILE).write_text("\n".join(lines) + "\n", "utf-8")


_FENCED: Final = (
    "(lambda s: s[s.between(s.quantile(.25) - 1.5 * (s.quantile(.75) - s.quantile(.25)),"
    " s.quantile(.75) + 1.5 * (s.quantile(.75) - s.quantile(.25)))])"
)
_USUAL: Final = "(lambda s: s[((s - s.mean()) / s.std()).abs() <= {n}])"
_Z: Final = "int((((d.{c} - d.{c}.mean()) / d.{c}.std()).abs() > {n}).sum())"

DEVELOPMENT: Final[Mapping[str, str]] = {
    # outliers
    "How many rents in {t} are outliers by z-score, with a threshold of 3?": "["
    + _Z.format(c="rent", n=3)
    + "]",
    "Which flats in {t} have a rent that is an outlier (IQR method)? Show flat_no.": "["
    f"*d.flat_no[~d.rent.isin({_FENCED}(d.rent))]]",
    "What is the mean rent in {t} without outliers (1.5 IQR)?": (
        f"[round({_FENCED}(d.rent).mean(), 2)]"
    ),
    (
        "Compute the standard deviation of rent in {t} after "
        "removing outliers with a z-score above 2."
    ): f"[round({_USUAL.format(n=2)}(d.rent).std(), 2)]",
    "How many outliers does the heating column of {t} have using the interquartile range?": "["
    f"len(d) - len({_FENCED}(d.heating))]",
    "average deposit excluding outliers of rent in {t}": (
        f"[round(d[d.rent.isin({_FENCED}(d.rent))].deposit.mean(), 2)]"
    ),
    # new columns
    "What is the average of rent plus heating in {t}?": "[round((d.rent + d.heating).mean(), 2)]",
    (
        "Create a new column total_cost as the sum of rent and heating in {t}. What is its maximum?"
    ): "[round((d.rent + d.heating).max(), 2)]",
    "Which district in {t} has the highest mean rent per area (rent divided by area)?": "["
    "(d.rent / d.area).groupby(d.district).mean().idxmax()]",
    "Calculate the correlation between the ratio of rent to area and built in {t}.": "["
    "round((d.rent / d.area).corr(d.built), 2)]",
    "mean of the difference between deposit and rent in {t}": (
        "[round((d.deposit - d.rent).mean(), 2)]"
    ),
    "Group tenant_age in {t} into the bins 18-30, 31-50 and 51-90. How many are in each group?": "["
    "int(d.tenant_age.between(18, 30).sum()), int(d.tenant_age.between(31, 50).sum()),"
    " int(d.tenant_age.between(51, 90).sum())]",
    # tests
    (
        "Is the correlation between area and rent in {t} "
        "significant? Give the coefficient and the p-value."
    ): "[round(d.area.corr(d.rent), 2), 'significant']",
    (
        "Is there a significant linear relationship between built "
        "and heating in {t} (alpha = 0.05)?"
    ): "['not significant']",
    "What is the p-value of the Pearson correlation of rooms and built in {t}?": "["
    "round(float(stats.pearsonr(d.rooms, d.built)[1]), 3)]",
    "Is the area in {t} normally distributed?": "[round(float(stats.shapiro(d.area)[1]), 4)]",
    # several columns
    "Which column in {t} correlates most strongly with rent?": "['deposit']",
    "Which of area, rooms and built is most correlated with heating in {t}?": "['area']",
    "What are the mean area and the median rent in {t}?": "["
    "round(d.area.mean(), 2), round(d.rent.median(), 2)]",
    "maximum heating and minimum deposit in {t}": "[d.heating.max(), d.deposit.min()]",
}

HELD_OUT: Final[Mapping[str, str]] = {
    "Count the outliers of deposit in {t} using z-scores (|z| > 3).": "["
    + _Z.format(c="deposit", n=3)
    + "]",
    "Remove the outliers of rent with the IQR method, then calculate the mean area in {t}.": (
        f"[round(d[d.rent.isin({_FENCED}(d.rent))].area.mean(), 2)]"
    ),
    "List flat_no of the outliers in rent in {t} where |z| > 3": "["
    f"*d.flat_no[~d.rent.isin({_USUAL.format(n=3)}(d.rent))]]",
    "Add a column price_per_room = rent / rooms to {t} and give its median.": "["
    "round((d.rent / d.rooms).median(), 2)]",
    (
        "total of rent times 12 is not needed: what is the sum of "
        "rent and deposit on average in {t}?"
    ): "[round((d.rent + d.deposit).mean(), 2)]",
    "mean rent for the age groups 18-40, 41-60 and 61-90 of tenant_age in {t}": "["
    "*[round(d[d.tenant_age.between(a, b)].rent.mean(), 2)"
    " for a, b in ((18, 40), (41, 60), (61, 90))]]",
    "Are rooms and area significantly correlated in {t}?": "['significant']",
    "Which numeric column of {t} has the strongest correlation with deposit?": "['rent']",
    "mean and standard deviation of rent and of area in {t}": "["
    "round(d.rent.mean(), 2), round(d.rent.std(), 2), round(d.area.mean(), 2),"
    " round(d.area.std(), 2)]",
    "Test with Shapiro-Wilk whether heating in {t} follows a normal distribution.": "["
    "round(float(stats.shapiro(d.heating)[1]), 4)]",
}
