"""What pycs raises: every message is one line, quotes the input and says what is allowed."""


class PycsError(Exception):
    """Base of every error that pycs raises on purpose."""


class InputError(PycsError, ValueError):
    """Cards, a profile, a file or an option that cannot be used as given.

    >>> issubclass(InputError, ValueError)
    True
    """


class TableError(PycsError):
    """A table folder that is damaged, unfinished, or was built by other rules or another version."""
