package state

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// The tests are named after the items of the conformance list of seed 003.

// ticking returns a clock that goes on by a millisecond whenever it is read.
func ticking() func() time.Time {
	now := time.Unix(1_700_000_000, 0).UTC()
	return func() time.Time {
		now = now.Add(time.Millisecond)
		return now
	}
}

func TestInputMappingErrorWrapsMissing(t *testing.T) {
	t.Parallel()
	for ref, fails := range map[string]bool{
		"inputs.no": false, "frame.no": false, "output.no": false, "extensions.no": false, "vars.no": true, "outputs.no": true, "working.no": true,
		"frame.constraints.no.deeper": false, "extensions.a.b.c": false, "working.artifacts.no": true,
	} {
		_, reads, err := New(Options{}).MapInput(map[string]any{"k": map[string]any{"deep": []any{ref, "text"}}})
		var mapping *InputMappingError
		if (err != nil) != fails || fails && (!errors.As(err, &mapping) || mapping.Key != "k" || kindOf(err) != Missing) {
			t.Errorf("%s: %v", ref, err)
		}
		if !slices.Equal(reads, []string{ref}) {
			t.Errorf("%s: reads %q", ref, reads)
		}
	}
}

func TestLegacyNamespacesPathsLeadThroughMapsOnly(t *testing.T) {
	t.Parallel()
	list := []any{map[string]any{"id": "a"}}
	s := New(Options{Inputs: map[string]any{"list": list}})
	s.Load(Vars, map[string]any{"list": list})
	if v, err := s.Resolve("inputs.list.0.id"); v != nil || err != nil {
		t.Errorf("got %v, %v", v, err)
	}
	if _, err := s.Resolve("vars.list.0.id"); kindOf(err) != Missing {
		t.Errorf("got %v", err)
	}
}

func TestProducedPathsMayReadTheState(t *testing.T) {
	t.Parallel()
	s := New(Options{})
	s.Load(Vars, map[string]any{"existing": "e"})
	if _, err := s.Write(map[string]string{"vars.existing": "vars.copy"}, map[string]any{}, Overwrite); err != nil || at(t, s, "vars.copy") != "e" {
		t.Error(err)
	}
	if _, err := s.Write(map[string]string{"nope": "vars.y"}, map[string]any{}, Overwrite); kindOf(err) != Missing {
		t.Errorf("missing in the result: %v", err)
	}
}

func TestUnknownSlotsAreNoTargets(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]Kind{
		"working.nope": InvalidTarget, "output.nope": InvalidTarget, "vars.": InvalidTarget, "vars.a b": InvalidTarget, "working": InvalidTarget,
		"frame": ReadOnly, "trace.metrics": ReadOnly, "nothing": UnknownNamespace, "": UnknownNamespace, "working.artifacts.x": "", "extensions.any.thing": "",
	} {
		if _, _, err := ParseTarget(target); kindOf(err) != want {
			t.Errorf("%q: got %v, want %s", target, err, want)
		}
	}
	s := New(Options{})
	mustWrite(t, s, "vars.number", 1, Overwrite)
	if _, err := s.Write(map[string]string{"x": "vars.number.part"}, map[string]any{"x": 1}, Overwrite); kindOf(err) != InvalidTarget {
		t.Errorf("below a number: %v", err)
	}
}

func TestSecondOverwriteErrorsOverTheWholeRun(t *testing.T) {
	t.Parallel()
	s := New(Options{})
	mustWrite(t, s, "vars.x", 1, Overwrite)
	if _, err := s.Write(map[string]string{"x": "vars.x"}, map[string]any{"x": 2}, ""); kindOf(err) != DuplicateTarget {
		t.Errorf("got %v", err)
	}
	mustWrite(t, s, "vars.x", 3, Replace)
	if at(t, s, "vars.x") != 3 {
		t.Error("replace does not replace")
	}
	both := map[string]string{"x": "vars.z", "y": "vars.z"}
	if _, err := s.Write(both, map[string]any{"x": 1, "y": 2}, Overwrite); kindOf(err) != DuplicateTarget {
		t.Errorf("twice in one mapping: %v", err)
	}
	if _, err := s.Resolve("vars.z"); kindOf(err) != Missing {
		t.Error("a refused write wrote a part")
	}
}

func TestMergesCopyDeeply(t *testing.T) {
	t.Parallel()
	s := New(Options{})
	inner := map[string]any{"v": 1}
	list := []any{inner}
	mustWrite(t, s, "working.risks", list, Append)
	mustWrite(t, s, "vars.map", map[string]any{"in": inner}, DeepMerge)
	got, _ := s.Resolve("working.risks")
	mustWrite(t, s, "working.risks", list, Append)
	inner["v"] = 2
	got.([]any)[0].(map[string]any)["v"] = 3
	if at(t, s, "working.risks.0.v") != 1 || at(t, s, "vars.map.in.v") != 1 || len(list) != 1 {
		t.Error("a value in the state is shared")
	}
	if _, err := s.Write(map[string]string{"x": "working.risks"}, map[string]any{"x": "no list"}, Append); kindOf(err) != NotAList {
		t.Errorf("got %v", err)
	}
}

