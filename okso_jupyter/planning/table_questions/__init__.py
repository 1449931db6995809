"""Questions about one table: the queries that a question may mean, ranked with probabilities.

In: a request and the beginning of the table that it names. Out: `QueryReading`s, best first, and a
`Planning` with their plans. `words` and `table` read, `filters` and `candidates` enumerate,
`answers` evaluates, `features` and `weights` rank. Imported by planning, runs and benchmarks.
"""
