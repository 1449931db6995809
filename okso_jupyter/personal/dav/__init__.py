"""CalDAV: the entries of a calendar on a server, over TLS, read and written one by one.

In: the address of a collection, a password, a time limit. Out: `ServedEntry`, `Changes`, or a
ToolError. The password is for its server alone, and no write is repeated.
"""
