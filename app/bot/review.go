package bot

import (
	"cmp"
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/webhooks/queue"
)

// discussion has the conversations about findings and the commands of a pull request.
type discussion struct {
	threads map[string]github.Thread // by finding; nil before they are loaded
	orders  orders
	former  *former // may be nil
}

func (b *Bot) threadsOf(ctx context.Context, c Client, repository int64, number int) (map[string]github.Thread, error) {
	list, err := c.Threads(ctx, number)
	if err != nil {
		return nil, err
	}
	out := map[string]github.Thread{}
	for _, t := range list {
		id := b.findingIn(repository, number, t.Body)
		if _, known := out[id]; id != "" && !known {
			out[id] = t
		}
	}
	return out, nil
}

// The marker of a conversation, in the last line of its first comment.
const (
	findingOpen  = "<!-- causal:finding "
	findingClose = " -->"
)

func (b *Bot) markFinding(repository int64, number int, id string) string {
	return findingOpen + id + "." + b.signature(repository, number, "finding "+id) + findingClose
}

// findingIn returns the finding of a conversation, and "" without this server's signature for this pull request.
func (b *Bot) findingIn(repository int64, number int, body string) string {
	at := strings.LastIndex(body, findingOpen)
	if at < 0 {
		return ""
	}
	marked, _, closed := strings.Cut(body[at+len(findingOpen):], findingClose)
	id, signature, dotted := strings.Cut(marked, ".")
	if !closed || !dotted || !hmac.Equal([]byte(signature), []byte(b.signature(repository, number, "finding "+id))) {
		return ""
	}
	return id
}

// resolved is the reason for dismissing a finding whose conversation a user resolved. It stays until the code changes
// or the conversation is reopened.
const resolved = "resolved in its conversation"

// decided returns the decisions in conversations. Conversations that the server resolved do not count, even if their
// findings are still open after an interrupted run. Users without write access do not count either: GitHub lets the
// author of a pull request resolve its conversations.
func decided(ctx context.Context, c Client, s *life.State, threads map[string]github.Thread) (dismissed, reinstated []sandbox.Dismissal, err error) {
	may := map[string]bool{"": true} // GitHub no longer knows the user
	for _, e := range s.Findings {
		t, ok := threads[e.ID]
		if !ok {
			continue
		}
		reason, actor := e.Dismissal()
		switch {
		case t.Resolved && !t.Settled && (e.Status == life.Open || e.Status == life.Carried):
			allowed, known := may[t.ResolvedBy]
			if !known {
				if allowed, err = c.MayWrite(ctx, t.ResolvedBy); err != nil {
					return nil, nil, err
				}
				may[t.ResolvedBy] = allowed
			}
			if !allowed {
				continue
			}
			dismissed = append(dismissed, sandbox.Dismissal{ID: e.ID, Reason: resolved, Actor: cmp.Or(t.ResolvedBy, "somebody")})
		case !t.Resolved && e.Status == life.Dismissed && reason == resolved:
			reinstated = append(reinstated, sandbox.Dismissal{ID: e.ID, Actor: actor})
		}
	}
	return dismissed, reinstated, nil
}

// reviewing returns the review state for an open pull request, nil if it is not reviewed. A fork's findings are only in
// its check run and not stored.
func (b *Bot) reviewing(ctx context.Context, c Client, repository int64, p github.Pull, prior state, d *discussion) (*sandbox.Reviewing, error) {
	switch {
	case p.State != "open" && !p.Merged, own(p):
		return nil, nil
	case p.Fork:
		return &sandbox.Reviewing{}, nil
	}
	known, err := life.Unpack(prior.Review)
	if err != nil { // written by another version
		known, prior.Review = &life.State{}, nil
	}
	if len(known.Findings) > 0 {
		if d.threads, err = b.threadsOf(ctx, c, repository, p.Number); err != nil {
			return nil, err
		}
	}
	r := &sandbox.Reviewing{State: prior.Review}
	if r.Dismissals, r.Reinstated, err = decided(ctx, c, known, d.threads); err != nil {
		return nil, err
	}
	r.Dismissals = append(r.Dismissals, d.orders.dismissals...)
	if prior.Paused && !d.orders.resumes || d.orders.pauses {
		return nil, nil
	}
	if prior.Head == "" && p.State == "open" {
		if d.former, err = b.formerOf(ctx, c, repository, p); d.former != nil {
			r.State, r.Begins = d.former.state.Review, true
		}
	}
	return r, err
}

// review posts the findings beside their lines and returns the review for the summary, nil without one.
func (b *Bot) review(ctx context.Context, c Client, j queue.Job, a *analysis, now *state) (*summary.Review, error) {
	d := &a.discussion
	lack, err := b.deaf(ctx, j, a)
	if err != nil {
		return nil, err
	}
	answers := a.comments() && lack == ""
	now.Paused = (a.prior.Paused || d.orders.pauses) && !d.orders.resumes
	if a.Review == nil {
		var r *summary.Review
		if now.Paused {
			r = &summary.Review{Paused: true, Answers: answers, Deaf: lack}
		}
		return r, b.reply(ctx, c, a, r, d.orders)
	}
	names := a.prior.Named
	if a.Review.Taken > 0 && d.former != nil {
		names, now.From = d.former.state.Named, d.former.number
	}
	now.Review, now.Named = a.Review.State, named(names, a.Review.Report)
	r := &summary.Review{
		From: now.From, Report: a.Review.Report, Left: a.Review.Left, Answers: answers, Deaf: lack, Names: map[string]string{}, Posted: map[string]string{}, Unsure: map[string]bool{},
	}
	for _, id := range a.Review.Unsure {
		r.Unsure[id] = true
	}
	if !a.comments() { // without a comment there is no place to store short names
		return r, nil
	}
	for i, id := range now.Named {
		r.Names[id] = nameOf(i)
	}
	if err := b.discuss(ctx, c, a, r, d); err != nil {
		return nil, err
	}
	return r, b.reply(ctx, c, a, r, d.orders)
}

