"""Checks of the API server, admission and what the control plane lives on."""
