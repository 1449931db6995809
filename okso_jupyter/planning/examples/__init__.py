"""Examples of tools: which are similar to the request, and the same ones in its own words.

In: a request and the catalogue. Out: ranked tools and adapted examples for the prompt.
"""
