package bot

import (
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

// discussion is what is said of the findings of a pull request: in conversations beside its lines, and in commands.
type discussion struct {
	threads map[string]github.Thread // by finding; nil until they are looked up
	orders  orders
	former  *former // nil where there is none
}

// threadsOf looks up the conversations that this server began about findings of the pull request.
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

// What marks the first comment of a conversation, in its last line.
const (
	findingOpen  = "<!-- causal:finding "
	findingClose = " -->"
)

// markFinding is a line that Markdown does not show and that says which finding a conversation is about.
func (b *Bot) markFinding(repository int64, number int, id string) string {
	return findingOpen + id + "." + b.signature(repository, number, "finding "+id) + findingClose
}

// findingIn returns the finding that a conversation is about; empty when this server did not say so, of this pull request.
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

// resolved is why a finding is dismissed whose conversation a person has closed: that is kept, unless its code changes or the person
// opens it again.
const resolved = "resolved in its conversation"

// decided is what people have decided about findings in conversations. One that the server has closed itself is no decision, although
// its finding counts as open where the server was killed before it wrote down what it closed.
//
// GitHub lets the author of a pull request close its conversations, who need not be one who may write: anybody may propose a branch that
// is there. That is no decision either.
func decided(ctx context.Context, c Client, s *life.State, threads map[string]github.Thread) (dismissed, reinstated []sandbox.Dismissal, err error) {
	may := map[string]bool{"": true} // GitHub does not know any more who it was
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
			dismissed = append(dismissed, sandbox.Dismissal{ID: e.ID, Reason: resolved, Actor: orSomebody(t.ResolvedBy)})
		case !t.Resolved && e.Status == life.Dismissed && reason == resolved:
			reinstated = append(reinstated, sandbox.Dismissal{ID: e.ID, Actor: actor})
		}
	}
	return dismissed, reinstated, nil
}

func orSomebody(login string) string {
	if login == "" {
		return "somebody"
	}
	return login
}

// reviewing is what is known of the review of an open pull request, for the next one; nil when it is not to be reviewed. What is
// found in a fork's is told in its check run and not remembered: nothing else is written there.
func (b *Bot) reviewing(ctx context.Context, c Client, repository int64, p github.Pull, prior state, d *discussion) (*sandbox.Reviewing, error) {
	switch {
	case p.State != "open" && !p.Merged, own(p):
		return nil, nil
	case p.Fork:
		return &sandbox.Reviewing{}, nil
	}
	known, err := life.Unpack(prior.Review)
	if err != nil { // another version wrote it
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

// review has what the review found told beside the lines, and returns what the summary says of it; nil where there was none.
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
	if !a.comments() { // nothing is kept that names would stay with
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

// deaf is where somebody accepts that the App hears what is said in pull requests; empty when it does.
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

// conversations are the writes that make what is said beside the lines of a pull request be as the review has it.
type conversations struct {
	begin []github.Remark
	mend  []github.Settling
}

// converse compares the conversations with the review. As many are begun as there is room for beside those that are open: people
// read a few, and the rest stands in the summary.
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
				if t.Spoken { // whoever takes part in a conversation reads why it is over
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

// leastInline is what people are interrupted for: a note stands in the summary.
const leastInline = finding.Warning

// edited is the text that a conversation should begin with; empty when it does.
func edited(t github.Thread, body string) string {
	if t.Body == body {
		return ""
	}
	return body
}

func (b *Bot) remark(a *analysis, r *summary.Review, f report.Finding) string {
	return r.Remark(f) + "\n" + b.markFinding(a.repo.ID, a.pull.Number, f.ID)
}

// beside is a remark on the lines of a finding, or of what it suggests to put there.
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

// discuss has the conversations say what the review says, in two writes at most, and notes where they are.
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
		if now.HeadSHA != a.pull.HeadSHA { // the next run tells of the newer one
			todo.begin = nil
		}
	}
	if len(todo.begin) > 0 {
		switch err := c.Review(ctx, a.pull.Number, a.pull.HeadSHA, "", todo.begin); {
		case errors.Is(err, github.ErrOutsideDiff): // GitHub compares the files in another way: annotations tell of them
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

// named gives findings short names that they keep.
func named(prior []string, found *report.Review) []string {
	names := slices.Clone(prior)
	for _, f := range found.Findings {
		if !slices.Contains(names, f.ID) && len(names) < mostNamed {
			names = append(names, f.ID)
		}
	}
	return names
}

// mostNamed is how many findings of a pull request have a short name: those are kept in its comment.
const mostNamed = 200

// nameOf is the short name of the finding that came so late.
func nameOf(i int) string { return fmt.Sprintf("F%d", i+1) }
