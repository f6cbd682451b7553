package spec_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/testgen/spec"
)

var (
	anyText = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", " ", "null", "~", "yes", "7", "- a", "a: b", "#", `"`, `\`, "'", "\n", "a\n\n  b\t", "\u0085", "\u2028", "\ufeff", "\U0001f600", "{}", "[]", "*a", "&a", "!!int", "%", "@", "<<", "\x00", strings.Repeat("long ", 500),
	}), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return strings.ToValidUTF8(string(b), "?") }))
	aWord = rapid.OneOf(rapid.StringMatching(`[A-Za-z][A-Za-z0-9_-]{0,12}`), rapid.SampledFrom([]string{"null", "true", "y", "No", "e1"}))
	anID  = rapid.OneOf(rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9._-]{0,12}`), rapid.SampledFrom([]string{"null", "true", "1", "1.5", "0x1", "1e3", "2026-01-02"}))
	aName = rapid.StringMatching(`[A-Za-z_][A-Za-z0-9_]{0,8}(\.[A-Za-z_][A-Za-z0-9_]{0,8})?`)
	// aType is any text but the words that have a meaning of their own in the place of a result's type.
	aType = rapid.OneOf(anyText, rapid.SampledFrom([]string{"string", "[]string", "map[string]int", "*T", "func()"})).Filter(func(s string) bool {
		return s != "error" && s != "string_of" && s != "results"
	})
)

func aValue(depth int) *rapid.Generator[spec.Value] {
	leaf := []*rapid.Generator[spec.Value]{
		rapid.Just[spec.Value](nil),
		rapid.Map(rapid.Bool(), func(b bool) spec.Value { return b }), rapid.Map(rapid.Int64(), func(n int64) spec.Value { return n }),
		rapid.Map(rapid.Uint64Min(1<<63), func(n uint64) spec.Value { return n }), rapid.Map(anyText, func(s string) spec.Value { return s }),
		rapid.Map(rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 1e21, 5e-324})), func(f float64) spec.Value { return f }),
	}
	if depth == 0 {
		return rapid.OneOf(leaf...)
	}
	below := aValue(depth - 1)
	return rapid.OneOf(append(leaf,
		rapid.Map(rapid.SliceOfN(below, 0, 4), func(list []spec.Value) spec.Value { return list }),
		rapid.Map(rapid.MapOfN(anyText, below, 0, 4), func(m map[string]spec.Value) spec.Value { return m }),
		rapid.Custom(func(t *rapid.T) spec.Value {
			args := []spec.Value{}
			for _, a := range someTyped(depth-1).Draw(t, "args") {
				args = append(args, a)
			}
			return map[string]spec.Value{spec.CallKey: aName.Draw(t, "call"), spec.ArgsKey: args}
		}))...)
}

func someTyped(depth int) *rapid.Generator[[]spec.Typed] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) spec.Typed {
		return spec.Typed{Type: aType.Draw(t, "type"), Value: aValue(depth).Draw(t, "value")}
	}), 0, 3)
}

var aWant = rapid.Custom(func(t *rapid.T) *spec.Want {
	switch rapid.IntRange(0, 3).Draw(t, "want") {
	case 0:
		return nil
	case 1:
		return &spec.Want{Error: true}
	case 2:
		text := anyText.Draw(t, "string_of")
		return &spec.Want{StringOf: &text}
	}
	return &spec.Want{Values: someTyped(2).Draw(t, "results")}
})

func aCase(ids []string) *rapid.Generator[spec.Case] {
	return rapid.Custom(func(t *rapid.T) spec.Case {
		c := spec.Case{
			ID: anID.Draw(t, "id"), Why: anyText.Draw(t, "why"), By: rapid.SampledFrom([]string{"", spec.Human}).Draw(t, "by"), Want: aWant.Draw(t, "want"), Became: aWant.Draw(t, "became"),
			Law:         rapid.SampledFrom([]spec.Law{spec.RoundTrip, spec.Idempotent, spec.Order, spec.Error, spec.Golden, spec.NoPanic, spec.Example, spec.HTTP}).Draw(t, "law"),
			Inverse:     rapid.OneOf(rapid.Just(""), aName).Draw(t, "inverse"),
			Quarantined: rapid.OneOf(rapid.Just(""), anyText).Draw(t, "quarantined"),
		}
		if len(ids) > 0 && rapid.Bool().Draw(t, "over others") {
			c.Over = rapid.SliceOfN(rapid.SampledFrom(ids), 1, 3).Draw(t, "over")
		} else {
			c.Args = someTyped(3).Draw(t, "args")
		}
		return c
	})
}

var someDepends = rapid.Custom(func(t *rapid.T) spec.Depends {
	return spec.Depends{Interface: anyText.Draw(t, "iface"), Body: anyText.Draw(t, "body"), Language: anyText.Draw(t, "version")}
})

var aSpec = rapid.Custom(func(t *rapid.T) *spec.Spec {
	s := &spec.Spec{
		Target:  spec.Target{Lang: rapid.SampledFrom(spec.Languages).Draw(t, "lang"), Pkg: rapid.SampledFrom([]string{"a", "example.com/a-b/c.d", "null", "1"}).Draw(t, "pkg"), Symbol: "Parse"},
		FrameID: anyText.Draw(t, "frame"), Rationale: anyText.Draw(t, "rationale"), Condition: anyText.Draw(t, "condition"),
		Status:     rapid.SampledFrom([]spec.Status{spec.Pending, spec.Active, spec.Invalidated, spec.Quarantined}).Draw(t, "status"),
		Provenance: spec.Provenance{Generator: anyText.Draw(t, "generator"), Seeds: rapid.SliceOfN(aWord, 0, 3).Draw(t, "seeds"), LLM: anyText.Draw(t, "llm")},
		DependsOn:  someDepends.Draw(t, "depends"),
		Evidence:   spec.Evidence{Runs: rapid.IntRange(0, 9).Draw(t, "runs"), Coverage: rapid.IntMin(0).Draw(t, "coverage"), Killed: rapid.SliceOfN(aWord, 0, 3).Draw(t, "killed"), Verified: anyText.Draw(t, "verified")},
	}
	if rapid.Bool().Draw(t, "fell") {
		s.Fell = &spec.Fell{Because: anyText.Draw(t, "because"), File: anyText.Draw(t, "file"), Session: anyText.Draw(t, "session")}
		s.Observed = someDepends.Draw(t, "observed")
	}
	var ids []string
	for range rapid.IntRange(0, 4).Draw(t, "cases") {
		if c := aCase(ids).Draw(t, "case"); s.Case(c.ID) == nil {
			s.Cases, ids = append(s.Cases, c), append(ids, c.ID)
		}
	}
	return s
})

// TestWhatIsWrittenIsRead: a spec that is written, read and written again is the same bytes, whatever stands in it; and so is what it means.
func TestWhatIsWrittenIsRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := aSpec.Draw(t, "spec")
		once := s.Encode()
		again, err := spec.Decode(file, once)
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if twice := again.Encode(); string(twice) != string(once) {
			t.Fatalf("written as\n%s\nand then as\n%s", once, twice)
		}
		if again.Rationale != s.Rationale || again.Digest() != s.Digest() || again.Kept() != s.Kept() || len(again.Cases) != len(s.Cases) {
			t.Errorf("read as %+v, was %+v", again, s)
		}
		for i := range s.Cases {
			if got, want := again.Cases[i], s.Cases[i]; got.Why != want.Why || got.By != want.By || !got.Became.Equal(want.Became) || got.Waits() != want.Waits() {
				t.Errorf("a case is read as %+v, was %+v", got, want)
			}
		}
	})
}
