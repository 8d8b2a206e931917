"""Checks of nodes with GPUs and of what runs on them."""
