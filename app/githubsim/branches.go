package githubsim

import (
	"errors"
	"fmt"
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
	content, err := r.git.blob(e.id)
	return content, err == nil
}

// Files lists the paths of the files at a branch or commit.
func (r *Repository) Files(revision string) ([]string, error) {
	entries, err := r.git.tree(revision, true)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.kind() == "blob" {
			names = append(names, e.path)
		}
	}
	return names, nil
}

// Log lists the commits of a branch, newest first, as id and message.
func (r *Repository) Log(revision string) ([][2]string, error) {
	commits, err := r.git.history(r.git.resolve(revision, "commit"))
	if err != nil {
		return nil, err
	}
	var out [][2]string
	for _, c := range commits {
		out = append(out, [2]string{c.id, c.message})
	}
	return out, nil
}

// Push commits a change on top of a branch and returns the commit, as a git push does. A new branch starts at the head
// of the default branch.
func (r *Repository) Push(branch string, c Change) (string, error) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return r.pushOn(r.Head(branch), branch, c)
}

// ForcePush resets a branch to a change on top of any commit.
func (r *Repository) ForcePush(branch, parent string, c Change) (string, error) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return r.pushOn(parent, branch, c)
}

func (r *Repository) pushOn(parent, branch string, c Change) (string, error) {
	if c.Login == "" {
		c.Login = r.owner
	}
	if parent == "" {
		parent = r.Head(r.trunk)
	}
	who := r.s.signature(c.Login)
	id, err := r.git.record(parent, c, who, who)
	if err != nil {
		return "", fmt.Errorf("push to %s of %s: %w", branch, r.fullName(), err)
	}
	return id, r.point("refs/heads/"+branch, id, c.Login)
}

// Point moves a branch to a commit, as a force push does.
func (r *Repository) Point(branch, commit, login string) error {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return r.point("refs/heads/"+branch, commit, login)
}

// Tag creates a tag on a commit.
func (r *Repository) Tag(name, commit, login string) error {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return r.point("refs/tags/"+name, commit, login)
}

// DeleteBranch deletes a branch and closes the pull requests from it.
func (r *Repository) DeleteBranch(branch, login string) error {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return r.point("refs/heads/"+branch, zero, login)
}

func (r *Repository) point(ref, to, login string) error {
	before := r.git.resolve(ref, "object")
	if before == "" {
		before = zero
	}
	if err := r.git.move(ref, to); err != nil {
		return err
	}
	return r.moved(ref, before, to, login)
}

// moved updates pull requests and delivers webhooks after a reference has changed.
func (r *Repository) moved(ref, before, after, login string) error {
	if before == after {
		return nil
	}
	r.pushed = r.s.time()
	if err := r.s.tellPush(r, ref, before, after, login); err != nil {
		return err
	}
	branch, ok := strings.CutPrefix(ref, "refs/heads/")
	if !ok {
		return nil
	}
	var failed []error
	for _, base := range r.s.repositories {
		for _, p := range slices.Clone(base.pulls) {
			failed = append(failed, base.follow(p, r, branch, after, login))
		}
	}
	return errors.Join(failed...)
}

// follow updates an open pull request after one of its branches moved.
func (r *Repository) follow(p *pull, in *Repository, branch, after, login string) error {
	switch {
	case p.state != "open":
		return nil
	case p.from == in && p.head == branch && after == zero:
		return r.closePull(p, login)
	case p.from == in && p.head == branch:
		return r.synchronize(p, after, login)
	case r == in && p.base == branch && after != zero && r.git.ancestor(p.headID, after):
		return r.merged(p, after, login)
	}
	return nil
}
