package github

import (
	"context"
	"errors"

	gh "github.com/google/go-github/v66/github"
)

// none is the commit that a branch which is not there points to.
const none = "0000000000000000000000000000000000000000"

const updateRefs = `mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }`

type refUpdate struct {
	Name   string `json:"name"`
	Before string `json:"beforeOid"`
	After  string `json:"afterOid"`
	Force  bool   `json:"force"`
}

// swap points a branch to another commit, whatever that has for a history, or deletes it when that is none. GitHub
// compares where it points to: a push in between is kept, and is ErrHeadMoved. A server that cannot compare is asked in
// the old way.
func (c *Client) swap(ctx context.Context, branch, from, to string) error {
	landed := func() (bool, error) { return c.reached(ctx, branch, from, to) }
	err := c.settle(ctx, func() error { return c.updateRef(ctx, branch, from, to) }, landed)
	switch {
	case errors.Is(err, errUnsupported) && to == none:
		return c.remove(ctx, branch, from)
	case errors.Is(err, errUnsupported):
		return c.move(ctx, branch, from, to, true)
	case err == nil, errors.Is(err, ErrUnavailable), !errors.As(err, new(*Error)):
		return err
	}
	// Nowhere is it said in which words GitHub refuses for a branch that is elsewhere: where it is tells that.
	if there, moved := landed(); there || errors.Is(moved, ErrHeadMoved) {
		return moved
	}
	return err
}

// updateRef asks for one mutation, which compares and swaps.
func (c *Client) updateRef(ctx context.Context, branch, from, to string) error {
	doing := "update " + branch + " of " + c.FullName()
	repo, _, err := c.api.Repositories.Get(ctx, c.owner, c.name)
	if err != nil {
		return c.opt.explain(ctx, doing, "metadata=read", err)
	}
	input := map[string]any{
		"repositoryId": repo.GetNodeID(),
		"refUpdates":   []refUpdate{{Name: "refs/heads/" + branch, Before: from, After: to, Force: true}},
	}
	var data struct {
		Updated *struct{} `json:"updateRefs"`
	}
	err = c.graphQL(ctx, doing, "contents=write", updateRefs, map[string]any{"input": input}, &data)
	if err == nil && data.Updated == nil {
		err = &Error{Kind: ErrUnavailable, Doing: doing, Said: "the answer is empty", lost: true}
	}
	return err
}

// reached reports whether a branch points to a commit, or is not there when that is none. Where it does not point to from
// either, somebody has pushed to it: that is ErrHeadMoved.
func (c *Client) reached(ctx context.Context, branch, from, to string) (bool, error) {
	now, err := c.head(ctx, branch)
	if errors.Is(err, ErrGone) {
		now, err = none, nil
	}
	if err == nil && now != from && now != to {
		err = &Error{Kind: ErrHeadMoved, Doing: "update " + branch + " of " + c.FullName(), Said: "it points to " + now}
	}
	return now == to, err
}

// expect is ErrHeadMoved when a branch points elsewhere.
func (c *Client) expect(ctx context.Context, branch, head string) error {
	now, err := c.head(ctx, branch)
	if err == nil && now != head {
		err = &Error{Kind: ErrHeadMoved, Doing: "update " + branch + " of " + c.FullName(), Said: "it points to " + now}
	}
	return err
}

// move points a branch to another commit. REST has no compare-and-swap for this, so that where the branch points to is
// asked for right before. Without force a push in between is refused or kept; with force, which only a server without
// updateRefs sees, there is the time of one request in which a push would be lost.
func (c *Client) move(ctx context.Context, branch, from, to string, force bool) error {
	if err := c.expect(ctx, branch, from); err != nil {
		return err
	}
	ref := &gh.Reference{Ref: new("refs/heads/" + branch), Object: &gh.GitObject{SHA: new(to)}}
	return c.settle(ctx, func() error {
		_, _, err := c.api.Git.UpdateRef(ctx, c.owner, c.name, ref, force)
		return c.explain(ctx, "update "+branch, "contents=write", err)
	}, func() (bool, error) { return c.reached(ctx, branch, from, to) })
}

// create makes a branch that is not there yet.
func (c *Client) create(ctx context.Context, branch, at string) error {
	ref := &gh.Reference{Ref: new("refs/heads/" + branch), Object: &gh.GitObject{SHA: new(at)}}
	return c.settle(ctx, func() error {
		_, _, err := c.api.Git.CreateRef(ctx, c.owner, c.name, ref)
		return c.explain(ctx, "create "+branch, "contents=write", err)
	}, func() (bool, error) { return c.reached(ctx, branch, none, at) })
}

// remove deletes a branch that points to a commit, like move with force.
func (c *Client) remove(ctx context.Context, branch, at string) error {
	if err := c.expect(ctx, branch, at); err != nil {
		return err
	}
	err := c.settle(ctx, func() error {
		_, err := c.api.Git.DeleteRef(ctx, c.owner, c.name, "heads/"+branch)
		return c.explain(ctx, "delete "+branch, "contents=write", err)
	}, func() (bool, error) { return c.reached(ctx, branch, at, none) })
	if errors.Is(err, ErrGone) {
		return nil
	}
	return err
}
