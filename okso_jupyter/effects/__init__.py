"""Effects: records of what a call does to the world, and to which files.

They are frozen dataclasses and enums (`Effect`, `FileEffect`, `FileChange`, `NetChanges`, `Paths`)
for declarations of tools and for observed changes. Any package may import this one; it imports no
other package's types.
"""
