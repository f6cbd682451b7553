package skill

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/state"
)

// Call calls the capability of a step. An error as a produced value explains why the value is unavailable.
type Call func(ctx context.Context, s *Step, input map[string]any) (produced map[string]any, used state.Usage, err error)

// Runner executes skills of a Set. It serves one run with its nested runs.
type Runner struct {
	Set   *Set
	Call  Call
	Clock func() time.Time // time.Now if nil
	// Wanted limits a run to the steps that feed those for which it returns true. All are run if nil.
	Wanted func(*Step) bool

	steps  int
	unique string
}

// Run is the outcome of one run. The TraceID of its State is unique.
type Run struct {
	Skill string
	// Key identifies the run by its inputs: equal runs have equal keys. It is the run_id that steps and pages show.
	Key    string
	State  *state.State
	Err    error // why it failed
	Nested []*Run
}

// InputError reports inputs that a skill does not accept.
type InputError struct{ Text string }

func (e *InputError) Error() string { return e.Text }

// Run runs a skill. The error is about the call; a step's error is in the Run.
func (r *Runner) Run(ctx context.Context, id string, inputs map[string]any) (*Run, error) {
	r.unique = rand.Text()
	return r.run(ctx, id, inputs, &Run{State: &state.State{}}, 0)
}

func (r *Runner) run(ctx context.Context, id string, inputs map[string]any, parent *Run, depth int) (*Run, error) {
	s := r.Set.Skills[id]
	if s == nil {
		if problems := r.Set.Broken[id]; problems != nil {
			return nil, &Error{problems}
		}
		return nil, &InputError{fmt.Sprintf("there is no skill %q%s", id, r.known())}
	}
	given, err := s.Given(inputs)
	if err != nil {
		return nil, err
	}
	out := &Run{Skill: id, Key: r.key(s, given, parent.Key)}
	st := state.New(state.Options{
		TraceID: "r-" + fact.Digest(out.Key, r.unique), Inputs: given, Frame: s.Frame, SkillVersion: s.Version, ParentRunID: parent.State.TraceID, Clock: r.Clock,
	})
	out.State = st
	parent.Nested = append(parent.Nested, out)
	st.Start()
	needed := r.needed(s, depth)
	for i := range s.Steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !needed[i] {
			continue
		}
		step := &s.Steps[i]
		if out.Err = r.step(ctx, out, step, depth); out.Err != nil {
			out.Err = fmt.Errorf("%s:%d: step %s: %w", s.File, step.lineOf("", out.Err), step.ID, out.Err)
			break
		}
	}
	st.End(out.Err)
	return out, nil
}

func (r *Runner) known() string {
	if len(r.Set.Skills) == 0 {
		return ""
	}
	return "; the skills are " + strings.Join(slices.Sorted(maps.Keys(r.Set.Skills)), ", ")
}

// Given completes the inputs of a run with defaults.
func (s *Skill) Given(inputs map[string]any) (map[string]any, error) {
	out := map[string]any{}
	for name, in := range s.Inputs {
		if in.Default != nil {
			out[name] = in.Default
		}
	}
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		in, known := s.Inputs[name]
		switch {
		case !known:
			return nil, &InputError{fmt.Sprintf("the skill %s has no input %q", s.ID, name)}
		case !in.Type.Holds(inputs[name]):
			return nil, &InputError{fmt.Sprintf("the input %q of the skill %s must be %s", name, s.ID, in.Type.article())}
		}
		out[name] = inputs[name]
	}
	for _, name := range slices.Sorted(maps.Keys(s.Inputs)) {
		if s.Inputs[name].Required && out[name] == nil {
			return nil, &InputError{fmt.Sprintf("the skill %s needs the input %q", s.ID, name)}
		}
	}
	return out, nil
}

func (r *Runner) key(s *Skill, inputs map[string]any, parent string) string {
	data, err := json.Marshal(inputs)
	if err != nil {
		data = []byte(err.Error()) // unreachable: inputs have JSON types
	}
	return "r-" + fact.Digest(s.ID, s.Version, string(data), parent, strconv.Itoa(r.steps))
}

var errTooMany = fmt.Errorf("the run has more than %d steps, with those of nested runs", mostRunSteps)

