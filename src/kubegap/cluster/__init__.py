"""Kubernetes objects as typed records, the snapshot that holds them, and small questions about both."""
