"""Questions over tables: the data to fit the ranking of queries with, and to measure it."""
