"""Tests that take long and whose kind is tried by shorter ones as well: `PYCS_LONG=1` runs them."""

import os

import pytest

LONG = bool(os.environ.get("PYCS_LONG"))
"""Whether long tests run."""

long_test = pytest.mark.skipif(not LONG, reason="PYCS_LONG=1 runs it")
"""For a test, or one set of its parameters."""


def long(*values, **options):
    """Parameters of a test that are tried in long runs only."""
    return pytest.param(*values, marks=long_test, **options)
