"""Checks of where pods run, and of what keeps them there."""