func TestStatusAndMetadata(t *testing.T) {
	t.Parallel()
	inputs := map[string]any{"list": []any{1}}
	s := New(Options{Inputs: inputs, SkillVersion: "2.0.0", ParentRunID: "p", TraceID: "t", Clock: ticking()})
	inputs["list"].([]any)[0] = 2
	if s.Status != Pending || s.StateVersion != "1.0.0" || s.Iteration != 0 || s.ParentRunID != "p" || s.SkillVersion != "2.0.0" || !s.UpdatedAt.IsZero() {
		t.Errorf("at the beginning: %+v", s)
	}
	if at(t, s, "inputs.list.0") != 1 {
		t.Error("the inputs are not copied")
	}
	s.Start()
	if s.Status != Running || s.UpdatedAt.IsZero() {
		t.Errorf("started: %s", s.Status)
	}
	before := s.UpdatedAt
	err := s.Execute(Step{ID: "a", Output: map[string]string{"x": "vars.x"}}, func(map[string]any) (any, Usage, error) {
		if s.CurrentStep != "a" {
			t.Errorf("current step %q", s.CurrentStep)
		}
		return map[string]any{"x": 1}, Usage{1, 2, 30, 40}, nil
	})
	if m := s.Trace.Metrics; err != nil || m.StepCount != 1 || m.LLMCalls != 1 || m.ToolCalls != 2 || m.TokensIn != 30 || m.TokensOut != 40 || m.ElapsedMS == 0 {
		t.Errorf("live metrics %+v, %v", m, err)
	}
	s.End(nil)
	if s.Status != Completed || s.CurrentStep != "" || !s.UpdatedAt.After(before) {
		t.Errorf("at the end: %s", s.Status)
	}
}

func TestFailedStepsAreTracedWithoutWrites(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	for name, step := range map[string]struct {
		step     Step
		produced any
		err      error
	}{
		"the capability": {Step{Input: map[string]any{"a": "inputs.a"}, Output: map[string]string{"x": "vars.x"}}, nil, boom},
		"the input":      {Step{Input: map[string]any{"a": "vars.none", "b": "inputs.a"}, Output: map[string]string{"x": "vars.x"}}, nil, nil},
		"the output":     {Step{Input: map[string]any{"a": "inputs.a"}, Output: map[string]string{"x": "vars.x"}}, []any{1}, nil},
	} {
		s := New(Options{Clock: ticking()})
		step.step.ID = "s"
		err := s.Execute(step.step, func(map[string]any) (any, Usage, error) { return step.produced, Usage{}, step.err })
		s.End(err)
		got := s.Trace.Steps[0]
		if err == nil || got.Status != Failed || got.Writes == nil || len(got.Writes) > 0 || len(got.Reads) == 0 || got.Error == "" || got.LatencyMS == 0 ||
			!slices.Equal(got.Targets, []string{"vars.x"}) || !got.EndedAt.After(got.StartedAt) {
			t.Errorf("%s: %+v", name, got)
		}
		if r := s.StepResults["s"]; r.Status != Failed || len(r.Writes) > 0 || r.Error == "" || r.LatencyMS == 0 || len(r.Reads) == 0 {
			t.Errorf("%s: %+v", name, r)
		}
		if s.Status != Failed || at(t, s, "output.status_reason") != err.Error() {
			t.Errorf("%s: the run is %s", name, s.Status)
		}
	}
}

func TestFrameAndInputsAreFrozen(t *testing.T) {
	t.Parallel()
	frame := map[string]any{"assumptions": []any{"a"}}
	s := New(Options{Frame: frame})
	frame["assumptions"].([]any)[0] = "b"
	s.Space(Frame)["assumptions"].([]any)[0] = "c"
	if v, _ := s.Resolve("frame.assumptions.0"); v != "a" {
		t.Errorf("got %v", v)
	}
}

func TestTargetsOfSkippedStepsAreNil(t *testing.T) {
	t.Parallel()
	s := New(Options{})
	s.Skip(Step{ID: "a", Output: map[string]string{"x": "vars.x"}})
	for ref, want := range map[string]Kind{"vars.x": "", "vars.x.y": "", "vars.y": Missing} {
		if v, err := s.Resolve(ref); kindOf(err) != want || v != nil {
			t.Errorf("%s: %v, %v", ref, v, err)
		}
	}
	mustWrite(t, s, "vars.x", 1, Overwrite)
	if v, err := s.Resolve("vars.x"); v != 1 || err != nil {
		t.Errorf("got %v, %v", v, err)
	}
}

// chain is a trace: a feeds b, which feeds c; d replaces the value of a before e reads it; f fails.
func chain() Trace {
	return Trace{Steps: []TraceStep{
		{StepID: "a", Writes: []string{"vars.x"}},
		{StepID: "b", Reads: []string{"vars.x.part"}, Writes: []string{"working.risks"}},
		{StepID: "c", Reads: []string{"working.risks", "inputs.i"}},
		{StepID: "d", Writes: []string{"vars.x"}, Merge: Replace},
		{StepID: "e", Reads: []string{"vars.x"}},
		{StepID: "f", Status: Failed, Targets: []string{"vars.y"}, Writes: []string{}},
		{StepID: "g", Reads: []string{"vars.y"}},
	}}
}

func TestLineage(t *testing.T) {
	t.Parallel()
	trace := chain()
	for name, c := range map[string]struct{ got, want []string }{
		"who read what a wrote":              {trace.Fed("a"), []string{"b"}},
		"whom d fed":                         {trace.Fed("d"), []string{"e"}},
		"the readers of a failed step":       {trace.Fed("f"), []string{"g"}},
		"all that a reaches":                 {trace.Reaches("a"), []string{"b", "c"}},
		"readers of a part":                  {trace.ReadersOf("vars.x"), []string{"b", "e"}},
		"writers":                            {trace.WritersOf("vars.x"), []string{"a", "d"}},
		"a name that only begins alike":      {trace.ReadersOf("vars.xx"), nil},
		"a step that there is not":           {trace.Fed("z"), nil},
		"a reference that nothing writes to": {trace.WritersOf("inputs.i"), nil},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: got %q, want %q", name, c.got, c.want)
		}
	}
}
