// Package state is the state of one run, with the trace of its steps. It is the CognitiveState of
// seed 003. Values are those of JSON: nil, bool, numbers, string, []any and map[string]any.
//
// Steps read by references ([State.Resolve], [State.MapInput]) and write by output mappings ([State.Write]). A [Run] executes steps on a
// State and records the trace. The package performs no I/O; the clock is injected.
package state

import (
	"maps"
	"time"
)

// Version is the version of the State format.
const Version = "1.0.0"

// Status is the outcome of a run or a step.
type Status string

// The statuses.
const (
	Pending   Status = "pending"
	Running   Status = "running"
	Completed Status = "completed"
	Failed    Status = "failed"
	Skipped   Status = "skipped" // a step whose condition does not hold
)

// Namespace is the first word of a reference.
type Namespace string

// The namespaces. No step reads or writes the trace.
const (
	Inputs     Namespace = "inputs"
	Vars       Namespace = "vars"
	Outputs    Namespace = "outputs"
	Frame      Namespace = "frame"
	Working    Namespace = "working"
	Output     Namespace = "output"
	Extensions Namespace = "extensions"
	TraceSpace Namespace = "trace"
)

type rule struct {
	readable, writable bool
	strict             bool     // reading a missing value is an error
	lists              bool     // paths lead into lists
	slots              []string // the first words of targets; any if nil
}

// WorkingSlots are the slots of the working memory. The first is a map, the others are lists.
var WorkingSlots = []string{
	"artifacts", "entities", "options", "criteria", "evidence", "risks", "hypotheses", "uncertainties", "intermediate_decisions", "messages",
}

// OutputSlots are the fields of the result metadata.
var OutputSlots = []string{"result", "result_type", "summary", "status_reason"}

// FrameSlots are the fields of the frame.
var FrameSlots = []string{"goal", "context", "constraints", "success_criteria", "assumptions", "priority"}

var rules = map[Namespace]rule{
	Inputs:     {readable: true},
	Vars:       {readable: true, writable: true, strict: true},
	Outputs:    {readable: true, writable: true, strict: true},
	Frame:      {readable: true, lists: true},
	Working:    {readable: true, writable: true, strict: true, lists: true, slots: WorkingSlots},
	Output:     {readable: true, writable: true, lists: true, slots: OutputSlots},
	Extensions: {readable: true, writable: true, lists: true},
	TraceSpace: {},
}

// Event is an entry of the event log of a run.
type Event struct {
	Type string         `json:"type"`
	Step string         `json:"step,omitempty"`
	Data map[string]any `json:"data,omitempty"`
}

// Options are the initial values of a State.
type Options struct {
	TraceID      string
	Inputs       map[string]any
	Frame        map[string]any
	SkillVersion string
	ParentRunID  string
	Clock        func() time.Time // time.Now if nil
}

// State is the state of one run.
type State struct {
	spaces map[Namespace]map[string]any
	// written are the targets that steps of the run wrote: a second plain write to one is an error.
	written map[string]bool
	// absent are the targets of skipped steps: reading one that is not set gives nil.
	absent []string
	clock  func() time.Time

	Events      []Event
	StepResults map[string]StepResult
	Status      Status
	TraceID     string
	Trace       Trace

	StateVersion string
	SkillVersion string
	Iteration    int
	CurrentStep  string
	ParentRunID  string
	UpdatedAt    time.Time // of the last mutation; zero before the first
}

// New returns the State of a run that has not started. Inputs and frame are copied.
func New(o Options) *State {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	working := map[string]any{}
	for i, slot := range WorkingSlots {
		if working[slot] = []any{}; i == 0 {
			working[slot] = map[string]any{}
		}
	}
	s := &State{
		spaces: map[Namespace]map[string]any{
			Inputs: copyMap(o.Inputs), Vars: {}, Outputs: {}, Frame: copyMap(o.Frame), Working: working, Output: blank(OutputSlots), Extensions: {},
		},
		written: map[string]bool{}, clock: o.Clock, StepResults: map[string]StepResult{}, Status: Pending, TraceID: o.TraceID,
		StateVersion: Version, SkillVersion: o.SkillVersion, ParentRunID: o.ParentRunID,
	}
	return s
}

func blank(slots []string) map[string]any {
	out := map[string]any{}
	for _, slot := range slots {
		out[slot] = nil
	}
	return out
}

// Space returns a copy of the values of a namespace; nil for the trace.
func (s *State) Space(n Namespace) map[string]any {
	if s.spaces[n] == nil {
		return nil
	}
	return copyMap(s.spaces[n])
}

// Peek returns the values of a namespace, which the caller must not change.
func (s *State) Peek(n Namespace) map[string]any { return s.spaces[n] }

// Load sets values of a namespace.
func (s *State) Load(n Namespace, values map[string]any) {
	space := maps.Clone(s.spaces[n])
	maps.Copy(space, copyMap(values))
	s.spaces[n] = space
}

func (s *State) touch() { s.UpdatedAt = s.clock() }

// Copy returns a deep copy of a value.
func Copy(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return copyMap(v)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = Copy(x)
		}
		return out
	}
	return v
}

func copyMap(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = Copy(v)
	}
	return out
}
