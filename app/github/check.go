package github

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	gh "github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/app/plain"
)

// CheckRun is the result of a run as GitHub shows it beside a commit.
type CheckRun struct {
	Head       string // commit
	Name       string
	ExternalID string // with head and name it says which check run this is
	DetailsURL string
	Status     string // queued, in_progress, completed; empty for completed when there is a conclusion
	Conclusion string // success, failure, neutral, action_required, …; empty while it runs
	Title      string
	Summary    string // Markdown
	Text       string // Markdown, shown below the annotations

	Annotations []Annotation
}

// Annotation is a remark beside a line of the change.
type Annotation struct {
	Path    string
	Line    int    // the first one, from 1
	EndLine int    // 0: the same
	Level   string // notice, warning, failure
	Title   string
	Message string
	Details string
}

// mostAnnotations is what GitHub takes in one request. More requests would be more writes, and nobody reads so many.
const mostAnnotations = 50

// Bounds of the texts of an annotation, the first of which GitHub gives in KB. That of a title does for the one of the
// check run, too, for which GitHub gives none.
const (
	largestMessage = 64 << 10
	largestTitle   = 255
)

// Check makes the check run of this head, name and external ID be as given, and returns its number. It writes nothing
// when it is so already.
//
// GitHub adds annotations to a check run and never takes one away. A run that has others than those wanted is therefore
// followed by a new one: of several with one name GitHub shows the newest, and what was said before goes out of sight.
// Whoever reads all of them would still meet a failure that is none any more, so that a former run which does not pass is
// ended as superseded. That comes last: a required check that fails must not pass for a moment. It is one write more,
// and so a comment and two check runs for a pull request.
func (c *Client) Check(ctx context.Context, run CheckRun) (int64, error) {
	run = run.bounded()
	now, err := c.lookAtCheck(ctx, run)
	if err != nil {
		return 0, err
	}
	former := now.former
	if !now.same {
		err = c.settle(ctx, func() (err error) {
			now.known, err = c.writeCheck(ctx, run, now)
			return c.explain(ctx, "write check run "+run.Name, "checks=write", err)
		}, func() (bool, error) {
			again, err := c.lookAtCheck(ctx, run)
			now = again
			return again.same, err
		})
	}
	for _, old := range former {
		if err == nil && !passes(old) {
			err = c.supersede(ctx, run, old)
		}
	}
	return now.known.GetID(), err
}

// passes reports whether a check run holds nothing up.
func passes(run *gh.CheckRun) bool {
	return slices.Contains([]string{"success", "neutral", "skipped"}, run.GetConclusion())
}

// supersede ends a former check run.
func (c *Client) supersede(ctx context.Context, run CheckRun, old *gh.CheckRun) error {
	const title, summary = "superseded", "A newer run of this check has the current result."
	return c.settle(ctx, func() error {
		_, _, err := c.api.Checks.UpdateCheckRun(ctx, c.owner, c.name, old.GetID(), gh.UpdateCheckRunOptions{
			Name: run.Name, Status: new("completed"), Conclusion: new("neutral"), CompletedAt: c.now(),
			Output: &gh.CheckRunOutput{Title: new(title), Summary: new(summary)},
		})
		return c.explain(ctx, "end a former check run "+run.Name, "checks=write", err)
	}, func() (bool, error) {
		runs, err := c.findChecks(ctx, run)
		return !slices.ContainsFunc(runs, func(r *gh.CheckRun) bool { return r.GetID() == old.GetID() && !passes(r) }), err
	})
}

// Checked reports whether a commit has a check run of this name and external ID, whatever it says.
func (c *Client) Checked(ctx context.Context, head, name, externalID string) (bool, error) {
	runs, err := c.findChecks(ctx, CheckRun{Head: head, Name: name, ExternalID: externalID})
	return len(runs) > 0, err
}

// bounded keeps to GitHub's limits, and says where that takes something away.
func (r CheckRun) bounded() CheckRun {
	if r.Status == "" && r.Conclusion != "" {
		r.Status = "completed"
	}
	more := ""
	if n := len(r.Annotations) - mostAnnotations; n > 0 {
		r.Annotations = r.Annotations[:mostAnnotations]
		more = fmt.Sprintf("\n\n_… %d more %s than GitHub shows._\n", n, plural(n, "annotation"))
	}
	r.Title = plain.Line(r.Title, largestTitle)
	r.Summary = clip(harmless(r.Summary), largestText-len(more)) + more
	r.Text = clip(harmless(r.Text), largestText)
	return r
}

// checkState is what a commit has of a check run.
type checkState struct {
	known  *gh.CheckRun             // that can be changed into what is wanted; nil when a new one has to be made
	same   bool                     // it is so already
	lacks  []*gh.CheckRunAnnotation // that it is to have, too
	former []*gh.CheckRun           // older ones
}

func (c *Client) lookAtCheck(ctx context.Context, run CheckRun) (checkState, error) {
	want := run.annotations()
	runs, err := c.findChecks(ctx, run)
	if err != nil || len(runs) == 0 {
		return checkState{lacks: want}, err
	}
	known := runs[0]
	var have []*gh.CheckRunAnnotation
	if known.GetOutput().GetAnnotationsCount() > 0 {
		if have, err = c.annotationsOf(ctx, known.GetID()); err != nil {
			return checkState{}, err
		}
	}
	lacks, others := lacking(have, want)
	if others {
		return checkState{lacks: want, former: runs}, nil
	}
	return checkState{known: known, same: len(lacks) == 0 && run.sameTexts(known), lacks: lacks, former: runs[1:]}, nil
}

