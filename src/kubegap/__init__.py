"""kubegap: public Kubernetes and GPU incidents as a library, and a read-only checker grounded in them."""

from importlib.metadata import version

__version__ = version("kubegap")
