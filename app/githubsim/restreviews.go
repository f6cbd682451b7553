package githubsim

import (
	"cmp"
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
	Path      string
	Body      string
	Line      int
	Side      string
	Start     int    `json:"start_line"`
	StartSide string `json:"start_side"`
	Position  int
	Subject   string `json:"subject_type"`
}

// draft parses a comment. The deprecated position parameter and ranges across both sides are not supported.
func (c *call) draft(in remarkRequest) draft {
	d := draft{place{path: in.Path, side: cmp.Or(in.Side, right), start: in.Start, line: in.Line, file: in.Subject == "file"}, in.Body}
	if in.Position != 0 || in.StartSide != "" && in.StartSide != d.side {
		c.s.violate("%s: the simulator knows no remarks by position, and none over both sides", c.op)
		panic(errWrongLine)
	}
	bounded(in.Body)
	return d
}

func createReview(c *call) reply {
	p := c.pull("pull_number")
	var in reviewRequest
	c.read(&in)
	if in.Event != "COMMENT" {
		c.s.violate("%s: the simulator knows no reviews of event %q", c.op, in.Event)
		panic(fail(http.StatusUnprocessableEntity, "Unprocessable Entity"))
	}
	if in.Body == "" && len(in.Comments) == 0 {
		panic(fail(http.StatusUnprocessableEntity, "Unprocessable Entity"))
	}
	var drafts []draft
	for _, one := range in.Comments {
		drafts = append(drafts, c.draft(one))
	}
	bounded(in.Body)
	return ok(c.repo.viewReview(c.repo.review(p, in.Commit, in.Body, drafts, c.who.login)))
}

func listReviews(c *call) reply {
	p := c.pull("pull_number")
	return list(views(only(c.repo.reviews, func(v *review) bool { return v.pull == p }), c.repo.viewReview))
}

func (c *call) review() *review {
	return one(c.repo.reviews, func(v *review) bool {
		return v.id == c.number("review_id") && int64(v.pull.Number) == c.number("pull_number")
	})
}

func listReviewRemarks(c *call) reply {
	return list(c.repo.viewRemarks(c.repo.remarksOf(c.review())))
}

func listRemarks(c *call) reply {
	items := c.repo.viewRemarks(c.repo.remarks(c.pull("pull_number")))
	if c.query().Get("direction") == "desc" {
		slices.Reverse(items)
	}
	return list(items)
}
