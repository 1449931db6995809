"""Sort the names of a list, the longest first."""

import sys


def sort_names(names: list[str]) -> list[str]:
    """Return the names, the longest first."""
    return sorted(names, key=len, reverse=True)


if __name__ == "__main__":
    print("\n".join(sort_names(sys.stdin.read().split())))
