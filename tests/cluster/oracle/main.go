// Answers questions on standard input, one JSON a line, with the code of Kubernetes itself: `go run . < questions.ndjson`.
// The files quantities.json, selectors.json and placing.json in ../data hold random questions with its answers.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	corev1h "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"
)

type question struct {
	Quantity *string               `json:"quantity,omitempty"`
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	Labels   map[string]string     `json:"labels,omitempty"`
	Pod      *v1.Pod               `json:"pod,omitempty"`
	Node     *v1.Node              `json:"node,omitempty"`
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<26)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		var q question
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			out.Encode("bad question: " + err.Error())
			continue
		}
		switch {
		case q.Quantity != nil:
			v, err := resource.ParseQuantity(*q.Quantity)
			if err != nil {
				out.Encode(nil)
			} else {
				d := v.AsDec()
				out.Encode([]any{d.UnscaledBig().String(), int32(d.Scale())})
			}
		case q.Selector != nil:
			s, err := metav1.LabelSelectorAsSelector(q.Selector)
			if err != nil {
				out.Encode(nil)
			} else {
				out.Encode(s.Matches(labels.Set(q.Labels)))
			}
		default:
			ok, err := nodeaffinity.GetRequiredNodeAffinity(q.Pod).Match(q.Node)
			taints := append([]v1.Taint{}, q.Node.Spec.Taints...)
			if q.Node.Spec.Unschedulable {
				taints = append(taints, v1.Taint{Key: v1.TaintNodeUnschedulable, Effect: v1.TaintEffectNoSchedule})
			}
			_, untolerated := corev1h.FindMatchingUntoleratedTaint(klog.Background(), taints, q.Pod.Spec.Tolerations, func(t *v1.Taint) bool {
				return t.Effect == v1.TaintEffectNoSchedule || t.Effect == v1.TaintEffectNoExecute
			}, false)
			out.Encode(ok && err == nil && !untolerated)
		}
	}
}
