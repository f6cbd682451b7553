package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/record"
)

// Reviewing is the state of a change for its next review.
type Reviewing struct {
	State      []byte      `json:"state,omitempty"` // from the last Review
	Dismissals []Dismissal `json:"dismissals,omitempty"`
	Reinstated []Dismissal `json:"reinstated,omitempty"` // findings that people want told again
	// Begins: State is from another pull request, and this one takes over the common findings.
	Begins bool `json:"begins,omitempty"`
}

// Dismissal is a decision about a finding.
type Dismissal struct {
	ID     string `json:"id"`
	Reason string `json:"reason,omitempty"`
	Actor  string `json:"actor"`
}

// Direct is a range of commits that were pushed without a pull request.
type Direct struct {
	From string `json:"from"` // the parent of the first commit
	Head string `json:"head"` // the last commit
	Key  string `json:"key"`
}

// Closing is a merged change with the state of its findings.
type Closing struct {
	State  []byte `json:"state"`
	Key    string `json:"key"`
	Base   string `json:"base"` // the base commit
	Head   string `json:"head"`
	Author string `json:"author"`
}

// Review is the result of a child's review.
type Review struct {
	Report *report.Review `json:"report"`
	State  []byte         `json:"state"`            // for the next review of the change
	Shown  []string       `json:"shown"`            // ids of the findings for inline comments
	Unsure []string       `json:"unsure,omitempty"` // ids of the findings that get no inline comment
	// Left counts the findings above the limit.
	Left int `json:"left,omitempty"`
	Most int `json:"most"` // the configured limit of inline comments
	// Taken counts the findings that were taken over, if the review Begins.
	Taken int `json:"taken,omitempty"`
}

// Limits of a Review. A user reads the first dozens, and the state must fit into a comment with them.
const (
	// LargestReviewState limits the bytes of a state: some hundred findings.
	LargestReviewState = 30 << 10
	mostTold           = 500 // findings of each list
)

// reviewTime is the time limit of a review, without model requests. The rest is for the docs, which are more important.
const reviewTime = 20 * time.Second

// look reviews a change within reviewTime. remembers is the commit of the review memory, late the reason for a timeout.
func (a *analysis) look(ctx context.Context, c workspace.Change, remembers string) (found *workspace.Reviewed, late string, err error) {
	inTime, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	a.parent.clock = newClock(reviewTime, func() { stop(context.DeadlineExceeded) })
	defer func() {
		a.parent.clock.pause()
		a.parent.clock = nil
	}()
	memory, unread, err := a.workspace.MemoryAt(inTime, remembers)
	if err == nil {
		c.Given, c.Unread = review.NewGiven(nil, memory), unread
		c.Without = func(string) bool { return false }
		found, err = a.workspace.Review(inTime, c)
	}
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(inTime), context.DeadlineExceeded) {
		return nil, fmt.Sprintf("takes longer than %v to review", reviewTime), nil
	}
	return found, "", err
}

func (a *analysis) review(ctx context.Context) (*Review, error) {
	w, asked := a.workspace, a.task.Pull.Review
	if a.base.ID == "" || w.Config.Review.Off { // without a merge base, or disabled
		return nil, nil
	}
	state, err := asked.state(a.task.Commit)
	if err != nil {
		return nil, err
	}
	r := &Review{State: asked.State, Most: w.Config.Review.Comments}
	known := len(state.Findings)
	change := workspace.Change{Base: a.base, Head: a.task.Commit, State: state, Begins: asked.Begins, Tests: a.report.Tests, Model: w.Model}
	found, late, err := a.look(ctx, change, a.task.Rules)
	if err != nil {
		return nil, err
	}
	if late != "" {
		if asked.Begins { // it is unknown which findings both have
			r.State = nil
		}
		r.Report = report.OfReview(a.base.ID, a.task.Commit, &review.Found{Skipped: []finding.Skipped{{Path: "the change", Reason: late}}}, life.Outcome{}, nil, nil)
		return r, nil
	}
	if asked.Begins {
		r.Taken = known - found.Forgotten
	}
	for i := range found.Outcome.Findings { // the same head is reviewed again after a comment
		t := &found.Outcome.Findings[i]
		t.State = t.Since(a.task.Commit)
	}
	r.Report = w.ReportOf(change, found, nil)
	var forgotten int
	if r.State, forgotten, err = state.Pack(LargestReviewState); err != nil {
		return nil, err
	}
	if forgotten > 0 {
		r.Report.NotAnalysed = append(r.Report.NotAnalysed, finding.Skipped{
			Path: "the change", Reason: fmt.Sprintf("has %d findings above the limit: each run reports them as new", forgotten),
		})
	}
	kept, err := life.Unpack(r.State)
	if err != nil {
		return nil, err
	}
	for _, e := range kept.Findings { // forgotten findings would be posted again
		if found.Shown[e.ID] {
			r.Shown = append(r.Shown, e.ID)
		}
	}
	r.Unsure = slices.Sorted(maps.Keys(found.Unsure))
	r.cut()
	return r, nil
}

