package githubsim

import (
	"errors"
	"net/http"
	"slices"
)

type reviewRequest struct {
	Commit   string `json:"commit_id"`
	Body     string
	Event    string
	Comments []remarkRequest
}

type remarkRequest struct {
	Commit    string `json:"commit_id"`
	Path      string
	Body      string
	Line      int
	Side      string
	Start     int    `json:"start_line"`
	StartSide string `json:"start_side"`
	Position  int
	ReplyTo   int64  `json:"in_reply_to"`
	Subject   string `json:"subject_type"`
}

// draft parses a comment. The deprecated position parameter and ranges across both sides are not supported.
func (c *call) draft(in remarkRequest) (draft, error) {
	d := draft{place{path: in.Path, side: in.Side, start: in.Start, line: in.Line, file: in.Subject == "file"}, in.Body}
	if d.side == "" {
		d.side = right
	}
	if in.Position != 0 || in.StartSide != "" && in.StartSide != d.side {
		c.s.violate("%s: the simulator knows no remarks by position, and none over both sides", c.op)
		return d, errWrongLine
	}
	return d, bounded(in.Body)
}

// unprocessable formats an error as the review endpoints do: strings instead of objects.
func unprocessable(err error) error {
	var known *refusal
	if errors.As(err, &known) {
		return err
	}
	if !slices.Contains([]error{errWrongLine, errWrongPath, errNotOfPull}, err) {
		return err
	}
	return &refusal{status: http.StatusUnprocessableEntity, message: "Unprocessable Entity", errors: []string{err.Error()}}
}

func createReview(c *call) (reply, error) {
	p, err := c.pull()
	if err != nil {
		return reply{}, err
	}
	var in reviewRequest
	if err := c.read(&in); err != nil {
		return reply{}, err
	}
	if in.Event != "COMMENT" {
		c.s.violate("%s: the simulator knows no reviews of event %q", c.op, in.Event)
		return reply{}, fail(http.StatusUnprocessableEntity, "Unprocessable Entity")
	}
	if in.Body == "" && len(in.Comments) == 0 {
		return reply{}, fail(http.StatusUnprocessableEntity, "Unprocessable Entity")
	}
	var drafts []draft
	for _, one := range in.Comments {
		d, err := c.draft(one)
		if err != nil {
			return reply{}, unprocessable(err)
		}
		drafts = append(drafts, d)
	}
	if err := bounded(in.Body); err != nil {
		return reply{}, err
	}
	v, err := c.repo.review(p, in.Commit, in.Body, drafts, c.who.login, c.who.by)
	if err != nil {
		return reply{}, unprocessable(err)
	}
	return ok(c.repo.viewReview(v))
}

func listReviews(c *call) (reply, error) {
	p, err := c.pull()
	if err != nil {
		return reply{}, err
	}
	items := []object{}
	for _, v := range c.repo.reviews {
		if v.pull == p {
			items = append(items, c.repo.viewReview(v))
		}
	}
	return list(items)
}

func (c *call) review() (*review, error) {
	for _, v := range c.repo.reviews {
		if v.id == c.number("review_id") && int64(v.pull.number) == c.number("pull_number") {
			return v, nil
		}
	}
	return nil, errNotFound
}

func listReviewRemarks(c *call) (reply, error) {
	v, err := c.review()
	if err != nil {
		return reply{}, err
	}
	return list(c.repo.viewRemarks(c.repo.remarksOf(v)))
}

func listRemarks(c *call) (reply, error) {
	p, err := c.pull()
	if err != nil {
		return reply{}, err
	}
	return c.replyRemarks(p)
}

func (c *call) replyRemarks(p *pull) (reply, error) {
	items := c.repo.viewRemarks(c.repo.remarks(p))
	if c.query().Get("direction") == "desc" {
		slices.Reverse(items)
	}
	return list(items)
}
