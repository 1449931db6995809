"""Tests of recordings and replays."""
