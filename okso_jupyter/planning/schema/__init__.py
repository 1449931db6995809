"""The plan schema for one request: its tools, their arguments, and the values it names.

In: offered tools and facts. Out: a JSON Schema that constrains decoding.
"""
