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

// Run is one review of a change.
type Run struct {
	Base, Head string // commits; Head is empty for the work tree
	// Begins is set if the state is of another change. Common findings are taken over, and the others are dropped.
	Begins   bool
	Findings []finding.Finding // filled by match.Text, without IDs
	// Ran maps each linter that took part, by finding.Check, to whether it succeeded. causal's own checks always run.
	Ran map[string]bool
	// Unread maps files that causal's own checks could not read to the reason.
	Unread map[string]string
	// Became maps versions of files from earlier findings to the present.
	Became match.Mapper
	// Text returns the present version of a file, or nil if it does not exist or cannot be read.
	Text func(path string) *match.Text
	// Declares reports whether a file declares a symbol.
	Declares func(path, symbol string) bool
}

// Told is a present finding with its state: New, Open, Changed or Reopened.
type Told struct {
	*Entry
	State string
}

// Outcome is the result of a run. The lists are sorted by finding.Compare.
type Outcome struct {
	Findings                            []Told
	Fixed, Carried, Outdated, Dismissed []*Entry
	// Forgotten counts the dropped findings of another change, if Begins is set.
	Forgotten int
}

// Reconcile updates the state of a change with a run. It is idempotent.
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

func distinct(findings []finding.Finding) []finding.Finding {
	sorted := slices.Clone(findings)
	compare := func(a, b finding.Finding) int {
		return cmp.Or(finding.Compare(a, b), cmp.Compare(a.Side, b.Side), cmp.Compare(a.EndLine, b.EndLine),
			cmp.Compare(a.Anchor, b.Anchor), cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Severity, b.Severity))
	}
	slices.SortStableFunc(sorted, compare)
	return slices.CompactFunc(sorted, func(a, b finding.Finding) bool { return compare(a, b) == 0 })
}

// said returns a digest of the text that readers see.
func said(f finding.Finding) string {
	return fact.Digest(strings.Join(strings.Fields(f.Quote), ""), f.Message)
}

// meet updates an entry with this run's finding. It returns the state, or "" if the finding stays dismissed.
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

func (l *look) miss(e *Entry) {
	if e.Status == Dismissed || e.Status == Fixed {
		return
	}
	v := version{Version: match.Version{Path: e.Path}}
	if e.Side != finding.Left { // the old version does not change
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

// codeGone reports whether the flagged code or its declaration was certainly deleted.
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

// move updates the position of a carried finding, because the version of its blob may be lost before the next check.
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
