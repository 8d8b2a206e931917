"""The plugin in the real clients, without a login and without a model; run by `make test-agents`, nothing is skipped."""
