package state

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

var values = rapid.Deferred(func() *rapid.Generator[any] {
	return rapid.OneOf(
		rapid.Just[any](nil), rapid.Map(rapid.Bool(), func(b bool) any { return b }), rapid.Map(rapid.IntRange(0, 9), func(i int) any { return float64(i) }),
		rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]any{1.0, "a", true}), 0, 3), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c"}), rapid.SampledFrom([]any{1.0, "x", []any{1.0}, map[string]any{"d": 1.0}}), 0, 3),
			func(m map[string]any) any { return m }),
	)
})

var targets = []string{"vars.a", "vars.b", "vars.a.c", "outputs.a", "working.risks", "working.artifacts.a", "working.artifacts.a.b", "output.summary", "extensions.p.q"}

type move struct {
	target string
	value  any
	how    Strategy
}

var moves = rapid.Custom(func(t *rapid.T) move {
	return move{rapid.SampledFrom(targets).Draw(t, "target"), values.Draw(t, "value"), rapid.SampledFrom(Strategies).Draw(t, "how")}
})

func (m move) on(s *State) error {
	_, err := s.Write(map[string]string{"x": m.target}, map[string]any{"x": m.value}, m.how)
	return err
}

// TestWritesNeverChangeWhatWasRead: a value that was written or read stays as it is, whatever is written later.
func TestWritesNeverChangeWhatWasRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := New(Options{})
		var live, copies []any
		for _, m := range rapid.SliceOfN(moves, 1, 12).Draw(t, "moves") {
			err := m.on(s)
			live, copies = append(live, m.value), append(copies, Copy(m.value))
			if v, failed := s.Resolve(m.target); failed == nil {
				live, copies = append(live, v), append(copies, Copy(v))
				if err == nil && (m.how == Overwrite || m.how == Replace) && !reflect.DeepEqual(v, m.value) {
					t.Fatalf("%s holds %v after %v was written", m.target, v, m.value)
				}
			}
		}
		if !reflect.DeepEqual(live, copies) {
			t.Fatalf("got %v, want %v", live, copies)
		}
	})
}

// TestRefusedWritesChangeNothing compares the state before and after.
func TestRefusedWritesChangeNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := New(Options{})
		for _, m := range rapid.SliceOfN(moves, 1, 12).Draw(t, "moves") {
			before := all(s)
			if m.on(s) != nil && !reflect.DeepEqual(all(s), before) {
				t.Fatalf("a refused %+v changed the state", m)
			}
		}
	})
}

// TestIndependentWritesCommute: writes to targets that do not overlap give the same state in any order.
func TestIndependentWritesCommute(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var list []move
		for _, m := range rapid.SliceOfN(moves, 1, 6).Draw(t, "moves") {
			if !slices.ContainsFunc(list, func(other move) bool { return Overlaps(m.target, other.target) }) {
				list = append(list, m)
			}
		}
		one, two := New(Options{}), New(Options{})
		for i := range list {
			a, b := list[i].on(one), list[len(list)-1-i].on(two)
			_, _ = a, b
		}
		if !reflect.DeepEqual(all(one), all(two)) {
			t.Fatalf("got %v and %v", all(one), all(two))
		}
	})
}

func all(s *State) map[Namespace]map[string]any {
	out := map[Namespace]map[string]any{}
	for n := range s.spaces {
		out[n] = s.Space(n)
	}
	return out
}

// TestDeepMergeKeepsAllLeaves: every key of both maps is in the merged one, and the overlay wins.
func TestDeepMergeKeepsAllLeaves(t *testing.T) {
	t.Parallel()
	maps := rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c"}), values, 0, 3)
	rapid.Check(t, func(t *rapid.T) {
		under, over := maps.Draw(t, "under"), maps.Draw(t, "over")
		got := merged(under, over).(map[string]any)
		for key, v := range over {
			if _, isMap := v.(map[string]any); !isMap && !reflect.DeepEqual(got[key], v) {
				t.Fatalf("%s: got %v, want %v", key, got[key], v)
			}
		}
		for key, v := range under {
			if _, there := over[key]; !there && !reflect.DeepEqual(got[key], v) {
				t.Fatalf("%s: got %v, want %v", key, got[key], v)
			}
		}
	})
}
