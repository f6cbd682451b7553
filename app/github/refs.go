package github

import (
	"context"
	"errors"

	gh "github.com/google/go-github/v66/github"
)

const none = "0000000000000000000000000000000000000000"

const updateRefs = `mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }`

type refUpdate struct {
	Name   string `json:"name"`
	Before string `json:"beforeOid"`
	After  string `json:"afterOid"`
	Force  bool   `json:"force"`
}

// swap moves a branch to any commit, or deletes it if to is none. GitHub compares the old head: a concurrent push is
// kept and yields ErrHeadMoved. Servers without updateRefs use the REST API instead.
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
	// GitHub does not document its messages for a moved branch, so the current head decides.
	if there, moved := landed(); there || errors.Is(moved, ErrHeadMoved) {
		return moved
	}
	return err
}

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

// reached reports whether a branch points to a commit, or is missing if to is none. It fails with ErrHeadMoved if the
// branch points to neither from nor to.
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

func (c *Client) expect(ctx context.Context, branch, head string) error {
	now, err := c.head(ctx, branch)
	if err == nil && now != head {
		err = &Error{Kind: ErrHeadMoved, Doing: "update " + branch + " of " + c.FullName(), Said: "it points to " + now}
	}
	return err
}

// move points a branch to another commit over REST, which has no compare-and-swap, so it checks the head first. Without
// force, a concurrent push is refused or kept. With force, used only on servers without updateRefs, a push within one
// request's time is lost.
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

func (c *Client) create(ctx context.Context, branch, at string) error {
	ref := &gh.Reference{Ref: new("refs/heads/" + branch), Object: &gh.GitObject{SHA: new(at)}}
	return c.settle(ctx, func() error {
		_, _, err := c.api.Git.CreateRef(ctx, c.owner, c.name, ref)
		return c.explain(ctx, "create "+branch, "contents=write", err)
	}, func() (bool, error) { return c.reached(ctx, branch, none, at) })
}

// remove deletes a branch at a commit, with the same race as move with force.
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
