"""Effects: the vocabulary for what a call does to the world, and to which files.

In: declarations of tools and observed changes. Out: frozen records (`Effect`, `FileEffect`,
`FileChange`, `NetChanges`, `Paths`). Any room may import it; it imports no other room's types.
"""
