"""Measuring whether plans damage files, and a fixed sample of that measurement."""
