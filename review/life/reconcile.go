package life

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/match"
)

// Run is one look at a change.
type Run struct {
	Base, Head string // commits; Head is empty for the work tree
	// Begins: the state is that of another change, of which this one takes over what both have. All else of it says nothing here.
	Begins   bool
	Findings []finding.Finding // filled by match.Text, without ids
	// Ran holds the checks of other programs that took part, by finding.Check: true where they looked, false where they failed.
	// causal's own always look.
	Ran map[string]bool
	// Unread are the files that causal's own checks could not read, with the reason.
	Unread map[string]string
	// Became tells what became of versions of files that earlier findings are about.
	Became match.Mapper
	// Text is the present version of a file; nil when it is not there, or cannot be read.
	Text func(path string) *match.Text
	// Declares reports whether a file declares a symbol.
	Declares func(path, symbol string) bool
}

// Told is a finding that is there, with what a run tells of it: New, Open, Changed or Reopened.
type Told struct {
	*Entry
	State string
}

// Outcome is what a run makes of the findings of a change. The lists are sorted as findings are told.
type Outcome struct {
	Findings                            []Told
	Fixed, Carried, Outdated, Dismissed []*Entry
	// Forgotten is how many findings of another change this one, when it Begins, does not have.
	Forgotten int
}

// Reconcile brings the state of a change up to a run. The same run twice changes nothing.
func Reconcile(s *State, r Run) Outcome {
	now := distinct(r.Findings)
	earlier, taken := make([]match.Earlier, len(s.Findings)), make([]string, len(s.Findings))
	for i, e := range s.Findings {
		earlier[i], taken[i] = match.Earlier{Finding: e.Finding, Over: e.Status.over()}, e.ID
	}
	look := &look{r, map[[2]string]version{}}
	of := match.Match(earlier, now, func(path, blob string) match.Version { return look.became(path, blob).Version })
	minter := match.NewMinter(r.Base, taken)
	found, told := make([]bool, len(s.Findings)), map[*Entry]string{}
	for i, f := range now {
		if of[i] < 0 {
			minter.Mint(&f)
			e := &Entry{Finding: f, Status: Open, FirstSeen: r.Head, Said: said(f)}
			e.note(Event{Event: New, Commit: r.Head})
			s.Findings, told[e] = append(s.Findings, e), New
			continue
		}
		found[of[i]] = true
		told[s.Findings[of[i]]] = s.Findings[of[i]].meet(f, r.Head)
	}
	forgotten := 0
	for i, was := range slices.Backward(found) {
		switch {
		case was:
		case r.Begins:
			s.Findings = slices.Delete(s.Findings, i, i+1)
			forgotten++
		default:
			look.miss(s.Findings[i])
		}
	}
	s.sort()
	out := s.outcome(told)
	out.Forgotten = forgotten
	return out
}

// distinct are the findings in the order in which they are told, each once.
func distinct(findings []finding.Finding) []finding.Finding {
	sorted := slices.Clone(findings)
	compare := func(a, b finding.Finding) int {
		return cmp.Or(finding.Compare(a, b), cmp.Compare(a.Side, b.Side), cmp.Compare(a.EndLine, b.EndLine),
			cmp.Compare(a.Anchor, b.Anchor), cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Severity, b.Severity))
	}
	slices.SortStableFunc(sorted, compare)
	return slices.CompactFunc(sorted, func(a, b finding.Finding) bool { return compare(a, b) == 0 })
}

// said is what readers would see change.
func said(f finding.Finding) string {
	return fact.Digest(strings.Join(strings.Fields(f.Quote), ""), f.Message)
}

// meet has a finding be the one that a run found, and returns what to tell of it; nothing of one that stays dismissed.
func (e *Entry) meet(f finding.Finding, head string) string {
	was, anchor, text := e.Status, e.Anchor, e.Said
	f.ID = e.ID
	e.Finding, e.Said, e.Why = f, said(f), ""
	switch {
	case was == Dismissed && anchor == f.Anchor:
		return ""
	case was.over(), was == Dismissed:
		e.Status = Open
		e.note(Event{Event: Reopened, Commit: head})
		return Reopened
	}
	if e.Status = Open; text == e.Said {
		return string(Open)
	}
	e.note(Event{Event: Changed, Commit: head})
	return Changed
}

// look is a Run that remembers what became of files.
type look struct {
	Run
	asked map[[2]string]version
}

type version struct {
	match.Version
	edits change.Edits
}

func (l *look) became(path, blob string) version {
	v, ok := l.asked[[2]string{path, blob}]
	if !ok {
		if v.Version = l.Became(path, blob); v.Lines != nil {
			v.edits = v.Lines.Edits()
		}
		l.asked[[2]string{path, blob}] = v
	}
	return v
}

// miss decides about a finding that the run did not find.
func (l *look) miss(e *Entry) {
	if e.Status == Dismissed || e.Status == Fixed {
		return
	}
	v := version{Version: match.Version{Path: e.Path}}
	if e.Side != finding.Left { // the old version stays as it was
		v = l.became(e.Path, e.Blob)
	}
	why := l.absent(e, v.Path)
	switch {
	case v.Path == "":
		l.become(e, Outdated, "")
	case why == "":
		l.become(e, Fixed, "")
	case e.Side != finding.Left && l.codeGone(e, v):
		l.become(e, Outdated, "")
	default:
		l.become(e, Carried, why)
		l.move(e, v)
	}
}

func (l *look) become(e *Entry, status Status, why string) {
	if e.Why = why; e.Status != status {
		e.Status = status
		e.note(Event{Event: string(status), Commit: l.Head, Reason: why})
	}
}

// absent says why what found a finding did not look again at its file; empty when it did.
func (l *look) absent(e *Entry, path string) string {
	check := e.Check()
	looked, took := l.Ran[check]
	switch {
	case check == e.Rule && l.Unread[path] != "":
		return path + " " + l.Unread[path]
	case check == e.Rule || looked:
		return ""
	case took:
		return check + " failed"
	}
	return check + " did not run"
}

// codeGone reports whether what a finding is about is certainly not in its file any more: it was deleted and nothing took its
// place, or its declaration is gone as well.
func (l *look) codeGone(e *Entry, v version) bool {
	text := l.Text(v.Path)
	switch {
	case text == nil || text.Anchored(e.Anchor):
		return false
	case v.edits.Deleted(e.Line, e.EndLine):
		return true
	case e.Symbol != "":
		return !l.Declares(v.Path, e.Symbol)
	}
	return e.Scope != "" && !text.Scoped(e.Scope)
}

// move has a finding that is carried be at the place where its code is now: the version that it was found in may be forgotten
// before anybody looks again.
func (l *look) move(e *Entry, v version) {
	text := l.Text(v.Path)
	if v.Lines == nil || text == nil {
		return
	}
	if line, ok := v.Lines.Now(e.Line); ok {
		e.Path, e.Blob, e.EndLine, e.Line = v.Path, text.Blob(), line+e.EndLine-e.Line, line
	}
}

func (s *State) outcome(told map[*Entry]string) Outcome {
	var o Outcome
	for _, e := range s.Findings {
		switch e.Status {
		case Open:
			o.Findings = append(o.Findings, Told{e, told[e]})
		case Fixed:
			o.Fixed = append(o.Fixed, e)
		case Carried:
			o.Carried = append(o.Carried, e)
		case Outdated:
			o.Outdated = append(o.Outdated, e)
		case Dismissed:
			o.Dismissed = append(o.Dismissed, e)
		}
	}
	return o
}
