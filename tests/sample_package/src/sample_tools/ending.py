"""Exits the program that imports it."""

import sys

sys.exit("goodbye")
