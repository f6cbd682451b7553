package github

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	gh "github.com/google/go-github/v66/github"
)

// Comment is a sticky comment: a pull request has one per marker.
type Comment struct {
	ID   int64
	Body string // without the marker line
}

func stamp(marker string) string { return "<!-- " + marker + " -->\n" }

// Sticky returns the comment with a marker. It ignores other accounts' comments, which may have copied the marker.
func (c *Client) Sticky(ctx context.Context, number int, marker string) (Comment, bool, error) {
	found, err := c.sticky(ctx, number, marker)
	if err != nil || len(found) == 0 {
		return Comment{}, false, err
	}
	return found[0], true, nil
}

// Said is a user's comment on a pull request.
type Said struct {
	ID     int64
	Author string
	Body   string
	URL    string
	At     time.Time
}

// mostSaid bounds the user comments kept: each may have 64 KB, and a server handles many pull requests.
const mostSaid = 300

// Conversation returns the sticky comment, and the comments of other users, oldest first. It keeps the newest if there
// are too many, and leaves out bots.
func (c *Client) Conversation(ctx context.Context, number int, marker string) (sticky Comment, found bool, said []Said, err error) {
	err = c.comments(ctx, number, func(one *gh.IssueComment) {
		own, ours := c.stuck(one, marker)
		switch {
		case ours && !found:
			sticky, found = own, true
		case !ours && one.GetUser().GetType() == "User" && !strings.EqualFold(one.GetUser().GetLogin(), c.login):
			if len(said) == mostSaid {
				said = slices.Delete(said, 0, 1)
			}
			said = append(said, Said{ID: one.GetID(), Author: one.GetUser().GetLogin(), Body: one.GetBody(), URL: one.GetHTMLURL(), At: one.GetCreatedAt().Time})
		}
	})
	return sticky, found, said, err
}

// Comment creates or updates the comment with a marker and returns it. It writes nothing if the comment is up to date,
// and deletes it if body is empty. A long body is cut, except for a hidden last line, in which callers keep their
// state.
func (c *Client) Comment(ctx context.Context, number int, marker, body string) (Comment, error) {
	body = sayable(body, largestText-len(stamp(marker)))
	known, err := c.sticky(ctx, number, marker)
	if err != nil {
		return Comment{}, err
	}
	var kept Comment
	if body != "" {
		if kept, err = c.say(ctx, number, marker, body, known); err != nil {
			return Comment{}, err
		}
	}
	for _, extra := range known {
		if extra.ID == kept.ID {
			continue
		}
		if err := c.unsay(ctx, number, marker, extra.ID); err != nil {
			return kept, err
		}
	}
	return kept, nil
}

func (c *Client) say(ctx context.Context, number int, marker, body string, known []Comment) (Comment, error) {
	var out Comment
	if len(known) > 0 {
		out = known[0]
	}
	if out.ID != 0 && sameText(out.Body, body) {
		return out, nil
	}
	text := &gh.IssueComment{Body: new(stamp(marker) + body)}
	err := c.settle(ctx, func() error {
		var made *gh.IssueComment
		var err error
		if out.ID == 0 {
			made, _, err = c.api.Issues.CreateComment(ctx, c.owner, c.name, number, text)
		} else {
			made, _, err = c.api.Issues.EditComment(ctx, c.owner, c.name, out.ID, text)
		}
		if err != nil {
			return c.explain(ctx, fmt.Sprintf("comment on %d", number), "pull_requests=write", err)
		}
		out = Comment{ID: made.GetID(), Body: body}
		return nil
	}, func() (bool, error) {
		now, err := c.sticky(ctx, number, marker)
		if err != nil || len(now) == 0 {
			out = Comment{}
			return false, err
		}
		out = now[0]
		return sameText(out.Body, body), nil
	})
	return out, err
}

func (c *Client) unsay(ctx context.Context, number int, marker string, id int64) error {
	err := c.settle(ctx, func() error {
		_, err := c.api.Issues.DeleteComment(ctx, c.owner, c.name, id)
		return c.explain(ctx, fmt.Sprintf("delete a comment on %d", number), "pull_requests=write", err)
	}, func() (bool, error) {
		now, err := c.sticky(ctx, number, marker)
		return !slices.ContainsFunc(now, func(one Comment) bool { return one.ID == id }), err
	})
	if errors.Is(err, ErrGone) {
		return nil
	}
	return err
}

// sticky lists the comments with a marker, oldest first. Two servers writing at once can create several.
func (c *Client) sticky(ctx context.Context, number int, marker string) ([]Comment, error) {
	var out []Comment
	err := c.comments(ctx, number, func(one *gh.IssueComment) {
		if own, ours := c.stuck(one, marker); ours {
			out = append(out, own)
		}
	})
	return out, err
}

func (c *Client) stuck(one *gh.IssueComment, marker string) (Comment, bool) {
	body, marked := strings.CutPrefix(strings.ReplaceAll(one.GetBody(), "\r\n", "\n"), stamp(marker))
	if !marked || !strings.EqualFold(one.GetUser().GetLogin(), c.login) {
		return Comment{}, false
	}
	return Comment{ID: one.GetID(), Body: body}, true
}

func (c *Client) comments(ctx context.Context, number int, each func(*gh.IssueComment)) error {
	err := paged(func(page gh.ListOptions) (*gh.Response, error) {
		found, resp, err := c.api.Issues.ListComments(ctx, c.owner, c.name, number, &gh.IssueListCommentsOptions{ListOptions: page})
		for _, one := range found {
			each(one)
		}
		return resp, err
	})
	return c.explain(ctx, fmt.Sprintf("list the comments on %d", number), "pull_requests=read", err)
}
