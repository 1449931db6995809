"""Tests of the sandbox: attacks, bounds, protocol, values."""
