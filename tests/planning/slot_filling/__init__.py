"""Requests that are read for the arguments of tools without examples."""
