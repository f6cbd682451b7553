package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	gh "github.com/google/go-github/v66/github"
)

// Remark is a review comment on lines of a pull request.
type Remark struct {
	Path            string
	StartLine, Line int  // StartLine is 0 for a single line
	Left            bool // the old side of the diff
	Body            string
}

// Review posts comments on lines as of head, in one atomic request. It fails with ErrOutsideDiff if GitHub refuses one
// of them, and with ErrHeadMoved if the pull request no longer has that commit. It does nothing without a body and
// remarks.
func (c *Client) Review(ctx context.Context, number int, head, body string, remarks []Remark) error {
	if body == "" && len(remarks) == 0 {
		return nil
	}
	doing := fmt.Sprintf("review pull request %d", number)
	review := &gh.PullRequestReviewRequest{CommitID: new(head), Event: new("COMMENT"), Body: optional(sayable(body, largestText))}
	for _, r := range remarks {
		review.Comments = append(review.Comments, r.draft())
	}
	return c.settle(ctx, func() error {
		_, _, err := c.api.PullRequests.CreateReview(ctx, c.owner, c.name, number, review)
		return asOutside(err, c.explain(ctx, doing, "pull_requests=write", err))
	}, func() (bool, error) {
		there, err := c.reviewed(ctx, number, review)
		return there, c.explain(ctx, doing, "pull_requests=read", err)
	})
}

func asOutside(err, explained error) error {
	refused, known := errors.AsType[*gh.ErrorResponse](err)
	if known && refused.Response.StatusCode == http.StatusUnprocessableEntity && errors.Is(explained, ErrRefused) {
		failed, _ := errors.AsType[*Error](explained)
		failed.Kind = ErrOutsideDiff
	}
	return explained
}

func (r Remark) draft() *gh.DraftReviewComment {
	side := "RIGHT"
	if r.Left {
		side = "LEFT"
	}
	out := &gh.DraftReviewComment{
		Path: new(strings.ToValidUTF8(r.Path, "\uFFFD")), Body: new(sayable(r.Body, largestText)), Side: new(side), Line: new(r.Line),
	}
	if r.StartLine > 0 && r.StartLine < r.Line { // GitHub refuses a range of one line
		out.StartLine, out.StartSide = new(r.StartLine), new(side)
	}
	return out
}

func (c *Client) reviewed(ctx context.Context, number int, want *gh.PullRequestReviewRequest) (bool, error) {
	var mine []int64
	err := paged(func(page gh.ListOptions) (*gh.Response, error) {
		found, resp, err := c.api.PullRequests.ListReviews(ctx, c.owner, c.name, number, &page)
		for _, v := range found {
			if strings.EqualFold(v.GetUser().GetLogin(), c.login) && v.GetCommitID() == want.GetCommitID() && sameText(v.GetBody(), want.GetBody()) {
				mine = append(mine, v.GetID())
			}
		}
		return resp, err
	})
	if err != nil {
		return false, err
	}
	for _, id := range slices.Backward(mine) {
		if same, err := c.holdsRemarks(ctx, number, id, want.Comments); same || err != nil {
			return same, err
		}
	}
	return false, nil
}

func (c *Client) holdsRemarks(ctx context.Context, number int, review int64, want []*gh.DraftReviewComment) (bool, error) {
	left := slices.Clone(want)
	more := false
	err := paged(func(page gh.ListOptions) (*gh.Response, error) {
		found, resp, err := c.api.PullRequests.ListReviewComments(ctx, c.owner, c.name, number, review, &page)
		for _, one := range found {
			i := slices.IndexFunc(left, func(w *gh.DraftReviewComment) bool {
				return w.GetPath() == one.GetPath() && sameText(w.GetBody(), one.GetBody())
			})
			if i < 0 {
				more = true
				continue
			}
			left = slices.Delete(left, i, i+1)
		}
		return resp, err
	})
	return !more && len(left) == 0, err
}
