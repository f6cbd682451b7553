package github

import (
	"context"
	"fmt"
	"slices"
	"time"

	gh "github.com/google/go-github/v66/github"
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

// Bounds of the texts of an annotation, which GitHub gives in KB.
const (
	largestMessage = 64 << 10
	largestTitle   = 255
)

// Check makes the check run of this head, name and external ID be as given, and returns its number. It writes nothing
// when it is so already.
func (c *Client) Check(ctx context.Context, run CheckRun) (int64, error) {
	run = run.bounded()
	known, same, err := c.check(ctx, run)
	if err != nil || same {
		return known.GetID(), err
	}
	err = c.settle(ctx, func() (err error) {
		known, err = c.writeCheck(ctx, run, known)
		return c.explain(ctx, "write check run "+run.Name, "checks=write", err)
	}, func() (bool, error) {
		found, same, err := c.check(ctx, run)
		known = found
		return same, err
	})
	return known.GetID(), err
}

// Checked tells whether a commit has a check run of this name and external ID, whatever it says.
func (c *Client) Checked(ctx context.Context, head, name, externalID string) (bool, error) {
	known, err := c.findCheck(ctx, CheckRun{Head: head, Name: name, ExternalID: externalID})
	return known != nil, err
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
	r.Summary = clip(r.Summary, largestText-len(more)) + more
	r.Text = clip(r.Text, largestText)
	return r
}

// check finds the check run, and tells whether there is nothing to change. It is nil when a new one has to be made:
// annotations can be added to a check run, but not taken away, so that one with others is left behind.
func (c *Client) check(ctx context.Context, run CheckRun) (known *gh.CheckRun, same bool, err error) {
	known, err = c.findCheck(ctx, run)
	if err != nil || known == nil {
		return nil, false, err
	}
	if known.GetOutput().GetAnnotationsCount() == 0 {
		return known, run.sameTexts(known) && len(run.Annotations) == 0, nil
	}
	annotated, err := c.annotated(ctx, known.GetID(), run.annotations())
	switch {
	case err != nil:
		return nil, false, err
	case !annotated:
		return nil, false, nil
	}
	return known, run.sameTexts(known), nil
}

// findCheck finds the newest check run of this head, name and external ID; nil when there is none.
func (c *Client) findCheck(ctx context.Context, run CheckRun) (known *gh.CheckRun, err error) {
	options := &gh.ListCheckRunsOptions{CheckName: new(run.Name), Filter: new("all")}
	if c.appID != 0 {
		options.AppID = new(c.appID)
	}
	err = paged(func(page gh.ListOptions) (*gh.Response, error) {
		options.ListOptions = page
		found, resp, err := c.api.Checks.ListCheckRunsForRef(ctx, c.owner, c.name, run.Head, options)
		if err != nil {
			return resp, err
		}
		for _, r := range found.CheckRuns {
			if r.GetExternalID() == run.ExternalID && r.GetName() == run.Name && r.GetID() > known.GetID() {
				known = r
			}
		}
		return resp, nil
	})
	return known, c.explain(ctx, "list check runs", "checks=read", err)
}

// annotated tells whether a check run has exactly these annotations.
func (c *Client) annotated(ctx context.Context, id int64, want []*gh.CheckRunAnnotation) (bool, error) {
	var have []*gh.CheckRunAnnotation
	err := paged(func(page gh.ListOptions) (*gh.Response, error) {
		found, resp, err := c.api.Checks.ListCheckRunAnnotations(ctx, c.owner, c.name, id, &page)
		have = append(have, found...)
		return resp, err
	})
	same := func(a, b *gh.CheckRunAnnotation) bool {
		return a.GetPath() == b.GetPath() && a.GetStartLine() == b.GetStartLine() && a.GetEndLine() == b.GetEndLine() &&
			a.GetAnnotationLevel() == b.GetAnnotationLevel() && a.GetMessage() == b.GetMessage() &&
			a.GetTitle() == b.GetTitle() && a.GetRawDetails() == b.GetRawDetails()
	}
	return err == nil && slices.EqualFunc(have, want, same), c.explain(ctx, "list annotations", "checks=read", err)
}

func (r CheckRun) sameTexts(known *gh.CheckRun) bool {
	return known.GetStatus() == r.Status && known.GetConclusion() == r.Conclusion &&
		(r.DetailsURL == "" || known.GetDetailsURL() == r.DetailsURL) &&
		known.GetOutput().GetTitle() == r.Title && sameText(known.GetOutput().GetSummary(), r.Summary) &&
		sameText(known.GetOutput().GetText(), r.Text)
}

// writeCheck changes a known check run or makes one. On the known one the annotations are there already, or none are.
func (c *Client) writeCheck(ctx context.Context, run CheckRun, known *gh.CheckRun) (*gh.CheckRun, error) {
	var output *gh.CheckRunOutput
	if run.Title != "" {
		output = &gh.CheckRunOutput{Title: new(run.Title), Summary: new(run.Summary), Text: optional(run.Text)}
		if known.GetOutput().GetAnnotationsCount() == 0 {
			output.Annotations = run.annotations()
		}
	}
	var completed *gh.Timestamp
	if run.Conclusion != "" {
		completed = &gh.Timestamp{Time: c.opt.Now().UTC().Truncate(time.Second)}
	}
	if known != nil {
		made, _, err := c.api.Checks.UpdateCheckRun(ctx, c.owner, c.name, known.GetID(), gh.UpdateCheckRunOptions{
			Name: run.Name, DetailsURL: optional(run.DetailsURL), ExternalID: optional(run.ExternalID),
			Status: optional(run.Status), Conclusion: optional(run.Conclusion), CompletedAt: completed, Output: output,
		})
		return orKnown(made, known), err
	}
	made, _, err := c.api.Checks.CreateCheckRun(ctx, c.owner, c.name, gh.CreateCheckRunOptions{
		Name: run.Name, HeadSHA: run.Head, DetailsURL: optional(run.DetailsURL), ExternalID: optional(run.ExternalID),
		Status: optional(run.Status), Conclusion: optional(run.Conclusion), CompletedAt: completed, Output: output,
	})
	return made, err
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
		title := a.Title
		if len(title) > largestTitle {
			title = cut(title, largestTitle-len("…")) + "…"
		}
		out = append(out, &gh.CheckRunAnnotation{
			Path: new(a.Path), StartLine: new(first), EndLine: new(max(a.EndLine, first)),
			AnnotationLevel: new(a.Level), Message: new(clip(a.Message, largestMessage)), Title: optional(title),
			RawDetails: optional(clip(a.Details, largestMessage)),
		})
	}
	return out
}
