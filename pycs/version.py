"""The version of this package; the build reads it here, and compiles it into the core."""

__version__ = "0.1.0"
