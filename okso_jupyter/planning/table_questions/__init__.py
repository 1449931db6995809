"""Questions about tables: the queries that a question may mean, ranked with probabilities.

In: a request and the tables of a folder. Out: `QueryReading`s, best first (`table_request`), and
what a follow-up changes. `recognition`, `meant_table` and `related_tables` find the table,
`filters` and `enumeration` make candidates, `answers` evaluates them, `features` and
`fitted_weights` rank them, `stated_*` keep what is said. Imported by planning, runs, benchmarks.
"""
