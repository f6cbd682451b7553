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

// Comment is a sticky comment on a pull request: there is one of each marker.
type Comment struct {
	ID   int64
	Body string // without the line of the marker
	URL  string
}

// stamp is the first line of a sticky comment. Readers do not see it.
func stamp(marker string) string { return "<!-- " + marker + " -->\n" }

// Sticky finds the comment with a marker. One of somebody else who copied the marker is none.
func (c *Client) Sticky(ctx context.Context, number int, marker string) (Comment, bool, error) {
	found, err := c.sticky(ctx, number, marker)
	if err != nil || len(found) == 0 {
		return Comment{}, false, err
	}
	return found[0], true, nil
}

// Said is what somebody has said in the conversation of a pull request.
type Said struct {
	ID     int64
	Author string // login
	Body   string
	URL    string    // where it can be read
	At     time.Time // when it was said first
}

// mostSaid is how many comments of people are looked at: each may have 64 KB, and a server looks at many pull requests.
const mostSaid = 300

// Conversation is Sticky, and the other comments of people, the oldest first, of very many the newest: programs say nothing there.
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

// Comment makes the comment with a marker say body, and returns it. An empty body deletes it. It writes nothing when it
// says so already. A body that is too long is cut, but for a last line that readers do not see: what the caller keeps
// there has to come back whole.
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

// say writes the first of the known comments, or a new one.
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
		out = Comment{ID: made.GetID(), Body: body, URL: made.GetHTMLURL()}
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

// sticky lists the comments with a marker, the oldest first. There are several when two servers wrote at once.
func (c *Client) sticky(ctx context.Context, number int, marker string) ([]Comment, error) {
	var out []Comment
	err := c.comments(ctx, number, func(one *gh.IssueComment) {
		if own, ours := c.stuck(one, marker); ours {
			out = append(out, own)
		}
	})
	return out, err
}

// stuck is a comment as a sticky one; false of one without the marker, and of one of somebody else who copied it.
func (c *Client) stuck(one *gh.IssueComment, marker string) (Comment, bool) {
	body, marked := strings.CutPrefix(strings.ReplaceAll(one.GetBody(), "\r\n", "\n"), stamp(marker))
	if !marked || !strings.EqualFold(one.GetUser().GetLogin(), c.login) {
		return Comment{}, false
	}
	return Comment{ID: one.GetID(), Body: body, URL: one.GetHTMLURL()}, true
}

// comments hands over all comments on a pull request, the oldest first.
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