// deaf returns the URL for accepting missing comment events, or "".
func (b *Bot) deaf(ctx context.Context, j queue.Job, a *analysis) (string, error) {
	if !a.comments() {
		return "", nil
	}
	lack, err := b.config.Lacks(ctx, j.Installation, github.Setup{Events: Heard})
	if err != nil || lack.Nothing() {
		return "", err
	}
	return lack.URL, nil
}

type conversations struct {
	begin []github.Remark
	mend  []github.Settling
}

// converse compares conversations with the review. It opens new ones up to a limit of open conversations; other
// findings are in the summary.
func (b *Bot) converse(a *analysis, r *summary.Review, threads map[string]github.Thread) conversations {
	var out conversations
	shown := map[string]bool{}
	for _, id := range a.Review.Shown {
		shown[id] = true
	}
	open := 0
	var fresh []report.Finding
	for _, f := range r.Report.Findings {
		t, begun := threads[f.ID]
		body := b.remark(a, r, f)
		switch {
		case begun && t.Resolved:
			open++
			out.mend = append(out.mend, github.Settling{Thread: t, Unresolve: true, Edit: edited(t, body), Reply: "It is back in " + a.pull.HeadSHA + "."})
		case begun:
			open++
			if edit := edited(t, body); edit != "" {
				out.mend = append(out.mend, github.Settling{Thread: t, Edit: edit})
			}
		case shown[f.ID] && f.Severity.AtLeast(leastInline):
			fresh = append(fresh, f)
		}
	}
	for _, p := range r.Report.Carried {
		if t, begun := threads[p.ID]; begun && !t.Resolved {
			open++
		}
	}
	slices.SortStableFunc(fresh, func(x, y report.Finding) int { return y.Severity.Compare(x.Severity) })
	for _, f := range fresh[:min(len(fresh), max(a.Review.Most-open, 0))] {
		out.begin = append(out.begin, beside(f, b.remark(a, r, f)))
	}
	settle := func(list []report.Past, why string) {
		for _, p := range list {
			if t, begun := threads[p.ID]; begun && !t.Resolved {
				s := github.Settling{Thread: t, Resolve: true}
				if t.Spoken { // explain to the participants
					s.Reply = why
				}
				out.mend = append(out.mend, s)
			}
		}
	}
	settle(r.Report.Fixed, "Fixed in "+a.pull.HeadSHA+".")
	settle(r.Report.Outdated, "The code of this finding is gone.")
	settle(r.Report.Dismissed, "Dismissed.")
	return out
}

// leastInline is the lowest severity for a conversation. Notes are only in the summary.
const leastInline = finding.Warning

func edited(t github.Thread, body string) string {
	if t.Body == body {
		return ""
	}
	return body
}

func (b *Bot) remark(a *analysis, r *summary.Review, f report.Finding) string {
	return r.Remark(f) + "\n" + b.markFinding(a.repo.ID, a.pull.Number, f.ID)
}

func beside(f report.Finding, body string) github.Remark {
	r := github.Remark{Path: f.Path, Line: f.EndLine, Left: f.Side == finding.Left, Body: body}
	first := f.Line
	if s := f.Suggestion; s != nil && s.Path == f.Path {
		first, r.Line = s.Line, s.EndLine
	}
	if first < r.Line {
		r.StartLine = first
	}
	return r
}

func (b *Bot) discuss(ctx context.Context, c Client, a *analysis, r *summary.Review, d *discussion) error {
	if d.threads == nil && len(r.Report.Findings) > 0 {
		var err error
		if d.threads, err = b.threadsOf(ctx, c, a.repo.ID, a.pull.Number); err != nil {
			return err
		}
	}
	todo := b.converse(a, r, d.threads)
	if len(todo.begin) > 0 {
		now, err := c.Pull(ctx, a.pull.Number)
		if err != nil {
			return err
		}
		if now.HeadSHA != a.pull.HeadSHA { // the next run handles the newer head
			todo.begin = nil
		}
	}
	if len(todo.begin) > 0 {
		switch err := c.Review(ctx, a.pull.Number, a.pull.HeadSHA, "", todo.begin); {
		case errors.Is(err, github.ErrOutsideDiff): // GitHub computes another diff; annotations have the findings
		case err != nil:
			return err
		default:
			if d.threads, err = b.threadsOf(ctx, c, a.repo.ID, a.pull.Number); err != nil {
				return err
			}
		}
	}
	if len(todo.mend) > 0 {
		if err := c.SettleThreads(ctx, todo.mend); err != nil {
			return err
		}
	}
	for id, t := range d.threads {
		r.Posted[id] = t.URL
	}
	return nil
}

func named(prior []string, found *report.Review) []string {
	names := slices.Clone(prior)
	for _, f := range found.Findings {
		if !slices.Contains(names, f.ID) && len(names) < mostNamed {
			names = append(names, f.ID)
		}
	}
	return names
}

// mostNamed limits the short names, which are stored in the comment.
const mostNamed = 200

func nameOf(i int) string { return fmt.Sprintf("F%d", i+1) }
