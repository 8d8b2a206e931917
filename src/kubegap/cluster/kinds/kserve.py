"""Models that KServe serves. Source: `github.com/kserve/kserve` `pkg/apis/serving/v1beta1` at August 2026.

A component is a pod spec with a model beside it, which KServe turns into the container `kserve-container` with what the
model's runtime says. Where the Deployment or the pods that came of it were read, these count instead.
"""

from collections.abc import Iterator

from msgspec import Struct, structs

from kubegap.cluster.containers import Container
from kubegap.cluster.fields import PodSpec, PodTemplate
from kubegap.cluster.kinds.workload import Part, Workload, wanted
from kubegap.cluster.objects import Resource

CONTAINER = "kserve-container"


class Component(PodSpec, frozen=True, rename="camel"):
    """A predictor or transformer; models may stand under the name of their framework too."""

    min_replicas: int | None = None
    model: Container | None = None
    huggingface: Container | None = None
    triton: Container | None = None
    pytorch: Container | None = None
    tensorflow: Container | None = None
    onnx: Container | None = None
    sklearn: Container | None = None
    xgboost: Container | None = None

    @property
    def pods(self) -> PodSpec:
        """The pod spec, with the model as a container of it."""
        models = (self.model, self.huggingface, self.triton, self.pytorch, self.tensorflow, self.onnx)
        found = [structs.replace(one, name=CONTAINER) for one in (*models, self.sklearn, self.xgboost) if one]
        return structs.replace(self, containers=[*found, *(self.containers or ())])


class InferenceServiceSpec(Struct, frozen=True):
    """What answers, and what works on questions before it does."""

    predictor: Component = Component()
    transformer: Component | None = None


class InferenceService(Workload, frozen=True):
    """A model that answers requests."""

    resource = Resource("serving.kserve.io", "v1beta1", "inferenceservices", "InferenceService", namespaced=True)
    stands_in = True

    spec: InferenceServiceSpec = InferenceServiceSpec()

    def parts(self) -> Iterator[Part]:
        """One template for each component."""
        for role, component in (("predictor", self.spec.predictor), ("transformer", self.spec.transformer)):
            if component:
                template = PodTemplate(spec=component.pods)
                yield Part(role, f"spec.{role}", template, wanted(component.min_replicas))
