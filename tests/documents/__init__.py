"""Tests of documents as Markdown, hostile ones among them."""
