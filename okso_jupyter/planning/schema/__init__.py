"""The plan schema for one request: these tools, these arguments, values that the request names.

In: offered tools and facts. Out: a JSON Schema that constrains decoding.
"""
