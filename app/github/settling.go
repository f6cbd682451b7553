package github

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Settling is a change to a review thread. Empty fields leave it unchanged.
type Settling struct {
	Thread    Thread
	Resolve   bool
	Unresolve bool
	Edit      string
	Reply     string
}

// settledAtOnce is how many threads one request changes: GitHub ends a request after ten seconds, and each change of a
// thread takes up to a tenth of a second.
const settledAtOnce = 25

// SettleThreads applies the changes, in batches. A failure in one thread does not affect the others, and the error
// lists all failures. It is idempotent: it skips changes already made and a reply that is this App's latest in the
// thread.
func (c *Client) SettleThreads(ctx context.Context, list []Settling) error {
	var failed []error
	for some := range slices.Chunk(list, settledAtOnce) {
		if err := c.settleThreads(ctx, some); err != nil {
			failed = append(failed, err)
			if _, limited := errors.AsType[RateLimited](err); limited || ctx.Err() != nil {
				break
			}
		}
	}
	return errors.Join(failed...)
}

func (c *Client) settleThreads(ctx context.Context, list []Settling) error {
	list = slices.Clone(list)
	for i := range list {
		list[i].Edit, list[i].Reply = sayable(list[i].Edit, largestText), sayable(list[i].Reply, largestText)
	}
	known := map[string]threadNode{}
	if slices.ContainsFunc(list, func(s Settling) bool { return s.Reply != "" }) {
		if err := c.lookAtThreads(ctx, list, known); err != nil {
			return err
		}
	}
	return c.settle(ctx, func() error {
		return c.change(ctx, c.changesOf(list, known))
	}, func() (bool, error) {
		err := c.lookAtThreads(ctx, list, known)
		return err == nil && len(c.changesOf(list, known)) == 0, err
	})
}

func (c *Client) lookAtThreads(ctx context.Context, list []Settling, known map[string]threadNode) error {
	var ids []string
	for _, s := range list {
		ids = append(ids, s.Thread.ID)
	}
	var data struct {
		Nodes []*threadNode `json:"nodes"`
	}
	const doing, needs = "look at review threads", "pull_requests=read"
	failed, err := c.query(repeatable(ctx), doing, needs, threadsByID, map[string]any{"ids": ids}, &data)
	if err != nil {
		return asRefused(doing, err)
	}
	if other := slices.DeleteFunc(failed, func(e queryError) bool { return e.Type == "NOT_FOUND" }); len(other) > 0 {
		return explainQuery(doing, needs, other)
	}
	for _, n := range data.Nodes {
		if n != nil && n.ID != "" {
			known[n.ID] = *n
		}
	}
	return nil
}

type threadChange struct {
	mutation string
	input    map[string]string
	needs    string
	doing    string
}

// changesOf lists the changes still needed. Threads that were not fetched count as the caller described them. A reply
// is posted before a thread is resolved so the notification has the reason. Resolving needs permission to write
// contents; the other changes do not.
func (c *Client) changesOf(list []Settling, known map[string]threadNode) []threadChange {
	const pulls, contents = "pull_requests=write", "contents=write"
	var out []threadChange
	add := func(needed bool, mutation, needs, doing string, t Thread, input map[string]string) {
		if needed {
			out = append(out, threadChange{mutation: mutation, needs: needs, doing: doing + " " + t.URL, input: input})
		}
	}
	for _, s := range list {
		t, said := s.Thread, ""
		if n, looked := known[t.ID]; looked {
			if now, own := c.threadOf(n); own {
				t = now
			}
			said = c.lastSaid(n)
		}
		id := map[string]string{"threadId": t.ID}
		edit := map[string]string{"pullRequestReviewCommentId": t.Comment, "body": s.Edit}
		reply := map[string]string{"pullRequestReviewThreadId": t.ID, "body": s.Reply}
		add(s.Edit != "" && !sameText(s.Edit, t.Body), "updatePullRequestReviewComment", pulls, "edit", t, edit)
		add(s.Reply != "" && !sameText(s.Reply, said), "addPullRequestReviewThreadReply", pulls, "answer", t, reply)
		add(s.Resolve && !t.Resolved, "resolveReviewThread", contents, "resolve", t, id)
		add(s.Unresolve && !s.Resolve && t.Resolved, "unresolveReviewThread", contents, "reopen", t, id)
	}
	return out
}

func (c *Client) lastSaid(n threadNode) string {
	for _, one := range slices.Backward(n.Recent.Nodes) {
		if c.isOwn(one.Author) && one.ID != n.Comments.Nodes[0].ID {
			return one.Body
		}
	}
	return ""
}

func (c *Client) change(ctx context.Context, changes []threadChange) error {
	if len(changes) == 0 {
		return nil
	}
	var inputs, fields strings.Builder
	variables := map[string]any{}
	for i, one := range changes {
		kind := strings.ToUpper(one.mutation[:1]) + one.mutation[1:] + "Input!"
		fmt.Fprintf(&inputs, "$i%d: %s ", i, kind)
		fmt.Fprintf(&fields, "c%d: %s(input: $i%d) { clientMutationId } ", i, one.mutation, i)
		variables[fmt.Sprintf("i%d", i)] = one.input
	}
	doing, needs := "settle review threads in "+c.FullName(), "pull_requests=write"
	document := fmt.Sprintf("mutation(%s) { %s}", strings.TrimSpace(inputs.String()), fields.String())
	var data map[string]any
	failed, err := c.query(ctx, doing, needs, document, variables, &data)
	switch {
	case err != nil:
		return asRefused(doing, err)
	case data == nil && len(failed) == 0:
		return &Error{Kind: ErrUnavailable, Doing: doing, Said: "the answer is empty", lost: true}
	}
	var out []error
	for i, one := range changes {
		of := func(e queryError) bool { return len(e.Path) > 0 && e.Path[0] == fmt.Sprintf("c%d", i) }
		if why := slices.DeleteFunc(slices.Clone(failed), func(e queryError) bool { return !of(e) }); len(why) > 0 {
			out = append(out, asRefused(one.doing, explainQuery(one.doing, one.needs, why)))
		}
		failed = slices.DeleteFunc(failed, of)
	}
	if len(failed) > 0 {
		out = append(out, asRefused(doing, explainQuery(doing, needs, failed)))
	}
	return errors.Join(out...)
}
