package state

import (
	"slices"
	"time"
)

// Step is one step of a run as a State executes it.
type Step struct {
	ID, Capability string
	Input          map[string]any
	Output         map[string]string // path in the result → target
	Merge          Strategy
	// Reads are references that the step reads besides those of its input, as in its condition.
	Reads []string
}

// Usage is the cost of a step.
type Usage struct {
	LLMCalls, ToolCalls, TokensIn, TokensOut int
}

// Start marks the run as running.
func (s *State) Start() {
	s.Status = Running
	s.touch()
}

// Execute runs a step: it maps the input, calls run, maps the output and records the trace. A failed step writes nothing; its
// error is returned, and the run continues only if the caller goes on.
func (s *State) Execute(step Step, run func(input map[string]any) (produced any, used Usage, err error)) error {
	began := s.clock()
	s.CurrentStep = step.ID
	var produced any
	var used Usage
	var writes []string
	input, reads, err := s.MapInput(step.Input)
	if err == nil {
		produced, used, err = run(input)
	}
	if err == nil {
		writes, err = s.Write(step.Output, produced, step.Merge)
	}
	status := Completed
	if err != nil {
		status, writes = Failed, nil
	}
	reads = slices.Concat(reads, step.Reads)
	slices.Sort(reads)
	s.record(step, status, began, slices.Compact(reads), writes, used, produced, err)
	return err
}

// Skip records a step whose condition does not hold. Its targets are nil where no other step sets them.
func (s *State) Skip(step Step) {
	s.CurrentStep = step.ID
	for _, target := range step.Output {
		s.absent = append(s.absent, target)
	}
	s.record(step, Skipped, s.clock(), step.Reads, nil, Usage{}, nil, nil)
}

func (s *State) record(step Step, status Status, began time.Time, reads, writes []string, used Usage, produced any, err error) {
	ended := s.clock()
	took := max(0, ended.Sub(began).Milliseconds())
	t := TraceStep{
		StepID: step.ID, CapabilityID: step.Capability, Status: status, StartedAt: began, EndedAt: ended, LatencyMS: took,
		Reads: append([]string{}, reads...), Writes: append([]string{}, writes...),
	}
	if step.Merge != Overwrite {
		t.Merge = step.Merge
	}
	if err != nil {
		t.Error, produced = err.Error(), nil
		for _, target := range step.Output {
			t.Targets = append(t.Targets, target)
		}
		slices.Sort(t.Targets)
	}
	s.Note(t, produced, used)
}

// Note adds a step that the caller executed, with its result. It does nothing on a nil State.
func (s *State) Note(t TraceStep, produced any, used Usage) {
	if s == nil {
		return
	}
	s.StepResults[t.StepID] = StepResult{
		StepID: t.StepID, Status: t.Status, Produced: Copy(produced), Error: t.Error, Reads: slices.Clone(t.Reads), Writes: slices.Clone(t.Writes), LatencyMS: t.LatencyMS,
	}
	s.Trace.Steps = append(s.Trace.Steps, t)
	m := &s.Trace.Metrics
	m.StepCount++
	m.ElapsedMS += t.LatencyMS
	m.LLMCalls += used.LLMCalls
	m.ToolCalls += used.ToolCalls
	m.TokensIn += used.TokensIn
	m.TokensOut += used.TokensOut
	s.Events = append(s.Events, Event{Type: "step_" + string(t.Status), Step: t.StepID})
	s.touch()
}

// Now reads the clock of the State.
func (s *State) Now() time.Time { return s.clock() }

// Conclude sets the results of the run: named values, and one line about them with the type of the result.
func (s *State) Conclude(outputs map[string]any, kind, summary string) {
	s.Load(Outputs, outputs)
	s.Load(Output, map[string]any{"result_type": kind, "summary": summary})
	s.touch()
}

// End marks the run as over: failed with the reason of err, or completed.
func (s *State) End(err error) {
	s.Status, s.CurrentStep = Completed, ""
	if err != nil {
		s.Status = Failed
		s.spaces[Output]["status_reason"] = err.Error()
	}
	s.touch()
}
