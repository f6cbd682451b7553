package frame

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLoadRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tree, list := randomTree(t, 20)
		if _, err := tree.InvalidatePremise(rapid.SampledFrom(list).Draw(t, "id"), "x"); err != nil {
			t.Fatal(err)
		}
		want := tree.Frames()
		loaded, err := Load("s", want)
		if err != nil {
			t.Fatal(err)
		}
		if got := loaded.Frames(); !reflect.DeepEqual(got, want) {
			t.Fatalf("loaded\n%+v, want\n%+v", got, want)
		}
	})
}

func TestLoadBroken(t *testing.T) {
	t.Parallel()
	concluded := func(f *Frame) { f.Conclusion, f.InvalidationCondition = "c", never }
	tests := map[string]struct {
		change func(frames []Frame) []Frame
		frame  string
		want   string
	}{
		"missing parent":     {func(f []Frame) []Frame { return f[1:] }, "a", `its parent "root" is missing`},
		"missing child":      {func(f []Frame) []Frame { return f[:2] }, "root", `its child "b" is missing`},
		"duplicate":          {func(f []Frame) []Frame { return append(f, f[1]) }, "a", "two frames with this id"},
		"no id":              {func(f []Frame) []Frame { f[2].ID = ""; return f }, "", "frame 3 of the list: frame_id is empty"},
		"no query":           {func(f []Frame) []Frame { f[2].Query = ""; return f }, "b", "query is empty"},
		"status":             {func(f []Frame) []Frame { f[1].Status = "done"; return f }, "a", `unknown status "done"`},
		"no status":          {func(f []Frame) []Frame { f[1].Status = ""; return f }, "a", `unknown status ""`},
		"validity":           {func(f []Frame) []Frame { f[1].Validity = "stale"; return f }, "a", `unknown validity "stale"`},
		"no reason":          {func(f []Frame) []Frame { f[1].Validity = Invalidated; return f }, "a", "validity_reason"},
		"reason too many":    {func(f []Frame) []Frame { f[1].ValidityReason = "x"; return f }, "a", "validity_reason"},
		"not named as child": {func(f []Frame) []Frame { f[0].Children = []string{"a"}; return f }, "b", "does not name it"},
		"named twice":        {func(f []Frame) []Frame { f[0].Children = []string{"a", "b", "a"}; return f }, "root", "child a twice"},
		"other parent":       {func(f []Frame) []Frame { f[1].ParentID = "b"; return f }, "root", `names "b" as its parent`},
		"depth of a root":    {func(f []Frame) []Frame { f[0].Depth = 1; return f }, "root", "depth is 1"},
		"depth":              {func(f []Frame) []Frame { f[2].Depth = 3; return f }, "b", "depth is 3"},
		"evidence": {func(f []Frame) []Frame { concluded(&f[1]); f[1].Evidence = []string{"line 47"}; return f },
			"a", "line 47"},
		"evidence alone": {func(f []Frame) []Frame { f[1].Evidence = []string{"text x"}; return f }, "a", "no conclusion"},
		"no condition":   {func(f []Frame) []Frame { f[1].Conclusion = "c"; return f }, "a", "condition is empty"},
		"confidence": {func(f []Frame) []Frame { concluded(&f[1]); f[1].Confidence = 2; return f },
			"a", "not between 0 and 1"},
		"completed": {func(f []Frame) []Frame { f[1].Status = Completed; return f }, "a", "completed without a conclusion"},
		"slice": {func(f []Frame) []Frame { f[1].ContextSlice = map[string]any{"x": struct{}{}}; return f },
			"a", "context_slice.x"},
		"cycle": {func(f []Frame) []Frame {
			f[0].Children = nil
			f[1].ParentID, f[1].Children = "b", []string{"b"}
			f[2].ParentID, f[2].Children = "a", []string{"a"}
			return f
		}, "a", "cycle"},
		"own parent": {func(f []Frame) []Frame {
			f[0].Children = []string{"b"}
			f[1].ParentID, f[1].Children = "a", []string{"a"}
			return f
		}, "a", "cycle"},
	}
	for name, tt := range tests {
		frames := []Frame{
			{ID: "root", Query: "q", Children: []string{"a", "b"}, Status: Active, Validity: Valid},
			{ID: "a", Query: "q", ParentID: "root", Depth: 1, Status: Active, Validity: Valid},
			{ID: "b", Query: "q", ParentID: "root", Depth: 1, Status: Active, Validity: Valid},
		}
		if _, err := Load("s", frames); err != nil {
			t.Fatalf("the frames are broken before the change: %v", err)
		}
		_, err := Load("s", tt.change(frames))
		var broken *LoadError
		if !errors.As(err, &broken) || broken.FrameID != tt.frame || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want frame %q and %q", name, err, tt.frame, tt.want)
		}
	}
}

func TestLoadDanglingEvidence(t *testing.T) {
	t.Parallel()
	tree, err := Load("s", []Frame{{ID: "root", Query: "q", Conclusion: "c", Confidence: 1, InvalidationCondition: never,
		Evidence: []string{"frame elsewhere"}, Status: Completed, Validity: Valid, BranchedFrom: "another session's"}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := tree.Verify(t.Context(), everything{})
	if err != nil || got.Verified != 0 || got.Verdicts[0].Failures[0].Why != "not found" {
		t.Errorf("Verify = %+v, %v", got, err)
	}
}
