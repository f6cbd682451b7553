package state

import (
	"slices"
	"strings"
	"time"
)

// TraceStep is the record of one step.
type TraceStep struct {
	StepID       string    `json:"step_id"`
	CapabilityID string    `json:"capability_id"`
	Status       Status    `json:"status"`
	StartedAt    time.Time `json:"started_at,omitzero"`
	EndedAt      time.Time `json:"ended_at,omitzero"`
	Reads        []string  `json:"reads"`
	Writes       []string  `json:"writes"`
	LatencyMS    int64     `json:"latency_ms"`
	// Merge is the strategy of the writes, where it is not the default.
	Merge Strategy `json:"merge_strategy,omitempty"`
	// Targets are the missing writes of a failed step.
	Targets []string `json:"targets,omitempty"`
	Error   string   `json:"error,omitempty"`
	// Run is the nested run of a step that started one.
	Run string `json:"run_id,omitempty"`
}

// Metrics are sums over the steps of a run.
type Metrics struct {
	StepCount int   `json:"step_count"`
	LLMCalls  int   `json:"llm_calls"`
	ToolCalls int   `json:"tool_calls"`
	TokensIn  int   `json:"tokens_in"`
	TokensOut int   `json:"tokens_out"`
	ElapsedMS int64 `json:"elapsed_ms"`
}

// Trace is the trace of a run.
type Trace struct {
	Steps   []TraceStep `json:"steps"`
	Metrics Metrics     `json:"metrics"`
}

// StepResult is the result of one step.
type StepResult struct {
	StepID    string   `json:"step_id"`
	Status    Status   `json:"status"`
	Produced  any      `json:"produced,omitempty"`
	Error     string   `json:"error,omitempty"`
	Reads     []string `json:"reads"`
	Writes    []string `json:"writes"`
	LatencyMS int64    `json:"latency_ms"`
}

// Overlaps reports whether one of two paths is the other or leads through it.
func Overlaps(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".")
}

func touches(refs []string, ref string) bool {
	return slices.ContainsFunc(refs, func(r string) bool { return Overlaps(r, ref) })
}

// ReadersOf lists the steps that read a reference or a part of it, in order.
func (t Trace) ReadersOf(ref string) (steps []string) {
	for _, s := range t.Steps {
		if touches(s.Reads, ref) {
			steps = append(steps, s.StepID)
		}
	}
	return steps
}

// WritersOf lists the steps that wrote a reference or a part of it, in order.
func (t Trace) WritersOf(ref string) (steps []string) {
	for _, s := range t.Steps {
		if touches(s.Writes, ref) {
			steps = append(steps, s.StepID)
		}
	}
	return steps
}

// Fed lists the later steps that read a write of a step; for a failed step, the readers of its missing writes. Replaced values do not
// count.
func (t Trace) Fed(step string) (steps []string) {
	at := slices.IndexFunc(t.Steps, func(s TraceStep) bool { return s.StepID == step })
	if at < 0 {
		return nil
	}
	live := slices.Concat(t.Steps[at].Writes, t.Steps[at].Targets)
	for _, s := range t.Steps[at+1:] {
		if slices.ContainsFunc(live, func(ref string) bool { return touches(s.Reads, ref) }) {
			steps = append(steps, s.StepID)
		}
		if s.Merge == Append || s.Merge == DeepMerge {
			continue
		}
		live = slices.DeleteFunc(slices.Clone(live), func(ref string) bool {
			return slices.ContainsFunc(s.Writes, func(w string) bool { return ref == w || strings.HasPrefix(ref, w+".") })
		})
	}
	return steps
}

// Reaches lists the later steps that a step feeds directly or through others, in order.
func (t Trace) Reaches(step string) (steps []string) {
	reached := map[string]bool{step: true}
	for _, s := range t.Steps {
		if !reached[s.StepID] {
			continue
		}
		for _, next := range t.Fed(s.StepID) {
			if !reached[next] {
				reached[next] = true
			}
		}
	}
	for _, s := range t.Steps {
		if s.StepID != step && reached[s.StepID] {
			steps = append(steps, s.StepID)
		}
	}
	return steps
}
