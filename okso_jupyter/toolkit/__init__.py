"""API for tool authors: the `tool` decorator, the context of a call, and the catalogue.

In: declarations. Out: `Tool`, `ToolCatalog`, `ToolContext`, `ToolOutput`, and checks of calls.
What tools are lent comes from the packages workspace, terminal, sandbox, documents and web.
"""
