package githubsim

import (
	"cmp"
	"fmt"
	"strings"
)

type refsInput struct {
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
func (g *graphCall) updateRefs(args object) any {
	var in refsInput
	g.input(args, "UpdateRefsInput", &in)
	g.reach(in.Repository)
	for _, u := range in.Updates {
		g.allows(u)
	}
	for _, u := range in.Updates {
		g.repo.point(u.Name, u.After, g.who.login)
	}
	return acknowledged
}

// reach finds a repository by its node id and checks that the caller may write to it.
func (g *graphCall) reach(id string) {
	repo, found := g.node(id)
	if found != repo {
		panic(noNode(id))
	}
	g.writes(repo, "contents:write")
}

// allows checks one reference update. GitHub's messages are undocumented; these are git's.
func (g *graphCall) allows(u refUpdate) {
	now := cmp.Or(g.repo.git.resolve(u.Name, "object"), zero)
	refuse := func(format string, args ...any) {
		panic(&graphError{kind: "UNPROCESSABLE", message: fmt.Sprintf(format, args...)})
	}
	switch {
	case !validRef(u.Name):
		refuse("%s is not a valid reference name", u.Name)
	case u.After != zero && g.repo.git.resolve(u.After, "commit") == "":
		refuse("Object %s does not exist", u.After)
	case u.Before != nil && *u.Before != now:
		refuse("cannot lock ref '%s': is at %s but expected %s", u.Name, now, *u.Before)
	case g.repo.protected[strings.TrimPrefix(u.Name, "refs/heads/")] != "":
		refuse("Changes must be made through a pull request.")
	case !u.Force && now != zero && u.After != zero && !g.repo.git.ancestor(now, u.After):
		refuse("Update is not a fast forward")
	}
}