// state returns the state of the findings with the new decisions. A state of another version is empty.
func (r *Reviewing) state(head string) (*life.State, error) {
	s, err := life.Unpack(r.State)
	if err != nil {
		return &life.State{}, nil //nolint:nilerr // as above
	}
	for _, d := range r.Dismissals {
		if slices.ContainsFunc(s.Findings, func(e *life.Entry) bool { return e.ID == d.ID }) {
			if err := s.Dismiss(d.ID, d.Reason, d.Actor, head); err != nil {
				return nil, err
			}
		}
	}
	for _, d := range r.Reinstated {
		s.Reinstate(d.ID, d.Actor, head)
	}
	return s, nil
}

func (a *analysis) close(ctx context.Context) error {
	c := a.task.Pull.Close
	state, err := life.Unpack(c.State)
	if err != nil {
		return err
	}
	return a.record(ctx, record.Change{Key: c.Key, Base: c.Base, Head: c.Head, Author: c.Author}, state)
}

func (a *analysis) direct(ctx context.Context) error {
	d, w := a.task.Direct, a.workspace
	if w.Config.Review.Off || w.Config.Bot.DryRun || w.Config.Bot.Mode == config.ModeCheck {
		return nil
	}
	if err := w.Mirror.Fetch(ctx, d.From); err != nil {
		return err
	}
	base, err := w.Repo.Resolve(ctx, d.From)
	if err != nil {
		return err
	}
	state := &life.State{}
	found, _, err := a.look(ctx, workspace.Change{Base: base, Head: a.task.Commit, State: state}, d.From)
	if err != nil || found == nil || len(state.Findings) == 0 {
		return err
	}
	return a.record(ctx, record.Change{Key: d.Key, Base: d.From, Head: d.Head}, state)
}

// record stores the findings of a closed change. The default author is that of its head. If earlier records are invalid
// it is stored anyway: principles wait for the repair, and the docs update continues.
func (a *analysis) record(ctx context.Context, c record.Change, state *life.State) error {
	w := a.workspace
	if err := w.Mirror.Fetch(ctx, c.Head); err != nil {
		return err
	}
	head, err := w.Repo.Resolve(ctx, c.Head)
	if err != nil {
		return err
	}
	c.Outcome, c.At, c.Author = record.Merged, head.When, cmp.Or(c.Author, head.Author)
	closed := record.New(c, state)
	memory, err := w.Remember()
	var broken *workspace.MemoryError
	if errors.As(err, &broken) {
		_, err = record.Save(w.Files, closed)
		return err
	}
	if err == nil {
		a.promoted, err = w.CloseChange(closed, memory)
	}
	return err
}

func (r *Review) cut() {
	if n := len(r.Report.Findings); n > mostTold {
		slices.SortStableFunc(r.Report.Findings, func(a, b report.Finding) int { return b.Severity.Compare(a.Severity) })
		r.Left = n - mostTold
		r.Report.Findings = r.Report.Findings[:mostTold]
	}
	for _, list := range []*[]report.Past{&r.Report.Fixed, &r.Report.Carried, &r.Report.Outdated, &r.Report.Dismissed} {
		*list = (*list)[:min(len(*list), mostTold)]
	}
	r.Report.NotAnalysed = r.Report.NotAnalysed[:min(len(r.Report.NotAnalysed), mostTold)]
	r.Report.Dropped = r.Report.Dropped[:min(len(r.Report.Dropped), mostTold)]
}

// check validates a review from a child. Its paths and texts are untrusted.
func (r *Review) check() error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: a review with %s", errMessage, fmt.Sprintf(format, args...))
	}
	switch {
	case r.Report == nil:
		return wrong("no report")
	case len(r.State) > LargestReviewState:
		return wrong("a state of %d bytes", len(r.State))
	case r.Taken < 0:
		return wrong("%d findings of another", r.Taken)
	case r.Most < 0 || r.Most > mostTold:
		return wrong("%d comments", r.Most)
	case len(r.Report.Findings) > mostTold || len(r.Shown)+len(r.Unsure) > mostTold*100 || len(r.Report.Earlier) > mostTold || r.Left < 0:
		return wrong("%d findings", len(r.Report.Findings))
	}
	for _, f := range r.Report.Findings {
		if !strings.HasPrefix(f.ID, "f-") || !fs.ValidPath(f.Path) || f.Path == "." || f.Line < 1 || f.EndLine < f.Line || !f.Severity.Valid() {
			return wrong("a finding %q at %q, lines %d to %d", f.ID, f.Path, f.Line, f.EndLine)
		}
	}
	return nil
}
