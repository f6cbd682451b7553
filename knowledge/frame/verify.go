package frame

import (
	"context"
	"fmt"

	"github.com/causaldocs/causal/knowledge/fact"
)

// Observer re-checks raw observations, such as a file's content or a listing. It cannot verify free text.
type Observer interface {
	// Holds reports whether the evidence still holds, and if not, why.
	Holds(e fact.Observation) (holds bool, why string, err error)
}

// Outcome is the result of verifying one frame.
type Outcome string

// Outcomes.
const (
	Holds Outcome = "holds"
	Fell  Outcome = "fell"
	Open  Outcome = "open" // no conclusion to verify
)

// Verdict is the outcome of one frame with all failures.
type Verdict struct {
	FrameID  string
	Outcome  Outcome
	Verified int // pieces of evidence that hold
	Total    int // pieces of evidence
	Failures []Failure
}

// Failure is a reason why a frame does not hold.
type Failure struct {
	Evidence string // empty if the frame itself was already invalidated
	Why      string
}

// Verification is the result of verifying all frames.
type Verification struct {
	Verdicts []Verdict // children before their parents, the root last
	Verified int       // frames that hold
	Total    int       // frames with a conclusion
}

// String returns the counts, as in "verified 3 of 4".
func (v Verification) String() string { return fmt.Sprintf("verified %d of %d", v.Verified, v.Total) }

// Verify re-checks every frame, from the leaves to the root. A frame holds if it is not invalidated and all its
// evidence and cited frames hold. Frames in a citation cycle hold unless other evidence of one fails. The tree does
// not change. An error of the observer aborts the verification.
func (v View) Verify(ctx context.Context, observer Observer) (Verification, error) {
	w := walk{f: v.f, observer: observer, seen: map[string]observation{}, verdicts: map[*node]*Verdict{}}
	order := v.f.postOrder()
	for _, n := range order {
		if err := ctx.Err(); err != nil {
			return Verification{}, err
		}
		if err := w.check(n); err != nil {
			return Verification{}, fmt.Errorf("verify frame %s: %w", n.ID, err)
		}
	}
	w.propagate(order)
	var result Verification
	for _, n := range order {
		verdict := w.conclude(n)
		result.Verdicts = append(result.Verdicts, verdict)
		if verdict.Outcome != Open {
			result.Total++
		}
		if verdict.Outcome == Holds {
			result.Verified++
		}
	}
	return result, nil
}

type observation struct {
	holds bool
	why   string
}

type walk struct {
	f        *forest
	observer Observer
	seen     map[string]observation // by the evidence's text
	verdicts map[*node]*Verdict
}

// check checks a frame's own validity, its raw observations, and that the cited frames exist.
func (w *walk) check(n *node) error {
	verdict := &Verdict{FrameID: n.ID, Outcome: Holds, Total: len(n.Evidence)}
	w.verdicts[n] = verdict
	if n.Conclusion == "" {
		verdict.Outcome = Open
	}
	if n.Validity == Invalidated {
		verdict.Outcome = Fell
	}
	for _, text := range n.Evidence {
		e, err := fact.Parse(text)
		if err != nil {
			return err
		}
		seen, err := w.observe(e, text)
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		if !seen.holds {
			verdict.Outcome = Fell
		}
	}
	return nil
}

func (w *walk) observe(e fact.Observation, text string) (observation, error) {
	if seen, ok := w.seen[text]; ok {
		return seen, nil
	}
	var seen observation
	var err error
	switch cited := w.f.frames[e.Name]; {
	case e.Family != fact.Frames:
		seen.holds, seen.why, err = w.observer.Holds(e)
	case cited == nil:
		seen.why = "not found"
	case cited.Conclusion == "":
		seen.why = "has not concluded"
	default:
		seen.holds = true
	}
	w.seen[text] = seen
	return seen, err
}

func (w *walk) propagate(order []*node) {
	var fallen []*node
	for _, n := range order {
		if w.verdicts[n].Outcome == Fell {
			fallen = append(fallen, n)
		}
	}
	for len(fallen) > 0 {
		n := fallen[len(fallen)-1]
		fallen = fallen[:len(fallen)-1]
		w.seen[fact.Frame(n.ID).String()] = observation{false, "fell"}
		for _, citing := range w.f.citing(n.ID) {
			if verdict := w.verdicts[citing]; verdict.Outcome != Fell {
				verdict.Outcome = Fell
				fallen = append(fallen, citing)
			}
		}
	}
}

func (w *walk) conclude(n *node) Verdict {
	verdict := *w.verdicts[n]
	if n.Validity == Invalidated {
		verdict.Failures = append(verdict.Failures, Failure{Why: "invalidated: " + n.ValidityReason})
	}
	for _, text := range n.Evidence {
		if seen := w.seen[text]; seen.holds {
			verdict.Verified++
		} else {
			verdict.Failures = append(verdict.Failures, Failure{text, seen.why})
		}
	}
	return verdict
}

// postOrder returns the frames with children before their parents.
func (f *forest) postOrder() []*node {
	if f == nil {
		return nil
	}
	stack := append([]string(nil), f.roots...)
	order := make([]*node, len(f.frames))
	for place := len(order) - 1; len(stack) > 0; place-- {
		n := f.frames[stack[len(stack)-1]]
		stack = append(stack[:len(stack)-1], n.Children...)
		order[place] = n
	}
	return order
}
