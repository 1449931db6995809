"""Tests of model specs and of the model that runs in this process."""
