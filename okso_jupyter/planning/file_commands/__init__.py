"""File commands: requests that say what to do with named files, and ask for nothing else.

In: the request and the names that it holds. Out: the steps of a plan, or nothing. Precision comes
first: a request of which one word is not understood is left to the model. English and German.
"""
