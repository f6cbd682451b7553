package skill

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/state"
)

// echo is a capability that answers with its input.
func echo(_ context.Context, step *Step, input map[string]any) (map[string]any, state.Usage, error) {
	if step.Uses == "model.ask" {
		return nil, state.Usage{LLMCalls: 1}, errors.New("no model")
	}
	text, _ := input["text"].(string)
	if text == "FAIL" {
		return nil, state.Usage{}, errors.New("it failed")
	}
	if text == "HALF" {
		return map[string]any{"text": text, "list": errors.New("no list here")}, state.Usage{}, nil
	}
	return map[string]any{"text": text, "list": []any{input["data"]}, "map": map[string]any{"k": input["data"]}}, state.Usage{ToolCalls: 1}, nil
}

func runs(t *testing.T, inputs map[string]any, files ...File) *Run {
	t.Helper()
	set := Read(files, specs)
	if len(set.Problems) > 0 {
		t.Fatal(set.Problems)
	}
	id, _ := IDOf(files[0].Name)
	r, err := (&Runner{Set: set, Call: echo}).Run(t.Context(), id, inputs)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestConditionsAndElse(t *testing.T) {
	t.Parallel()
	r := runs(t, map[string]any{"n": 3}, skillOf("s", "inputs: {n: {type: integer}}\n",
		"{id: a, uses: text.make, if: 'inputs.n > 2', input: {text: yes}, output: {text: vars.a}}",
		"{id: b, uses: text.make, if: 'inputs.n > 5', input: {text: yes}, output: {text: vars.b}}",
		"{id: c, uses: model.ask, output: {answer: vars.c}, else: {answer: {said: vars.a}}}",
		"{id: d, uses: text.make, input: {text: end, data: [vars.a, vars.b, vars.c.said]}, output: {list: outputs.all}}"))
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	if got := r.State.Space(state.Outputs)["all"]; !reflect.DeepEqual(got, []any{[]any{"yes", nil, "yes"}}) {
		t.Errorf("got %v", got)
	}
	steps := r.State.Trace.Steps
	if steps[1].Status != state.Skipped || len(steps[1].Writes) > 0 || !slices.Equal(steps[0].Reads, []string{"inputs.n"}) || !slices.Equal(steps[2].Reads, []string{"vars.a"}) {
		t.Errorf("got %+v", steps)
	}
	if m := r.State.Trace.Metrics; m.StepCount != 4 || m.LLMCalls != 1 || m.ToolCalls != 2 {
		t.Errorf("got %+v", m)
	}
}

// TestOnlyNeededStepsRun: a step that feeds no wanted one is not run, and cannot fail.
func TestOnlyNeededStepsRun(t *testing.T) {
	t.Parallel()
	files := []File{skillOf("s", "",
		"{id: a, uses: text.make, input: {text: x, data: 1}, output: {list: vars.list}}",
		"{id: other, uses: text.make, input: {text: FAIL}, output: {text: vars.other}}",
		"{id: more, uses: text.make, input: {text: x, data: 2}, output: {list: vars.list}, config: {merge_strategy: append}}",
		"{id: flag, uses: text.make, input: {text: y}, output: {text: working.artifacts.flag}}",
		"{id: nested, uses: skill.run, if: 'working.artifacts.flag == \"y\"', input: {skill: inner, inputs: {}}, output: {outputs.said: vars.said}}",
		"{id: page, uses: text.make, input: {text: page, data: [vars.list, vars.said]}, output: {list: outputs.all}}",
		"{id: last, uses: text.make, input: {text: FAIL, data: outputs.all}}"),
		skillOf("inner", "", "{id: no, uses: text.make, input: {text: FAIL}}", "{id: said, uses: text.make, input: {text: hello}, output: {text: outputs.said}}")}
	set := Read(files, specs)
	if len(set.Problems) > 0 {
		t.Fatal(set.Problems)
	}
	runner := &Runner{Set: set, Call: echo, Wanted: func(s *Step) bool { return s.ID == "page" }}
	r, err := runner.Run(t.Context(), "s", nil)
	if err != nil || r.Err != nil {
		t.Fatal(err, r.Err)
	}
	var ran []string
	for _, s := range r.State.Trace.Steps {
		ran = append(ran, s.StepID)
	}
	if !slices.Equal(ran, []string{"a", "more", "flag", "nested", "page"}) {
		t.Errorf("ran %q", ran)
	}
	if got := r.State.Space(state.Outputs)["all"]; !reflect.DeepEqual(got, []any{[]any{[]any{1, 2}, "hello"}}) {
		t.Errorf("got %v", got)
	}
}

func TestFailuresEndARun(t *testing.T) {
	t.Parallel()
	r := runs(t, nil, skillOf("s", "", "{id: a, uses: text.make, input: {text: FAIL}, output: {text: vars.a}}", "{id: b, uses: text.make, input: {text: vars.a}}"))
	if r.Err == nil || r.State.Status != state.Failed || len(r.State.Trace.Steps) != 1 || r.State.Space(state.Output)["status_reason"] != ".causal/skills/s.yml:5: step a: it failed" {
		t.Errorf("%v, %+v", r.Err, r.State.Trace)
	}
}

// TestValuesThatAreNotAvailable fail only the steps that use them.
func TestValuesThatAreNotAvailable(t *testing.T) {
	t.Parallel()
	step := func(output string) *Run {
		return runs(t, nil, skillOf("s", "", "{id: a, uses: text.make, input: {text: HALF}, output: "+output+"}"))
	}
	if r := step("{text: vars.a}"); r.Err != nil || r.State.Space(state.Vars)["a"] != "HALF" {
		t.Errorf("the other value: %v", r.Err)
	}
	for _, output := range []string{"{list: vars.a}", "{text: vars.b, list.0: vars.a}"} {
		if r := step(output); r.Err == nil || !strings.HasSuffix(r.Err.Error(), "step a: no list here") || len(r.State.Space(state.Vars)) > 0 {
			t.Errorf("%s: %v", output, r.Err)
		}
	}
}

func TestNestedRunsKnowTheirParent(t *testing.T) {
	t.Parallel()
	inner := skillOf("inner", "inputs: {w: {type: string, default: d}}\n", "{id: a, uses: text.make, input: {text: inputs.w}, output: {text: outputs.t}}")
	r := runs(t, nil, skillOf("outer", "", "{id: a, uses: skill.run, input: {skill: inner, inputs: {w: x}}, output: {outputs.t: outputs.t, run_id: vars.id}}"), inner)
	if r.Err != nil || r.State.Space(state.Outputs)["t"] != "x" || r.State.ParentRunID != "" || r.State.Space(state.Vars)["id"] == r.State.TraceID {
		t.Errorf("%v, %v", r.Err, r.State.Space(state.Outputs))
	}
	if other := runs(t, nil, inner); other.State.TraceID == r.State.Space(state.Vars)["id"] || other.State.Space(state.Outputs)["t"] != "d" {
		t.Error("a root run has the id of a nested one")
	}
}

func TestNestingIsBounded(t *testing.T) {
	t.Parallel()
	var files []File
	for i := range 4 { // 32 to the power of 4 steps
		var steps []string
		for j := range 32 {
			steps = append(steps, fmt.Sprintf("{id: s%d, uses: skill.run, input: {skill: k%d}}", j, i+1))
		}
		files = append(files, skillOf(fmt.Sprintf("k%d", i), "", steps...))
	}
	r := runs(t, nil, append(files, skillOf("k4", "", made))...)
	if r.Err == nil || !strings.Contains(r.Err.Error(), "more than 1024 steps") {
		t.Error(r.Err)
	}
}

func TestInputsAreHeldToTheirTypes(t *testing.T) {
	t.Parallel()
	set := Read([]File{skillOf("s", "inputs: {n: {type: integer, required: true}, l: {type: list, default: [1]}}\n", made)}, specs)
	for name, c := range map[string]struct {
		inputs map[string]any
		fails  string
	}{
		"right":   {map[string]any{"n": 1}, ""},
		"missing": {nil, `needs the input "n"`},
		"type":    {map[string]any{"n": "x"}, "must be an integer"},
		"unknown": {map[string]any{"n": 1, "m": 1}, `has no input "m"`},
	} {
		_, err := (&Runner{Set: set, Call: echo}).Run(t.Context(), "s", c.inputs)
		if (err != nil) != (c.fails != "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// flow is a random step.
type flow struct {
	id, text, data, out, target, merge string
}

func (f flow) String() string {
	merge := ""
	if f.merge != "" {
		merge = ", config: {merge_strategy: " + f.merge + "}"
	}
	return fmt.Sprintf("{id: %s, uses: text.make, input: {text: %s, data: %s}, output: {%s: %s}%s}", f.id, f.text, f.data, f.out, f.target, merge)
}

var (
	refs    = []string{"plain", "inputs.i", "vars.a", "vars.b", "vars.a.k", "working.risks", "working.artifacts.x", "outputs.o", "frame.goal", "output.summary"}
	goals   = []string{"vars.a", "vars.b", "vars.a.k", "working.risks", "working.artifacts.x", "outputs.o", "output.summary", "inputs.i", "extensions.e"}
	flowing = rapid.Custom(func(t *rapid.T) flow {
		return flow{
			text: rapid.SampledFrom([]string{"x", "vars.a", "inputs.i"}).Draw(t, "text"), data: rapid.SampledFrom(refs).Draw(t, "data"),
			out: rapid.SampledFrom([]string{"text", "list", "map"}).Draw(t, "out"), target: rapid.SampledFrom(goals).Draw(t, "target"),
			merge: rapid.SampledFrom([]string{"", "append", "deep_merge", "replace"}).Draw(t, "merge"),
		}
	})
)

func skillWith(flows []flow) File {
	steps := make([]string, len(flows))
	for i, f := range flows {
		steps[i] = f.String()
	}
	return skillOf("s", "inputs: {i: {type: string, default: in}}\nframe: {goal: g}\n", steps...)
}

func drawn(t *rapid.T, least int) []flow {
	flows := rapid.SliceOfN(flowing, least, 6).Draw(t, "flows")
	for i := range flows {
		flows[i].id = fmt.Sprintf("s%d", i)
	}
	return flows
}

// TestAcceptedSkillsRaiseNoPlannerError: an accepted skill fails only because of its data.
func TestAcceptedSkillsRaiseNoPlannerError(t *testing.T) {
	t.Parallel()
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		set := Read([]File{skillWith(drawn(t, 1))}, specs)
		if len(set.Problems) > 0 {
			return
		}
		accepted++
		r, err := (&Runner{Set: set, Call: echo}).Run(context.Background(), "s", nil)
		if err != nil {
			t.Fatal(err)
		}
		var wrong *state.Error
		if errors.As(r.Err, &wrong) && wrong.Kind != state.Missing {
			t.Fatalf("%s: %v", wrong.Kind, r.Err)
		}
		if wrong != nil && !strings.Contains(wrong.Ref, "vars.a.") { // a part of a value may be missing
			t.Fatalf("%s: %v", wrong.Kind, r.Err)
		}
	})
	if accepted == 0 {
		t.Error("no skill was accepted")
	}
}

// TestIndependentStepsCommute: exchanging two neighbours that have nothing to do with each other changes the order of the trace alone.
func TestIndependentStepsCommute(t *testing.T) {
	t.Parallel()
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		flows := drawn(t, 2)
		i := rapid.IntRange(0, len(flows)-2).Draw(t, "i")
		a, b := flows[i], flows[i+1]
		for _, pair := range [][2]string{{a.target, b.target}, {a.target, b.data}, {a.target, b.text}, {b.target, a.data}, {b.target, a.text}} {
			if state.Overlaps(pair[0], pair[1]) {
				return
			}
		}
		other := slices.Clone(flows)
		other[i], other[i+1] = b, a
		one, two := Read([]File{skillWith(flows)}, specs), Read([]File{skillWith(other)}, specs)
		if len(one.Problems) > 0 || len(two.Problems) > 0 {
			if (len(one.Problems) > 0) != (len(two.Problems) > 0) {
				t.Fatalf("%v and %v", one.Problems, two.Problems)
			}
			return
		}
		x, err := (&Runner{Set: one, Call: echo}).Run(context.Background(), "s", nil)
		y, err2 := (&Runner{Set: two, Call: echo}).Run(context.Background(), "s", nil)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if x.Err != nil || y.Err != nil {
			return
		}
		compared++
		for _, n := range []state.Namespace{state.Vars, state.Outputs, state.Working, state.Output, state.Extensions} {
			if !reflect.DeepEqual(x.State.Space(n), y.State.Space(n)) {
				t.Fatalf("%s: %v and %v", n, x.State.Space(n), y.State.Space(n))
			}
		}
		if len(x.State.Trace.Steps) != len(y.State.Trace.Steps) {
			t.Fatal("other steps ran")
		}
	})
	if compared == 0 {
		t.Error("nothing was compared")
	}
}
