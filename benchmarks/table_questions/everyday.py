"""Everyday requests over tables, with what a right answer holds as a pandas expression.

They were written before the ranking was fitted, those over the last three tables before it was
fitted again; nothing is fitted on them. In an expression, `d` is the table with dates parsed. An
answer is right if it holds each of the values.
"""

from __future__ import annotations

from typing import Final

#: The columns of the tables that hold dates.
DATES: Final = ("date", "hire_date", "ShippedAt", "start_time", "LastRestocked")

#: Table -> request (with {t} for the file's name) -> pandas expression.
REQUESTS: Final[dict[str, dict[str, str]]] = {
    "sales.csv": {
        "How many rows does {t} have?": "[len(d)]",
        "how many sales are in {t}": "[len(d)]",
        "What is the average price in {t}?": "[d.price.mean()]",
        "mean units in {t}": "[d.units.mean()]",
        "What's the total number of units sold in {t}?": "[d.units.sum()]",
        "How many sales are from region North in {t}?": "[(d.region == 'North').sum()]",
        "How many rows in {t} have region South?": "[(d.region == 'South').sum()]",
        "What is the most expensive product in {t}?": "[d.loc[d.price.idxmax(), 'product']]",
        "Which region sold the most units in {t}?": "[d.groupby('region').units.sum().idxmax()]",
        "average price by region in {t}": "d.groupby('region').price.mean().tolist()",
        "Show the total units per product in {t}": "d.groupby('product').units.sum().tolist()",
        "units sold per region in {t}": "d.groupby('region').units.sum().tolist()",
        "Which products are in {t}?": "d['product'].unique().tolist()",
        "How many different products are there in {t}?": "[d['product'].nunique()]",
        "What is the highest price in the West in {t}?": "[d[d.region == 'West'].price.max()]",
        "How many sales were made in 2024 in {t}?": "[(d.date.dt.year == 2024).sum()]",
        "How many sales between 10 and 20 units are in {t}?": "[d.units.between(10, 20).sum()]",
        "How many sales had more than 30 units in {t}?": "[(d.units > 30).sum()]",
        "What is the median price in {t}?": "[d.price.median()]",
        "What is the standard deviation of price in {t}?": "[d.price.std()]",
        "Is there a correlation between units and price in {t}?": "[d.units.corr(d.price)]",
        "Show the 5 rows with the highest price in {t}": "d.nlargest(5, 'price').price.tolist()",
        "top 3 products by units in {t}": (
            "d.groupby('product').units.sum().nlargest(3).index.tolist()"
        ),
        "How many lamps were sold in {t}?": "[d[d['product'] == 'Lamp'].units.sum()]",
        "average price of desks in {t}": "[d[d['product'] == 'Desk'].price.mean()]",
        "what's the cheapest chair in {t}": "[d[d['product'] == 'Chair'].price.min()]",
        "total units per year in {t}": "d.groupby(d.date.dt.year).units.sum().tolist()",
        "number of sales per month in {t}": "d.groupby(d.date.dt.month).size().tolist()",
        "When was the first sale in {t}?": "[str(d.date.min().date())]",
        "How many units of Office Chair were sold in the East in {t}?": (
            "[d[(d['product'] == 'Office Chair') & (d.region == 'East')].units.sum()]"
        ),
        "Wie viele Zeilen hat {t}?": "[len(d)]",
        "Was ist der durchschnittliche Preis in {t} (price)?": "[d.price.mean()]",
        "wie viele verkäufe sind aus der region North in {t}": "[(d.region == 'North').sum()]",
        "avrage price in {t}": "[d.price.mean()]",
    },
    "employees.csv": {
        "How many employees are in {t}?": "[len(d)]",
        "Who earns the most in {t}? (salary)": "[d.loc[d.salary.idxmax(), 'name']]",
        "Who has the highest salary in {t}?": "[d.loc[d.salary.idxmax(), 'name']]",
        "Who is the youngest employee in {t}?": "[d.loc[d.age.idxmin(), 'name']]",
        "What is the average salary per department in {t}?": (
            "d.groupby('department').salary.mean().tolist()"
        ),
        "Which department has the highest average salary in {t}?": (
            "[d.groupby('department').salary.mean().idxmax()]"
        ),
        "How many people work in Marketing in {t}?": "[(d.department == 'Marketing').sum()]",
        "How many employees live in Berlin in {t}?": "[(d.city == 'Berlin').sum()]",
        "employees per city in {t}": "d.city.value_counts().tolist()",
        "Which city has the most employees in {t}?": "[d.city.value_counts().idxmax()]",
        "What is the salary of Ada Meyer in {t}?": "[d[d.name == 'Ada Meyer'].salary.iloc[0]]",
        "When was Otto Novak hired in {t}?": (
            "[str(d[d.name == 'Otto Novak'].hire_date.iloc[0].date())]"
        ),
        "How many ages are missing in {t}?": "[d.age.isna().sum()]",
        "How many employees are older than 50 in {t}?": "[(d.age > 50).sum()]",
        "What is the average age in Finance in {t}?": "[d[d.department == 'Finance'].age.mean()]",
        "Who was hired first in {t}?": "[d.loc[d.hire_date.idxmin(), 'name']]",
        "Who was hired most recently in {t}?": "[d.loc[d.hire_date.idxmax(), 'name']]",
        "How many people were hired in 2024 in {t}?": "[(d.hire_date.dt.year == 2024).sum()]",
        "What percentage of employees work in Support in {t}?": (
            "[100 * (d.department == 'Support').mean()]"
        ),
        "total salary of the Engineering department in {t}": (
            "[d[d.department == 'Engineering'].salary.sum()]"
        ),
        "List the names of everyone in Zurich in {t}": "d[d.city == 'Zurich'].name.tolist()",
        "Which employees earn more than 100000 in {t}? (salary)": (
            "d[d.salary > 100000].name.tolist()"
        ),
        "What is the difference between the salary of Ada Meyer and Ben Meyer in {t}?": (
            "[abs(d[d.name == 'Ada Meyer'].salary.sum() - d[d.name == 'Ben Meyer'].salary.sum())]"
        ),
        "min and max salary in {t}": "[d.salary.min(), d.salary.max()]",
        "oldest person in Vienna in {t}": ("[d.loc[d[d.city == 'Vienna'].age.idxmax(), 'name']]"),
    },
    "weather.tsv": {
        "What was the hottest day in {t}? (temp_max)": (
            "[str(d.loc[d.temp_max.idxmax(), 'date'].date())]"
        ),
        "What is the highest temp_max in {t}?": "[d.temp_max.max()]",
        "average rain_mm per station in {t}": "d.groupby('station').rain_mm.mean().tolist()",
        "How much rain fell in March in {t}?": "[d[d.date.dt.month == 3].rain_mm.sum()]",
        "How many days had a temp_min below 0 in {t}?": "[(d.temp_min < 0).sum()]",
        "Which station had the most rain in {t}?": "[d.groupby('station').rain_mm.sum().idxmax()]",
        "What is the average temp_max for each month in {t}?": (
            "d.groupby(d.date.dt.month).temp_max.mean().tolist()"
        ),
        "total rain at the Airport in {t}": "[d[d.station == 'Airport'].rain_mm.sum()]",
        "how many stations are in {t}": "[d.station.nunique()]",
        "How many values are missing in rain_mm in {t}?": "[d.rain_mm.isna().sum()]",
        "lowest temp_min at Old Town in {t}": "[d[d.station == 'Old Town'].temp_min.min()]",
        "correlation of temp_max and temp_min in {t}": "[d.temp_max.corr(d.temp_min)]",
    },
    "students.csv": {
        "How many students passed in {t}?": "[(d.passed == 'yes').sum()]",
        "How many students did not pass in {t}?": "[(d.passed == 'no').sum()]",
        "What is the average math score in class 10a in {t}?": (
            "[d[d['class'] == '10a'].math.mean()]"
        ),
        "Which class has the best average in physics in {t}?": (
            "[d.groupby('class').physics.mean().idxmax()]"
        ),
        "Which student has the best math score in {t}?": "[d.loc[d.math.idxmax(), 'student']]",
        "How many students are in each class in {t}?": "d['class'].value_counts().tolist()",
        "What is the physics score of S120 in {t}?": ("[d[d.student == 'S120'].physics.iloc[0]]"),
        "mean and standard deviation of math in {t}": "[d.math.mean(), d.math.std()]",
        "How many students have at least 90 in math in {t}?": "[(d.math >= 90).sum()]",
        "What share of students passed in {t}, in percent?": "[100 * (d.passed == 'yes').mean()]",
        "show the 3 worst students in physics in {t}": (
            "d.nsmallest(3, 'physics').student.tolist()"
        ),
        "What is the range of math scores in {t}?": "[d.math.max() - d.math.min()]",
    },
    "orders.csv": {
        "How many orders are pending in {t}?": "[(d.Status == 'pending').sum()]",
        "How many orders were cancelled in {t}?": "[(d.Status == 'cancelled').sum()]",
        "What is the total value of orders from Germany in {t}? (TotalEUR)": (
            "[d[d.Country == 'Germany'].TotalEUR.sum()]"
        ),
        "Which customer placed the most orders in {t}?": "[d.CustomerName.value_counts().idxmax()]",
        "orders per country in {t}": "d.Country.value_counts().tolist()",
        "How many orders per status are there in {t}?": "d.Status.value_counts().tolist()",
        "What is the average order total in {t}?": "[d.TotalEUR.mean()]",
        "Which country has the highest total in {t}?": (
            "[d.groupby('Country').TotalEUR.sum().idxmax()]"
        ),
        "What is the status of order 5020 in {t}?": "[d[d.OrderID == 5020].Status.iloc[0]]",
        "How many orders above 500 EUR are in {t}?": "[(d.TotalEUR > 500).sum()]",
        "largest order of Stark Industries in {t}": (
            "[d[d.CustomerName == 'Stark Industries'].TotalEUR.max()]"
        ),
        "Which countries are in {t}?": "d.Country.unique().tolist()",
        "how many shiped orders are in {t}": "[(d.Status == 'shipped').sum()]",
        "How many orders from France are not shipped in {t}?": (
            "[((d.Country == 'France') & (d.Status != 'shipped')).sum()]"
        ),
        "sum of TotalEUR for returned orders in {t}": "[d[d.Status == 'returned'].TotalEUR.sum()]",
    },
    "flights.csv": {
        "What is the average delay in {t}?": "[d['Delay (min)'].mean()]",
        "Which airline has the longest average delay in {t}?": (
            "[d.groupby('Airline')['Delay (min)'].mean().idxmax()]"
        ),
        "How many flights go from Berlin to Paris in {t}?": (
            "[((d.Origin == 'Berlin') & (d.Destination == 'Paris')).sum()]"
        ),
        "How many flights start in Oslo in {t}? (Origin)": "[(d.Origin == 'Oslo').sum()]",
        "number of flights per airline in {t}": "d.Airline.value_counts().tolist()",
        "What is the longest distance in {t}?": "[d['Distance (km)'].max()]",
        "Which flight has the longest distance in {t}?": (
            "[d.loc[d['Distance (km)'].idxmax(), 'Flight No']]"
        ),
        "How many flights were delayed by more than 30 minutes in {t}?": (
            "[(d['Delay (min)'] > 30).sum()]"
        ),
        "What is the total distance flown by SkyJet in {t}?": (
            "[d[d.Airline == 'SkyJet']['Distance (km)'].sum()]"
        ),
        "mean delay of AirNova and BlueWing in {t}": (
            "d[d.Airline != 'SkyJet'].groupby('Airline')['Delay (min)'].mean().tolist()"
        ),
        "What is the most common destination in {t}?": "[d.Destination.mode()[0]]",
        "How many delays are missing in {t}?": "[d['Delay (min)'].isna().sum()]",
        "What is the destination of flight FN210 in {t}?": (
            "[d[d['Flight No'] == 'FN210'].Destination.iloc[0]]"
        ),
    },
    "bike_rides.csv": {
        "How long is the average ride in {t}?": "[d.duration_min.mean()]",
        "how many rides started at Riverside in {t}": "[(d.start_station == 'Riverside').sum()]",
        "How many rides went from University to Stadium in {t}?": (
            "[((d.start_station == 'University') & (d.end_station == 'Stadium')).sum()]"
        ),
        "Which start station is the most popular in {t}?": "[d.start_station.mode()[0]]",
        "Which ride covered the greatest distance in {t}?": (
            "[d.loc[d.distance_km.idxmax(), 'ride_id']]"
        ),
        "avg distance for casual riders in {t}": (
            "[d[d.member_type == 'casual'].distance_km.mean()]"
        ),
        "total distance per member type in {t}": (
            "d.groupby('member_type').distance_km.sum().tolist()"
        ),
        "How many rides took longer than an hour in {t}? (60 min)": (
            "[(d.duration_min > 60).sum()]"
        ),
        "number of rides for every month in {t}": (
            "d.groupby(d.start_time.dt.month).size().tolist()"
        ),
        "What was the date and time of the first ride in {t}?": "[str(d.start_time.min())]",
        "How many rides have no distance in {t}?": "[d.distance_km.isna().sum()]",
        "What percent of the rides are by subscribers in {t}?": (
            "[100 * (d.member_type == 'subscriber').mean()]"
        ),
        "end station of ride R4033 in {t}": "[d[d.ride_id == 'R4033'].end_station.iloc[0]]",
        "Do longer rides cover more distance in {t}? Correlation of duration and distance": (
            "[d.duration_min.corr(d.distance_km)]"
        ),
        "whats the shortest duration of a subcriber ride in {t}": (
            "[d[d.member_type == 'subscriber'].duration_min.min()]"
        ),
        "Wie viele Fahrten gibt es pro start_station in {t}?": (
            "d.start_station.value_counts().tolist()"
        ),
    },
    "Inventory.csv": {
        "How many different items are in {t}?": "[d.ItemName.nunique()]",
        "How many hammers do we have in stock in {t}?": (
            "[d[d.ItemName == 'Hammer'].StockQty.sum()]"
        ),
        "Which warehouse holds the most stock in {t}?": (
            "[d.groupby('Warehouse').StockQty.sum().idxmax()]"
        ),
        "average unit price by category in {t}": (
            "d.groupby('Category').UnitPriceEUR.mean().tolist()"
        ),
        "What is the total stock quantity in Hamburg in {t}?": (
            "[d[d.Warehouse == 'Hamburg'].StockQty.sum()]"
        ),
        "What does the Primer cost in Lyon in {t}?": (
            "d[(d.ItemName == 'Primer') & (d.Warehouse == 'Lyon')].UnitPriceEUR.tolist()"
        ),
        "Which supplier delivers the most items in {t}?": "[d.Supplier.value_counts().idxmax()]",
        "List the 4 cheapest items in {t}": "d.nsmallest(4, 'UnitPriceEUR').ItemName.tolist()",
        "How many entries have less than 20 in stock in {t}?": "[(d.StockQty < 20).sum()]",
        "What was restocked last in {t}?": "[d.loc[d.LastRestocked.idxmax(), 'ItemName']]",
        "Which suppliers deliver garden items in {t}?": (
            "d[d.Category == 'Garden'].Supplier.unique().tolist()"
        ),
        "How many paint items cost more than 100 EUR in {t}?": (
            "[((d.Category == 'Paint') & (d.UnitPriceEUR > 100)).sum()]"
        ),
        "avrage stok qty per catagory in {t}": "d.groupby('Category').StockQty.mean().tolist()",
        "How many items were restocked in 2023 in {t}?": (
            "[(d.LastRestocked.dt.year == 2023).sum()]"
        ),
        "What's the most expensive thing supplied by Ozeki in {t}?": (
            "[d.loc[d[d.Supplier == 'Ozeki'].UnitPriceEUR.idxmax(), 'ItemName']]"
        ),
    },
    "wohnungen.csv": {
        "Wie viele Wohnungen gibt es in Leipzig in {t}?": "[(d.Stadt == 'Leipzig').sum()]",
        "Wie hoch ist die durchschnittliche Miete in {t}?": "[d.Miete_EUR.mean()]",
        "durchschnittliche Miete pro Stadt in {t}": "d.groupby('Stadt').Miete_EUR.mean().tolist()",
        "Welche Stadt hat die höchste durchschnittliche Miete in {t}?": (
            "[d.groupby('Stadt').Miete_EUR.mean().idxmax()]"
        ),
        "Was ist die größte Fläche in Bremen in {t}?": "[d[d.Stadt == 'Bremen'].Flaeche_qm.max()]",
        "Wie viele Wohnungen haben einen Balkon in {t}?": "[(d.Balkon == 'ja').sum()]",
        "Anzahl der Wohnungen je Stadtteil in {t}": "d.Stadtteil.value_counts().tolist()",
        "Wie viele Wohnungen haben mehr als 3 Zimmer in {t}?": "[(d.Zimmer > 3).sum()]",
        "Zeige die 5 teuersten Wohnungen in {t} (Miete)": (
            "d.nlargest(5, 'Miete_EUR').Miete_EUR.tolist()"
        ),
        "Wie viele Wohnungen wurden vor 1950 gebaut in {t}? (Baujahr)": (
            "[(d.Baujahr < 1950).sum()]"
        ),
        "median rent in Freiburg in {t} (Miete_EUR)": (
            "[d[d.Stadt == 'Freiburg'].Miete_EUR.median()]"
        ),
        "Which Stadtteil has the lowest average Miete in {t}?": (
            "[d.groupby('Stadtteil').Miete_EUR.mean().idxmin()]"
        ),
        "What is the oldest Baujahr in {t}?": "[d.Baujahr.min()]",
    },
}
