package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
)

type tracedSteps struct {
	Reads string       `json:"reads"`
	Steps []tracedStep `json:"steps"`
}

type tracedStep struct {
	Run    string   `json:"run"`
	Plugin string   `json:"plugin"`
	About  string   `json:"about,omitempty"`
	Step   string   `json:"step_id"`
	Reads  []string `json:"reads"`
}

// readers lists the steps of recent runs that read a reference. Only the newest run per subject counts.
func (p *place) readers(ref string, asJSON bool) error {
	out := tracedSteps{Reads: ref, Steps: []tracedStep{}}
	seen := map[string]bool{}
	for _, run := range p.Traces() {
		key := run.Plugin + " " + run.About
		for _, s := range run.Trace.Steps {
			if seen[key+" "+s.StepID] {
				continue
			}
			if reads := answer.ReadsOf(s.Reads, ref); len(reads) > 0 {
				out.Steps = append(out.Steps, tracedStep{run.Run, run.Plugin, run.About, s.StepID, reads})
			}
		}
		for _, s := range run.Trace.Steps {
			seen[key+" "+s.StepID] = true
		}
	}
	if len(out.Steps) == 0 && !asJSON {
		_, _ = plain.Fprintf(p.world.Err, "no step of the last runs read %s\n", ref)
	}
	return p.world.answer(asJSON, out, func() string {
		var rows [][]string
		for _, s := range out.Steps {
			rows = append(rows, []string{s.Run, strings.TrimSpace(s.Plugin + " " + s.About), s.Step, answer.Some(s.Reads)})
		}
		if len(rows) == 0 {
			return ""
		}
		return strings.Join(answer.Table(rows), "\n") + "\n"
	})
}

const mostRuns = 20

func runLine(r *workspace.TracedRun) string {
	m := r.Trace.Metrics
	return strings.TrimSpace(fmt.Sprintf("%s  %-7s  %s: %s, %d ms, %s, %d tokens  %s", r.Run, r.Plugin, r.Status, summary.Count(m.StepCount, "step"), m.ElapsedMS,
		summary.Count(m.LLMCalls, "model call"), m.TokensIn+m.TokensOut, strings.TrimSpace(answer.Line(r.About)+" "+r.Session+nestedIn(r))))
}

func nestedIn(r *workspace.TracedRun) string {
	if r.Parent == "" {
		return ""
	}
	return "nested in " + r.Parent
}

func (p *place) runOf(id string) *workspace.TracedRun {
	for _, r := range p.Traces() {
		if id != "" && (r.Run == id || r.Key == id) {
			return &r
		}
	}
	return nil
}

func runText(r *workspace.TracedRun) string {
	var b strings.Builder
	plain.Add(&b, "%s\n", runLine(r))
	for _, part := range []struct {
		name   string
		values map[string]any
	}{{"inputs", r.Inputs}, {"outputs", r.Outputs}, {"output", r.Output}} {
		for _, key := range slices.Sorted(maps.Keys(part.values)) {
			if v := part.values[key]; v != nil && v != "" {
				plain.Add(&b, "%s.%s: %s\n", part.name, key, answer.Line(fmt.Sprint(v)))
			}
		}
	}
	return b.String() + answer.TraceText(r.Trace)
}
