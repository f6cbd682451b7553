package web

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/frame"
)

// Limits of one page: a first run over a large repository has a frame for each module, and a directory may have a
// thousand files.
const (
	framesShown   = 300
	evidenceShown = 20
)

type runView struct {
	*RunDetail

	Frames     []frameView
	FramesLeft int // not shown
	Invalid    int // invalidated frames
	Total      int // frames
}

type frameView struct {
	frame.Frame

	Below        int      // child calls among the evidence
	Evidence     []string // other evidence
	EvidenceLeft int
	Children     []frameView
	Open         bool
}

func newRunView(d *RunDetail) runView {
	v := runView{RunDetail: d, Total: len(d.Frames)}
	below := map[string][]frame.Frame{}
	for _, f := range d.Frames {
		below[f.ParentID] = append(below[f.ParentID], f)
		if f.Validity == frame.Invalidated {
			v.Invalid++
		}
	}
	left := framesShown
	v.Frames = shownFrames(below, "", &left)
	v.FramesLeft = v.Total - (framesShown - left)
	return v
}

// shownFrames takes the first frames below another in call order, up to the limit. Roots and invalidated frames are open,
// with all of their ancestors, because users look for them.
func shownFrames(below map[string][]frame.Frame, parent string, left *int) []frameView {
	var out []frameView
	for _, f := range below[parent] {
		if *left == 0 {
			return out
		}
		*left--
		v, calls := frameView{Frame: f}, map[string]bool{}
		for _, child := range below[f.ID] {
			calls["frame "+child.ID] = true
		}
		for _, e := range f.Evidence {
			if calls[e] {
				v.Below++
			} else {
				v.Evidence = append(v.Evidence, e)
			}
		}
		v.EvidenceLeft = max(0, len(v.Evidence)-evidenceShown)
		v.Evidence = v.Evidence[:len(v.Evidence)-v.EvidenceLeft]
		v.Children = shownFrames(below, f.ID, left)
		v.Open = parent == "" || f.Validity == frame.Invalidated ||
			slices.ContainsFunc(v.Children, func(child frameView) bool { return child.Open })
		out = append(out, v)
	}
	return out
}
