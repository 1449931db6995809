"""Slot filling: narrows the arguments of tools without examples to the values in a request.

In: a request and the parameters of a tool. Out: a schema that offers the values it mentions.
Used only by planning.
"""
