"""Checks of what people run: probes, images, replicas, schedules."""
