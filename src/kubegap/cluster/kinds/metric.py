"""Families of the API server's metrics, as if each series were an object. Their labels are those of `metadata.labels`.

Source: `k8s.io/apiserver` `pkg/endpoints/metrics` at Kubernetes 1.37; the family is there, and stable, since 1.19.
"""

from kubegap.cluster.objects import METRICS, KubernetesObject, Resource


class RequestedDeprecatedAPI(KubernetesObject, frozen=True):
    """That this API server was asked for a deprecated version at least once since it started."""

    resource = Resource("", METRICS, "apiserver_requested_deprecated_apis", "RequestedDeprecatedAPI", namespaced=False)

    @property
    def api_version(self) -> str:
        """The version that was asked for, as objects write it."""
        group, version = self.labels.get("group", ""), self.labels.get("version", "")
        return f"{group}/{version}" if group else version

    @property
    def asked(self) -> str:
        """What was asked for: `ingresses`, `deployments/scale`."""
        return "/".join(filter(None, (self.labels.get("resource"), self.labels.get("subresource"))))

    @property
    def removed_release(self) -> str | None:
        """The minor that does not serve it any more; None where no removal is planned."""
        return self.labels.get("removed_release") or None
