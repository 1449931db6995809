"""Arguments grounded in a request, for tools that come with a schema and no examples.

In: a request and the parameters of a tool. Out: a schema that offers what the request mentions.
Used by planning alone.
"""
