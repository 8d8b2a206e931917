"""Programs for people who work on kubegap."""
