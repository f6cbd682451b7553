package answer

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/knowledge/state"
)

// SkillList lists the skills of a repository.
type SkillList struct {
	Skills   []SkillLine     `json:"skills"`
	Problems []skill.Problem `json:"problems"`
}

// SkillLine is one skill of the list.
type SkillLine struct {
	ID          string                 `json:"id"`
	Version     string                 `json:"version"`
	Description string                 `json:"description"`
	When        []skill.Trigger        `json:"when"`
	Inputs      map[string]skill.Input `json:"inputs"`
	ReadsOnly   bool                   `json:"reads_only"`
	File        string                 `json:"file"`
}

// SkillsOf lists the skills of a set.
func SkillsOf(set *skill.Set) *SkillList {
	l := &SkillList{Skills: []SkillLine{}, Problems: append([]skill.Problem{}, set.Problems...)}
	for _, id := range slices.Sorted(maps.Keys(set.Skills)) {
		s := set.Skills[id]
		inputs := s.Inputs
		if inputs == nil {
			inputs = map[string]skill.Input{}
		}
		l.Skills = append(l.Skills, SkillLine{id, s.Version, s.Description, s.When, inputs, set.ReadsOnly(id), s.File})
	}
	return l
}

func (l *SkillList) Text() string {
	var b strings.Builder
	if len(l.Skills)+len(l.Problems) == 0 {
		plain.Add(&b, "no skills; `causal init --skills` writes two\n")
	}
	rows := make([][]string, 0, len(l.Skills))
	for _, s := range l.Skills {
		when := make([]string, len(s.When))
		for i, t := range s.When {
			when[i] = string(t)
		}
		rows = append(rows, []string{s.ID, s.Version, strings.Join(when, ", "), Line(s.Description)})
	}
	for _, line := range Table(rows) {
		plain.Add(&b, "%s\n", line)
	}
	for _, p := range l.Problems {
		plain.Add(&b, "%s\n", p.String())
	}
	return b.String()
}

// SkillRun is the result of a skill run.
type SkillRun struct {
	Skill        string         `json:"skill"`
	RunID        string         `json:"run_id"`
	Parent       *string        `json:"parent_run_id"`
	Status       state.Status   `json:"status"`
	Outputs      map[string]any `json:"outputs"`
	Output       map[string]any `json:"output"`
	Trace        state.Trace    `json:"trace"`
	StateVersion string         `json:"state_version"`
	Iteration    int            `json:"iteration"`
	Pages        []string       `json:"pages"` // written pages
	Findings     []RunFinding   `json:"findings,omitempty"`
}

// RunFinding is a finding of a run.
type RunFinding struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
}

func SkillRunOf(r *skills.Result, written []string) *SkillRun {
	s := r.State
	out := &SkillRun{
		Skill: r.Skill, RunID: s.TraceID, Status: s.Status, Outputs: s.Space(state.Outputs), Output: s.Space(state.Output), Trace: s.Trace,
		StateVersion: s.StateVersion, Iteration: s.Iteration, Pages: append([]string{}, written...),
	}
	if s.ParentRunID != "" {
		out.Parent = &s.ParentRunID
	}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, RunFinding{f.Path, f.Line, f.Severity, f.Message})
	}
	return out
}

// Text formats a run: its text if it has one, otherwise its outputs as JSON.
func (r *SkillRun) Text(trace bool) string {
	var b strings.Builder
	if text, ok := r.Outputs["text"].(string); ok {
		b.WriteString(plain.Text(strings.TrimRight(text, "\n"), mostPrinted) + "\n")
	} else if len(r.Outputs) > 0 {
		if data, err := json.MarshalIndent(r.Outputs, "", "  "); err == nil {
			b.WriteString(plain.Text(string(data), mostPrinted) + "\n")
		}
	}
	for _, f := range r.Findings {
		plain.Add(&b, "%s:%d: %s: %s\n", f.Path, f.Line, f.Severity, f.Message)
	}
	if trace {
		b.WriteString(TraceText(r.Trace))
	}
	return b.String()
}

// mostPrinted bounds the bytes of printed outputs.
const mostPrinted = 1 << 20

// TraceText formats a trace as a table.
func TraceText(t state.Trace) string {
	var b strings.Builder
	rows := [][]string{{"STEP", "CAPABILITY", "STATUS", "MS", "READS", "WRITES"}}
	for _, s := range t.Steps {
		writes := strings.Join(s.Writes, ", ")
		if len(s.Targets) > 0 {
			writes = "(not written: " + strings.Join(s.Targets, ", ") + ")"
		}
		if s.Run != "" {
			writes = strings.TrimSpace(writes + " (run " + s.Run + ")")
		}
		rows = append(rows, []string{s.StepID, s.CapabilityID, string(s.Status), fmt.Sprint(s.LatencyMS), Some(s.Reads), writes})
	}
	for _, line := range Table(rows) {
		plain.Add(&b, "%s\n", line)
	}
	m := t.Metrics
	plain.Add(&b, "%d steps, %d tool calls, %d model calls, %d tokens in, %d tokens out, %d ms\n", m.StepCount, m.ToolCalls, m.LLMCalls, m.TokensIn, m.TokensOut, m.ElapsedMS)
	return b.String()
}

// mostShown bounds the reads of a step in a table.
const mostShown = 4

// Some lists the first reads of a step; the JSON form has all of them.
func Some(reads []string) string {
	if more := len(reads) - mostShown; more > 1 {
		return strings.Join(reads[:mostShown], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(reads, ", ")
}

// ReadsOf returns the reads of a step that match a reference to a value of the state, a fact or a unit.
func ReadsOf(reads []string, ref string) (out []string) {
	for _, r := range reads {
		family, rest, _ := strings.Cut(r, " ")
		if r == ref || state.Overlaps(r, ref) || rest == ref || family != "" && strings.HasPrefix(rest, ref+" ") {
			out = append(out, r)
		}
	}
	return out
}
