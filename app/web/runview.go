package web

import "slices"

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
	Frame

	Below        int      // child calls among the evidence
	Evidence     []string // other evidence
	EvidenceLeft int
	Children     []frameView
	Open         bool
}

func newRunView(d *RunDetail) runView {
	v := runView{RunDetail: d}
	v.count(d.Frames)
	left := framesShown
	v.Frames = shownFrames(d.Frames, &left, 0)
	v.FramesLeft = v.Total - (framesShown - left)
	return v
}

func (v *runView) count(frames []Frame) {
	for _, f := range frames {
		v.Total++
		if f.Validity == "invalidated" {
			v.Invalid++
		}
		v.count(f.Children)
	}
}

// shownFrames takes the first frames in call order, up to the limit. Roots and invalidated frames are open, with all of
// their ancestors, because users look for them.
func shownFrames(frames []Frame, left *int, depth int) []frameView {
	var out []frameView
	for _, f := range frames {
		if *left == 0 {
			return out
		}
		*left--
		v := frameView{Frame: f}
		v.Below, v.Evidence = evidence(f)
		v.EvidenceLeft = max(0, len(v.Evidence)-evidenceShown)
		v.Evidence = v.Evidence[:len(v.Evidence)-v.EvidenceLeft]
		v.Children = shownFrames(f.Children, left, depth+1)
		v.Open = depth == 0 || f.Validity == "invalidated" ||
			slices.ContainsFunc(v.Children, func(child frameView) bool { return child.Open })
		out = append(out, v)
	}
	return out
}

func evidence(f Frame) (below int, rest []string) {
	children := map[string]bool{}
	for _, c := range f.Children {
		children["frame "+c.ID] = true
	}
	for _, e := range f.Evidence {
		if children[e] {
			below++
		} else {
			rest = append(rest, e)
		}
	}
	return below, rest
}
