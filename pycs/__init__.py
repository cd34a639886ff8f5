"""Exact analysis of casino poker: Caribbean Stud and its variants, solved."""
