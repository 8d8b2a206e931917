// Modules that carry the real definitions of custom resources; only their files are read, nothing is built.
module kubegap.test/definitions

go 1.26

require (
	github.com/kubeflow/trainer/v2 v2.0.0
	github.com/kubeflow/training-operator v1.9.3
	github.com/ray-project/kuberay/ray-operator v1.5.1
	sigs.k8s.io/karpenter v1.8.2
)
