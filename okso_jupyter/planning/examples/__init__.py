"""Tool examples: finds those similar to the request and adapts them to its values.

In: a request and the catalogue. Out: ranked tools and adapted examples for the prompt.
"""
