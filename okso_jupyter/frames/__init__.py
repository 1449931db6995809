"""DataFrames as declared columns: views of records, never a second truth.

In: records of the plan model. Out: pandas DataFrames whose dtypes hold when they are empty.
pandas is imported here and nowhere else; the package itself must not import this room's modules.
"""
