package workspace

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/causaldocs/causal/app/atomic"
	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/knowledge/state"
)

// TracedRun is the trace of one run. Traces are in the local cache and never committed.
type TracedRun struct {
	Run     string       `json:"run"`
	Key     string       `json:"key,omitempty"` // of a skill: the same for equal runs, and the run_id that its steps see
	Session string       `json:"session,omitempty"`
	Plugin  string       `json:"plugin"` // docs, review, testgen, ask or skill
	About   string       `json:"about,omitempty"`
	Status  state.Status `json:"status"`
	Parent  string       `json:"parent_run_id,omitempty"`
	// Inputs, Outputs and Output are the values of the state at the end.
	Inputs  map[string]any `json:"inputs"`
	Outputs map[string]any `json:"outputs"`
	Output  map[string]any `json:"output"`
	Trace   state.Trace    `json:"trace"`
}

const (
	tracesDir  = "traces"
	mostTraces = 50
	mostNested = 50 // of one run
)

// Trace stores the trace of a run with steps. A read-only cache or a server stores none.
func (w *Workspace) Trace(plugin, about string, s *state.State) {
	if s == nil || len(s.Trace.Steps) == 0 {
		return
	}
	run := traced(plugin, about, s)
	run.Session, run.Run = run.Run, "r-"+fact.Digest(fmt.Sprint(time.Now().UnixNano()), plugin, about)
	w.keepTrace(plugin, []TracedRun{run})
}

func traced(plugin, about string, s *state.State) TracedRun {
	return TracedRun{
		Run: s.TraceID, Plugin: plugin, About: about, Status: s.Status, Parent: s.ParentRunID, Trace: s.Trace,
		Inputs: s.Peek(state.Inputs), Outputs: s.Peek(state.Outputs), Output: s.Peek(state.Output),
	}
}

func (w *Workspace) keepTrace(plugin string, runs []TracedRun) {
	if w.Mirror != nil || w.local == "" {
		return
	}
	base := fmt.Sprintf("%020d-%s.json", time.Now().UnixNano(), plugin)
	data, err := json.Marshal(runs)
	dir := filepath.Join(w.local, tracesDir)
	if err != nil || atomic.Write(filepath.Join(dir, base), data, 0o644) != nil {
		return
	}
	all := traceFiles(dir)
	for _, old := range all[:max(0, len(all)-mostTraces)] {
		_ = os.Remove(old)
	}
}

func traceFiles(dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".json" {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	slices.Sort(names)
	return names
}

// Traces returns the traces of the last runs, the newest first, each followed by its nested runs.
func (w *Workspace) Traces() []TracedRun {
	out := []TracedRun{}
	for _, name := range slices.Backward(traceFiles(filepath.Join(w.local, tracesDir))) {
		data, err := os.ReadFile(name)
		var runs []TracedRun
		if err == nil && json.Unmarshal(data, &runs) == nil {
			out = append(out, runs...)
		}
	}
	return out
}

// Spent returns the model usage of the run so far.
func (w *Workspace) Spent() state.Usage { return usageOf(w.Model) }

func usageOf(m *model.Run) state.Usage {
	r := m.Report()
	if r == nil {
		return state.Usage{}
	}
	return state.Usage{LLMCalls: r.Requests, TokensIn: r.TokensIn, TokensOut: r.TokensOut}
}

func (w *Workspace) traceEngine(plugin, id string, e *engine.Engine) {
	if s := e.State(); s != nil {
		if id != "" {
			s.TraceID = id
		}
		w.Trace(plugin, "", s)
	}
}

func (w *Workspace) traceSkill(unit string, r *skill.Run) {
	var runs []TracedRun
	var add func(about string, r *skill.Run)
	add = func(about string, r *skill.Run) {
		if len(runs) > mostNested {
			return
		}
		run := traced(skills.Kind, about, r.State)
		run.Key = r.Key
		runs = append(runs, run)
		for _, n := range r.Nested {
			add(skills.Kind+"/"+n.Skill, n)
		}
	}
	add(unit, r)
	w.keepTrace(skills.Kind, runs)
}
