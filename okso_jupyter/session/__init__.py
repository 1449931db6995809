"""The conductor's room: a request goes from room to room until it is answered.

In: requests, settings, tools, a model. Out: `Planning` and `Run`.
`magic` and the package itself import it; it is the only one that imports every room.
"""
