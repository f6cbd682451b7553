package githubsim

import (
	"cmp"
	"slices"
	"strings"
)

// Head returns the commit that a branch points to, or "" if there is no such branch.
func (r *Repository) Head(branch string) string { return r.git.resolve("refs/heads/"+branch, "commit") }

// Read returns the content of a file at a branch or commit, and whether the file exists.
func (r *Repository) Read(revision, name string) (string, bool) {
	e, there := r.git.at(revision, name)
	if !there || e.kind() != "blob" {
		return "", false
	}
	return r.git.blob(e.id), true
}

// Files lists the paths of the files at a branch or commit.
func (r *Repository) Files(revision string) ([]string, error) {
	var names []string
	err := r.s.change(func() {
		for _, e := range r.git.tree(revision, true) {
			if e.kind() == "blob" {
				names = append(names, e.path)
			}
		}
	})
	return names, err
}

// Log lists the commits of a branch, newest first, as id and message.
func (r *Repository) Log(revision string) ([][2]string, error) {
	var out [][2]string
	err := r.s.change(func() {
		for _, c := range r.git.history(r.git.resolve(revision, "commit")) {
			out = append(out, [2]string{c.id, c.message})
		}
	})
	return out, err
}

// Push commits a change on top of a branch and returns the commit, as a git push does. A new branch starts at the head
// of the default branch.
func (r *Repository) Push(branch string, c Change) (id string, err error) {
	err = r.s.change(func() { id = r.pushOn(cmp.Or(r.Head(branch), r.Head(r.trunk)), branch, c) })
	return id, err
}

// ForcePush resets a branch to a change on top of any commit.
func (r *Repository) ForcePush(branch, parent string, c Change) (id string, err error) {
	err = r.s.change(func() { id = r.pushOn(parent, branch, c) })
	return id, err
}

func (r *Repository) pushOn(parent, branch string, c Change) string {
	who := r.s.signature(cmp.Or(c.Login, r.owner))
	id := r.git.record(parent, c, who, who)
	r.point("refs/heads/"+branch, id, cmp.Or(c.Login, r.owner))
	return id
}

// Point moves a branch to a commit, as a force push does.
func (r *Repository) Point(branch, commit, login string) error {
	return r.s.change(func() { r.point("refs/heads/"+branch, commit, login) })
}

// Tag creates a tag on a commit.
func (r *Repository) Tag(name, commit, login string) error {
	return r.s.change(func() { r.point("refs/tags/"+name, commit, login) })
}

// DeleteBranch deletes a branch and closes the pull requests from it.
func (r *Repository) DeleteBranch(branch, login string) error {
	return r.Point(branch, zero, login)
}

// point moves a reference, updates pull requests and delivers webhooks.
func (r *Repository) point(ref, to, login string) {
	before := cmp.Or(r.git.resolve(ref, "object"), zero)
	r.git.move(ref, to)
	if before == to {
		return
	}
	r.pushed = r.s.time()
	r.s.tellPush(r, ref, before, to, login)
	branch, ok := strings.CutPrefix(ref, "refs/heads/")
	if !ok {
		return
	}
	for _, base := range r.s.repositories {
		for _, p := range slices.Clone(base.pulls) {
			base.follow(p, r, branch, to, login)
		}
	}
}

// follow updates an open pull request after one of its branches moved.
func (r *Repository) follow(p *pull, in *Repository, branch, after, login string) {
	switch {
	case p.State != "open":
	case p.from == in && p.Head == branch && after == zero:
		r.closePull(p, login)
	case p.from == in && p.Head == branch:
		r.synchronize(p, after, login)
	case r == in && p.Base == branch && after != zero && r.git.ancestor(p.HeadID, after):
		r.merged(p, after, login)
	}
}
