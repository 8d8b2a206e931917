"""Checks of addresses and of ways into the cluster."""
