package githubsim

import (
	"fmt"
	"strings"
)

type refsInput struct {
	Mutation   string      `json:"clientMutationId"`
	Repository string      `json:"repositoryId"`
	Updates    []refUpdate `json:"refUpdates"`
}

type refUpdate struct {
	Name   string  `json:"name"`
	Before *string `json:"beforeOid"`
	After  string  `json:"afterOid"`
	Force  bool    `json:"force"`
}

// updateRefs updates, creates and deletes references atomically.
func (g *graphCall) updateRefs(args object) (any, error) {
	var in refsInput
	if err := g.input(args, "UpdateRefsInput", &in); err != nil {
		return nil, err
	}
	if err := g.reach(in.Repository); err != nil {
		return nil, err
	}
	for _, u := range in.Updates {
		if err := g.allows(u); err != nil {
			return nil, err
		}
	}
	for _, u := range in.Updates {
		if err := g.repo.point(u.Name, u.After, g.who.login); err != nil {
			return nil, err
		}
	}
	return fields{"__typename": "UpdateRefsPayload", "clientMutationId": orNil(in.Mutation)}, nil
}

// reach finds a repository by its node id and checks that the caller may write to it.
func (g *graphCall) reach(id string) error {
	for _, repo := range g.s.repositories {
		if node("Repository", repo.id) == id && g.who.sees(repo) {
			g.repo = repo
		}
	}
	switch {
	case g.repo == nil:
		return &graphError{kind: "NOT_FOUND", message: fmt.Sprintf("Could not resolve to a node with the global id of '%s'", id)}
	case !g.who.may(g.repo, "contents:write"):
		return &graphError{kind: "FORBIDDEN", message: "Resource not accessible by integration"}
	case g.repo.archived:
		return &graphError{kind: "FORBIDDEN", message: "Repository was archived so is read-only."}
	}
	return nil
}

// allows checks one reference update. GitHub's messages are undocumented; these are git's.
func (g *graphCall) allows(u refUpdate) error {
	now := g.repo.git.resolve(u.Name, "object")
	if now == "" {
		now = zero
	}
	unprocessable := func(format string, args ...any) error {
		return &graphError{kind: "UNPROCESSABLE", message: fmt.Sprintf(format, args...)}
	}
	switch {
	case !validRef(u.Name):
		return unprocessable("%s is not a valid reference name", u.Name)
	case u.After != zero && g.repo.git.resolve(u.After, "commit") == "":
		return unprocessable("Object %s does not exist", u.After)
	case u.Before != nil && *u.Before != now:
		return unprocessable("cannot lock ref '%s': is at %s but expected %s", u.Name, now, *u.Before)
	case g.repo.protected[strings.TrimPrefix(u.Name, "refs/heads/")] != "":
		return unprocessable("Changes must be made through a pull request.")
	case !u.Force && now != zero && u.After != zero && !g.repo.git.ancestor(now, u.After):
		return unprocessable("Update is not a fast forward")
	}
	return nil
}
