"""Tests of the sandbox: attacks, limits, protocol, values."""
