package web

import (
	"strconv"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/frame"
)

func TestLargeRunsAreCutAndSaySo(t *testing.T) {
	t.Parallel()
	f := shop()
	d := f.details[412]
	root := frame.Frame{ID: "root", Query: "everything", Status: "completed", Validity: "valid"}
	var calls []frame.Frame
	for i := range 5000 {
		name := "frame-" + strconv.Itoa(i) + "-"
		root.Evidence = append(root.Evidence, "frame "+name, "file "+name)
		calls = append(calls, frame.Frame{ID: name, ParentID: "root", Query: "q", Status: "completed", Validity: "valid"})
	}
	d.Frames, d.ChainLeft = append([]frame.Frame{root}, calls...), 4701
	p := pagesOver(t, f, token)
	text := ask(p, "GET", "/runs/412", nil, p.access.grant()).text
	for _, s := range []string{"5,001 frames", "And 4,701 frames more", "and 4980 more", "what 5,000 calls below concluded", "And 4,701 steps more", "<code>frame-298-</code>"} {
		if !strings.Contains(text, s) {
			t.Errorf("does not say %q", s)
		}
	}
	for _, s := range []string{"frame-299-", "frame frame-"} {
		if strings.Contains(text, s) {
			t.Errorf("says %q", s)
		}
	}
}

func TestWhatFellIsUnfoldedWithTheWayToIt(t *testing.T) {
	t.Parallel()
	f := []frame.Frame{
		{ID: "root"}, {ID: "a", ParentID: "root", Validity: "valid"}, {ID: "b", ParentID: "a", Validity: "invalidated"},
		{ID: "c", ParentID: "b", Validity: "valid"}, {ID: "d", ParentID: "root", Validity: "valid"},
	}
	v := newRunView(&RunDetail{Frames: f})
	open := map[string]bool{}
	var walk func([]frameView)
	walk = func(frames []frameView) {
		for _, f := range frames {
			open[f.ID] = f.Open
			walk(f.Children)
		}
	}
	walk(v.Frames)
	for id, want := range map[string]bool{"root": true, "a": true, "b": true, "c": false, "d": false} {
		if open[id] != want {
			t.Errorf("%s is unfolded: %v", id, open[id])
		}
	}
	if v.Total != 5 || v.Invalid != 1 || v.FramesLeft != 0 {
		t.Errorf("%d frames, %d fell, %d left", v.Total, v.Invalid, v.FramesLeft)
	}
}
