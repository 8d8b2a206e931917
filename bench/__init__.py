"""Benchmarks against the targets of the design; `python -m bench` prints them."""
