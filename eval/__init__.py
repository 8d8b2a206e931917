"""The judged search queries and the report over them; `python -m eval` prints it."""
