package web

import "slices"

// Limits of one page: a first run over a large repository has a frame for each module, and a directory may have a
// thousand files.
const (
	framesShown   = 300
	evidenceShown = 20
	stepsShown    = 300
)

type runView struct {
	*RunDetail

	Frames     []frameView
	FramesLeft int // not shown
	Steps      []stepView
	StepsLeft  int
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

type stepView struct {
	Step

	Then []stepView
}

func newRunView(d *RunDetail) runView {
	v := runView{RunDetail: d}
	v.count(d.Frames)
	left, leftSteps := framesShown, stepsShown
	v.Frames = shownFrames(d.Frames, &left, 0)
	v.FramesLeft = v.Total - (framesShown - left)
	v.Steps = shownSteps(d.Chain, &leftSteps)
	v.StepsLeft = countSteps(d.Chain) - (stepsShown - leftSteps) + d.ChainLeft
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

func countSteps(steps []Step) int {
	n := len(steps)
	for _, s := range steps {
		n += countSteps(s.Then)
	}
	return n
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

func shownSteps(steps []Step, left *int) []stepView {
	var out []stepView
	for _, s := range steps {
		if *left == 0 {
			return out
		}
		*left--
		out = append(out, stepView{s, shownSteps(s.Then, left)})
	}
	return out
}
