"""Checks of the names that the cluster looks up."""
