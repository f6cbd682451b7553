package state

import (
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
