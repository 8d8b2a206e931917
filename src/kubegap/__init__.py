"""kubegap: public Kubernetes and GPU incidents as a library, and a read-only checker grounded in them."""
