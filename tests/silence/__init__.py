"""Proof of silence: healthy clusters, and what providers install, in which no check finds anything above `info`."""
