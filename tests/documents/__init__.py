"""Tests of the conversion of documents, including hostile ones, to Markdown."""
