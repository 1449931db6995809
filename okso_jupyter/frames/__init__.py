"""DataFrames with declared columns: views of records that hold no data of their own.

In: records of the plan model. Out: pandas DataFrames with the declared dtypes, even when empty.
Import its modules inside the functions that need a table: pandas is slow to load.
"""
