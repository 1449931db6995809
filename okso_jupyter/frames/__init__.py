"""DataFrames as declared columns: views of records, never a second truth.

In: records of the plan model. Out: pandas DataFrames whose dtypes hold when they are empty.
Import its modules where a table is asked for, not at the top of a file: pandas is slow to load.
"""
