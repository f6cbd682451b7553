package githubsim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Repository is a repository of the simulated GitHub.
type Repository struct {
	s            *Server
	id           int64
	owner, name  string
	git          *bare
	trunk        string // default branch
	private      bool
	archived     bool
	invited      map[string]bool // by login: may push as well as read
	parent       *Repository
	protected    map[string]string
	verified     map[string]bool // commits signed by GitHub
	made, pushed time.Time
	numbers      int // the last pull request number
	pulls        []*pull
	comments     []*Comment
	reviews      []*review
	threads      []*thread
	reactions    []*reaction
	suites       []*suite
	runs         []*CheckRun
}

// Source creates the initial content of a repository.
type Source func(r *Repository)

// FromFiles starts a repository with one commit of files by path.
func FromFiles(files map[string]string) Source {
	return func(r *Repository) {
		who := r.s.signature(r.owner)
		id := r.git.record("", Change{Write: files, Message: "Initial commit"}, who, who)
		r.git.move("refs/heads/"+r.trunk, id)
	}
}

// Empty starts a repository without commits.
func Empty() Source { return func(*Repository) {} }

// CreateRepository creates a private repository, owner/name, with the default branch main.
func (s *Server) CreateRepository(fullName string, from Source) (repo *Repository, err error) {
	err = s.change(func() {
		owner, name, found := strings.Cut(fullName, "/")
		if !found || s.lookup(owner, name) != nil {
			must(fmt.Errorf("create repository %q: the name is taken, or not owner/name", fullName))
		}
		id := s.id()
		repo = &Repository{
			s: s, id: id, owner: s.account(owner).login, name: name, trunk: "main", private: true, made: s.time(), pushed: s.time(),
			protected: map[string]string{}, verified: map[string]bool{},
		}
		repo.git = newBare(s.ctx, filepath.Join(s.dir, strconv.FormatInt(id, 10)+".git"), repo.trunk)
		from(repo)
		s.repositories = append(s.repositories, repo)
	})
	return repo, err
}

// Fork creates a fork for another owner.
func (r *Repository) Fork(owner string) (*Repository, error) {
	return r.s.CreateRepository(owner+"/"+r.name, func(fork *Repository) {
		fork.parent, fork.private, fork.trunk = r, r.private, r.trunk
		fork.git.borrow(r.git)
		fork.git.setTrunk(r.trunk)
		for ref, id := range r.git.branchesAndTags() {
			fork.git.move(ref, id)
		}
	})
}

// ID returns the repository's id, which survives renames.
func (r *Repository) ID() int64 { return r.id }

// FullName returns the current owner/name.
func (r *Repository) FullName() string {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return r.fullName()
}

func (r *Repository) fullName() string { return r.owner + "/" + r.name }

// CloneURL returns the URL for git clone.
func (r *Repository) CloneURL() string { return r.s.url + "/" + r.FullName() + ".git" }

// Dir returns the bare repository's directory. It is for reading only: the server does not notice changes to it.
func (r *Repository) Dir() string { return r.git.dir }

// SetPrivate makes a repository private, the initial state, or public.
func (r *Repository) SetPrivate(private bool) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.private = private
}

// Protect makes a branch refuse changes outside a pull request.
func (r *Repository) Protect(branch string) { r.protect(branch, "branch protection") }

// ProtectByRuleset protects a branch by a ruleset, which refuses with another message.
func (r *Repository) ProtectByRuleset(branch string) { r.protect(branch, "ruleset") }

// Unprotect removes the protection of a branch.
func (r *Repository) Unprotect(branch string) { r.protect(branch, "") }

func (r *Repository) protect(branch, how string) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.protected[branch] = how
}

// protection returns the refusal of a change to a branch, or an empty text if the branch is not protected.
func (r *Repository) protection(branch string) string {
	switch r.protected[branch] {
	case "":
		return ""
	case "ruleset":
		return "Repository rule violations found\n\nChanges must be made through a pull request.\n\n"
	}
	return "Changes must be made through a pull request."
}

// Archive archives or unarchives a repository.
func (r *Repository) Archive(archived bool) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if r.archived == archived {
		return
	}
	r.archived = archived
	action := "unarchived"
	if archived {
		action = "archived"
	}
	r.s.tellRepository(r, action, nil)
}

// Rename renames a repository. The former name redirects to it.
func (r *Repository) Rename(name string) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	before := r.name
	r.s.moved[lower(r.fullName())] = r
	r.name = name
	delete(r.s.moved, lower(r.fullName()))
	r.s.tellRepository(r, "renamed", object{"repository": object{"name": object{"from": before}}})
}

// SetDefaultBranch changes the default branch.
func (r *Repository) SetDefaultBranch(branch string) error {
	return r.s.change(func() {
		r.git.setTrunk(branch)
		before := r.trunk
		r.trunk = branch
		r.s.tellRepository(r, "edited", object{"default_branch": object{"from": before}})
	})
}

// Delete deletes a repository.
func (s *Server) Delete(repo *Repository) error {
	s.Uninstall(repo)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.repositories = slices.DeleteFunc(s.repositories, func(r *Repository) bool { return r == repo })
	return os.RemoveAll(repo.git.dir)
}

func (s *Server) lookup(owner, name string) *Repository {
	return first(s.repositories, func(r *Repository) bool { return strings.EqualFold(r.owner, owner) && strings.EqualFold(r.name, name) })
}

func (s *Server) signature(login string) signature {
	a := s.account(login)
	return signature{Name: a.login, Email: fmt.Sprintf("%d+%s@users.noreply.github.com", a.id, a.login), Date: s.time()}
}

// ownSignature is the signature of commits that GitHub itself creates.
func (s *Server) ownSignature() signature {
	return signature{Name: "GitHub", Email: "noreply@github.com", Date: s.time()}
}

func lower(text string) string { return strings.ToLower(text) }

func isBot(login string) bool { return strings.HasSuffix(login, "[bot]") }
