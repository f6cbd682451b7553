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

// CheckRun is a check run on a commit.
type CheckRun struct {
	Head       string
	Name       string
	ExternalID string // identifies the check run together with head and name
	DetailsURL string
	Status     string // queued, in_progress or completed; default with a conclusion: completed
	Conclusion string // success, failure, neutral, action_required, …; empty while running
	Title      string
	Summary    string
	Text       string // Markdown, shown below the annotations

	Annotations []Annotation
}

// Annotation is a check run annotation on lines of a file.
type Annotation struct {
	Path    string
	Line    int // first line, from 1
	EndLine int // 0: same as Line
	Level   string
	Title   string
	Message string
	Details string
}

// mostAnnotations is GitHub's limit for one request. More requests would cost more writes, and readers do not need so
// many.
const mostAnnotations = 50

// Limits for annotation texts. GitHub documents the first in KB. The second also serves for the check run's title, for
// which GitHub documents none.
const (
	largestMessage = 64 << 10
	largestTitle   = 255
)

// Check creates or updates the check run with this head, name and external ID and returns its id. It writes nothing if
// the run is up to date.
//
// GitHub can add annotations to a check run but not remove them. If annotations have to go, Check creates a new run,
// since GitHub shows the newest of a name, and ends a former run that does not pass as superseded. The new run is
// written first so a required check never passes in between. That costs one more write: one comment and two check runs
// for a pull request.
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

func passes(run *gh.CheckRun) bool {
	return slices.Contains([]string{"success", "neutral", "skipped"}, run.GetConclusion())
}

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

// Checked reports whether a commit has a check run with this name and external ID, with any conclusion.
func (c *Client) Checked(ctx context.Context, head, name, externalID string) (bool, error) {
	runs, err := c.findChecks(ctx, CheckRun{Head: head, Name: name, ExternalID: externalID})
	return len(runs) > 0, err
}

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

type checkState struct {
	known  *gh.CheckRun
	same   bool
	lacks  []*gh.CheckRunAnnotation
	former []*gh.CheckRun
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

// lacking lists the wanted annotations that are missing, and reports whether there are unwanted ones. GitHub does not
// keep their order.
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

// now returns the time in whole seconds, as GitHub stores it.
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
