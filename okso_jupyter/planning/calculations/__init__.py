"""Calculations: requests that ask for arithmetic, a date or another unit, and for nothing else.

In: the request. Out: the arguments of `calculator`, or None. Precision comes first: a request of
which one word is not understood is left to the model. English and German.
"""