// findChecks finds the check runs of this head, name and external ID, the newest first.
func (c *Client) findChecks(ctx context.Context, run CheckRun) ([]*gh.CheckRun, error) {
	options := &gh.ListCheckRunsOptions{CheckName: new(run.Name), Filter: new("all")}
	if c.appID != 0 {
		options.AppID = new(c.appID)
	}
	var out []*gh.CheckRun
	err := paged(func(page gh.ListOptions) (*gh.Response, error) {
		options.ListOptions = page
		found, resp, err := c.api.Checks.ListCheckRunsForRef(ctx, c.owner, c.name, run.Head, options)
		if err != nil {
			return resp, err
		}
		for _, r := range found.CheckRuns {
			if r.GetExternalID() == run.ExternalID && r.GetName() == run.Name {
				out = append(out, r)
			}
		}
		return resp, nil
	})
	slices.SortFunc(out, func(a, b *gh.CheckRun) int { return cmp.Compare(b.GetID(), a.GetID()) })
	return out, c.explain(ctx, "list check runs", "checks=read", err)
}

func (c *Client) annotationsOf(ctx context.Context, id int64) ([]*gh.CheckRunAnnotation, error) {
	var out []*gh.CheckRunAnnotation
	err := paged(func(page gh.ListOptions) (*gh.Response, error) {
		found, resp, err := c.api.Checks.ListCheckRunAnnotations(ctx, c.owner, c.name, id, &page)
		out = append(out, found...)
		return resp, err
	})
	return out, c.explain(ctx, "list annotations", "checks=read", err)
}

// lacking lists the wanted annotations that are not there, in whatever order GitHub lists them, and reports whether there
// are others.
func lacking(have, want []*gh.CheckRunAnnotation) (lacks []*gh.CheckRunAnnotation, others bool) {
	left := slices.Clone(have)
	for _, w := range want {
		i := slices.IndexFunc(left, func(h *gh.CheckRunAnnotation) bool {
			return h.GetPath() == w.GetPath() && h.GetStartLine() == w.GetStartLine() && h.GetEndLine() == w.GetEndLine() &&
				h.GetAnnotationLevel() == w.GetAnnotationLevel() && sameText(h.GetMessage(), w.GetMessage()) &&
				sameText(h.GetTitle(), w.GetTitle()) && sameText(h.GetRawDetails(), w.GetRawDetails())
		})
		if i < 0 {
			lacks = append(lacks, w)
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	return lacks, len(left) > 0
}

func (r CheckRun) sameTexts(known *gh.CheckRun) bool {
	return known.GetStatus() == r.Status && known.GetConclusion() == r.Conclusion &&
		(r.DetailsURL == "" || known.GetDetailsURL() == r.DetailsURL) &&
		known.GetOutput().GetTitle() == r.Title && sameText(known.GetOutput().GetSummary(), r.Summary) &&
		sameText(known.GetOutput().GetText(), r.Text)
}

// writeCheck changes the known check run or makes one.
func (c *Client) writeCheck(ctx context.Context, run CheckRun, now checkState) (*gh.CheckRun, error) {
	var output *gh.CheckRunOutput
	if run.Title != "" {
		output = &gh.CheckRunOutput{Title: new(run.Title), Summary: new(run.Summary), Text: optional(run.Text), Annotations: now.lacks}
	}
	var completed *gh.Timestamp
	if run.Conclusion != "" {
		completed = c.now()
	}
	if now.known != nil {
		made, _, err := c.api.Checks.UpdateCheckRun(ctx, c.owner, c.name, now.known.GetID(), gh.UpdateCheckRunOptions{
			Name: run.Name, DetailsURL: optional(run.DetailsURL), ExternalID: optional(run.ExternalID),
			Status: optional(run.Status), Conclusion: optional(run.Conclusion), CompletedAt: completed, Output: output,
		})
		return orKnown(made, now.known), err
	}
	made, _, err := c.api.Checks.CreateCheckRun(ctx, c.owner, c.name, gh.CreateCheckRunOptions{
		Name: run.Name, HeadSHA: run.Head, DetailsURL: optional(run.DetailsURL), ExternalID: optional(run.ExternalID),
		Status: optional(run.Status), Conclusion: optional(run.Conclusion), CompletedAt: completed, Output: output,
	})
	return made, err
}

// now is the time as GitHub takes it.
func (c *Client) now() *gh.Timestamp {
	return &gh.Timestamp{Time: c.opt.Now().UTC().Truncate(time.Second)}
}

func orKnown(made, known *gh.CheckRun) *gh.CheckRun {
	if made == nil {
		return known
	}
	return made
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// annotations are those of the run as GitHub takes them.
func (r CheckRun) annotations() []*gh.CheckRunAnnotation {
	var out []*gh.CheckRunAnnotation
	for _, a := range r.Annotations {
		first := max(a.Line, 1)
		out = append(out, &gh.CheckRunAnnotation{
			Path: new(strings.ToValidUTF8(a.Path, "\uFFFD")), StartLine: new(first), EndLine: new(max(a.EndLine, first)),
			AnnotationLevel: new(a.Level), Message: new(clip(harmless(a.Message), largestMessage)), Title: optional(plain.Line(a.Title, largestTitle)),
			RawDetails: optional(clip(harmless(a.Details), largestMessage)),
		})
	}
	return out
}
