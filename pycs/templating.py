"""The templates of `pycs/templates`, filled in: one place that says how."""

from __future__ import annotations

from typing import Any

__all__ = ["rendered"]


def rendered(template: str, **what: Any) -> str:
    """A template with these words in their places, escaped; a word that is missing is an error, not a blank."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(loader=PackageLoader("pycs"), autoescape=True, undefined=StrictUndefined)
    return environment.get_template(template).render(what)
