"""Tests of the plan quality benchmark."""