func (r *Runner) step(ctx context.Context, run *Run, s *Step, depth int) error {
	if r.steps++; r.steps > mostRunSteps {
		return errTooMany
	}
	spec := r.Set.Specs[s.Uses]
	plan := state.Step{ID: s.ID, Capability: s.Uses, Input: s.Input, Output: s.Output, Merge: s.Merge, Reads: r.besides(s)}
	st, before := run.State, len(run.Nested)
	var failed error
	if s.cond != nil {
		values := map[string]any{}
		for _, name := range StateNames {
			values[name] = st.Peek(state.Namespace(name))
		}
		holds, err := s.cond.Holds(values)
		if err == nil && !holds {
			st.Skip(plan)
			return nil
		}
		failed = err
	}
	err := st.Execute(plan, func(input map[string]any) (any, state.Usage, error) {
		if failed != nil {
			return nil, state.Usage{}, fmt.Errorf("if: %w", failed)
		}
		if err := spec.fits(input); err != nil {
			return nil, state.Usage{}, err
		}
		if s.Uses == RunSkill {
			return r.nested(ctx, run, input, depth)
		}
		produced, used, err := r.Call(ctx, s, input)
		if err != nil && s.Else != nil && ctx.Err() == nil {
			otherwise, resolved := st.Resolve(s.Else)
			return otherwise, used, resolved
		}
		if err == nil {
			err = withhold(produced, s.Output)
		}
		return produced, used, err
	})
	if len(run.Nested) > before {
		st.Trace.Steps[len(st.Trace.Steps)-1].Run = run.Nested[before].State.TraceID
	}
	return err
}

// withhold removes the unavailable values, which are errors. A step that uses one fails with it.
func withhold(produced map[string]any, output map[string]string) error {
	used := map[string]bool{}
	for key := range output {
		name, _, _ := strings.Cut(key, ".")
		used[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(produced)) {
		if err, missing := produced[name].(error); missing {
			if used[name] {
				return err
			}
			delete(produced, name)
		}
	}
	return nil
}

func (r *Runner) besides(s *Step) (refs []string) {
	if s.cond != nil {
		refs = slices.Clone(s.cond.Refs)
	}
	refs = append(refs, state.Refs(s.Else)...)
	for key := range s.Output {
		name, _, _ := strings.Cut(key, ".")
		if _, produced := field(r.Set.Specs[s.Uses].Output, name); !produced && isRef(key) {
			refs = append(refs, key)
		}
	}
	return refs
}

// needed reports for each step whether a run needs it: it is wanted, or writes a value that a needed step may read. A
// nested run also needs its outputs.
func (r *Runner) needed(s *Skill, depth int) []bool {
	out := make([]bool, len(s.Steps))
	var read []string
	if depth > 0 {
		read = []string{string(state.Outputs), string(state.Output)}
	}
	for i := range slices.Backward(s.Steps) {
		step := &s.Steps[i]
		out[i] = r.Wanted == nil || r.Wanted(step) || slices.ContainsFunc(slices.Collect(maps.Values(step.Output)), func(target string) bool {
			return slices.ContainsFunc(read, func(ref string) bool { return state.Overlaps(ref, target) })
		})
		if out[i] {
			read = slices.Concat(read, state.Refs(step.Input), r.besides(step))
		}
	}
	return out
}

func (spec Spec) fits(input map[string]any) error {
	for _, f := range spec.Input {
		v := input[f.Name]
		if f.Required && v == nil {
			return fmt.Errorf("the input %q of %s is empty", f.Name, spec.ID)
		}
		if !f.Type.Holds(v) {
			return fmt.Errorf("the input %q of %s must be %s", f.Name, spec.ID, f.Type.article())
		}
	}
	return nil
}

// nested runs another skill. The step is charged for its usage.
func (r *Runner) nested(ctx context.Context, parent *Run, input map[string]any, depth int) (any, state.Usage, error) {
	if depth+1 >= mostDepth {
		return nil, state.Usage{}, fmt.Errorf("skills run each other more than %d deep", mostDepth)
	}
	id, _ := input["skill"].(string)
	inputs, _ := input["inputs"].(map[string]any)
	run, err := r.run(ctx, id, inputs, parent, depth+1)
	if err != nil {
		return nil, state.Usage{}, err
	}
	m := run.State.Trace.Metrics
	used := state.Usage{LLMCalls: m.LLMCalls, ToolCalls: m.ToolCalls, TokensIn: m.TokensIn, TokensOut: m.TokensOut}
	if run.Err != nil {
		return nil, used, fmt.Errorf("the skill %s failed: %w", id, run.Err)
	}
	return map[string]any{
		"outputs": run.State.Space(state.Outputs), "output": run.State.Space(state.Output), "run_id": run.Key,
		"parent_run_id": parent.Key, "status": string(run.State.Status),
	}, used, nil
}

// Plain converts a value to JSON types: structs become maps, whole numbers int.
func Plain(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("make a value: %w", err)
	}
	return FromJSON(data)
}

// FromJSON decodes a value. Whole numbers are int.
func FromJSON(data []byte) (any, error) {
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("read a value: %w", err)
	}
	return numbers(v), nil
}

func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return int(i)
		}
		f, err := v.Float64()
		if err != nil {
			return v.String()
		}
		return f
	case map[string]any:
		for k, x := range v {
			v[k] = numbers(x)
		}
	case []any:
		for i, x := range v {
			v[i] = numbers(x)
		}
	}
	return v
}
