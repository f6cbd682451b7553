package githubsim

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Repository is one on the simulated GitHub.
type Repository struct {
	s            *Server
	id           int64
	owner, name  string
	git          *bare
	trunk        string // the default branch
	private      bool
	archived     bool
	invited      map[string]bool // logins that may read, and whether they may push
	parent       *Repository     // that this is a fork of
	protected    map[string]string
	verified     map[string]bool // commits that GitHub signed
	made, pushed time.Time
	numbers      int // of the last pull request
	pulls        []*pull
	comments     []*Comment
	reviews      []*review
	threads      []*thread
	reactions    []*reaction
	suites       []*suite
	runs         []*CheckRun
	sizes        map[[2]string]size // of what differs, by two commits
}

// Source is what a repository begins with.
type Source func(r *Repository) error

// FromFiles begins with files by their path, in one commit.
func FromFiles(files map[string]string) Source {
	return func(r *Repository) error {
		who := r.s.signature(r.owner)
		id, err := r.git.record("", Change{Write: files, Message: "Initial commit"}, who, who)
		if err != nil {
			return err
		}
		return r.git.move("refs/heads/"+r.trunk, id)
	}
}

// Empty begins with nothing.
func Empty() Source { return func(*Repository) error { return nil } }

// CreateRepository makes a private repository with the default branch main, by its full name.
func (s *Server) CreateRepository(fullName string, from Source) (*Repository, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	owner, name, found := strings.Cut(fullName, "/")
	if !found || s.lookup(owner, name) != nil {
		return nil, fmt.Errorf("create repository %q: the name is taken, or not owner/name", fullName)
	}
	repo, err := s.create(owner, name)
	if err != nil {
		return nil, fmt.Errorf("create repository %s: %w", fullName, err)
	}
	if err := from(repo); err != nil {
		return nil, fmt.Errorf("create repository %s: %w", fullName, err)
	}
	s.repositories = append(s.repositories, repo)
	return repo, nil
}

func (s *Server) create(owner, name string) (*Repository, error) {
	id := s.id()
	repo := &Repository{
		s: s, id: id, owner: s.account(owner).login, name: name, trunk: "main", private: true, made: s.time(), pushed: s.time(),
		protected: map[string]string{}, verified: map[string]bool{},
	}
	var err error
	repo.git, err = newBare(s.ctx, filepath.Join(s.dir, strconv.FormatInt(id, 10)+".git"), repo.trunk)
	return repo, err
}

// Fork makes a fork that belongs to somebody else.
func (r *Repository) Fork(owner string) (*Repository, error) {
	return r.s.CreateRepository(owner+"/"+r.name, func(fork *Repository) error {
		fork.parent, fork.private, fork.trunk = r, r.private, r.trunk
		refs, err := r.git.branchesAndTags()
		err = errors.Join(err, fork.git.borrow(r.git), fork.git.setTrunk(r.trunk))
		for ref, id := range refs {
			err = errors.Join(err, fork.git.move(ref, id))
		}
		return err
	})
}

// ID is the number that stays with a repository whatever its name is.
func (r *Repository) ID() int64 { return r.id }

// FullName is owner/name as of now.
func (r *Repository) FullName() string {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return r.fullName()
}

func (r *Repository) fullName() string { return r.owner + "/" + r.name }

// CloneURL is what git clones the repository from.
func (r *Repository) CloneURL() string { return r.s.url + "/" + r.FullName() + ".git" }

// Dir is the bare repository on disk, for looking at. What changes it there goes unnoticed.
func (r *Repository) Dir() string { return r.git.dir }

// SetPrivate makes a repository private or public. Repositories are private at first.
func (r *Repository) SetPrivate(private bool) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.private = private
}

// Protect makes a branch refuse changes that do not come by a pull request.
func (r *Repository) Protect(branch string) error { return r.protect(branch, "branch protection") }

// ProtectByRuleset is Protect in GitHub's newer way, which refuses in other words.
func (r *Repository) ProtectByRuleset(branch string) error { return r.protect(branch, "ruleset") }

// Unprotect ends the protection of a branch.
func (r *Repository) Unprotect(branch string) error { return r.protect(branch, "") }

func (r *Repository) protect(branch, how string) error {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return r.guard(branch, how)
}

func (r *Repository) guard(branch, how string) error {
	if r.protected[branch] = how; how == "" {
		delete(r.protected, branch)
	}
	return r.git.protect(sorted(r.protected))
}

// refuseProtected words the refusal as the kind of protection does.
func (r *Repository) refuseProtected(branch string) error {
	if r.protected[branch] == "ruleset" {
		return fail(http.StatusUnprocessableEntity, "Repository rule violations found\n\nChanges must be made through a pull request.\n\n")
	}
	return fail(http.StatusUnprocessableEntity, "Changes must be made through a pull request.")
}

// Archive makes a repository read-only, or ends that.
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

// Rename gives a repository another name. The former one leads to it.
func (r *Repository) Rename(name string) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	before := r.name
	r.s.moved[lower(r.fullName())] = r
	r.name = name
	delete(r.s.moved, lower(r.fullName()))
	r.s.tellRepository(r, "renamed", object{"repository": object{"name": object{"from": before}}})
}

// SetDefaultBranch makes another branch the default one.
func (r *Repository) SetDefaultBranch(branch string) error {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if err := r.git.setTrunk(branch); err != nil {
		return err
	}
	before := r.trunk
	r.trunk = branch
	r.s.tellRepository(r, "edited", object{"default_branch": object{"from": before}})
	return nil
}

// Delete removes a repository.
func (s *Server) Delete(repo *Repository) error {
	s.Uninstall(repo)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.repositories = slices.DeleteFunc(s.repositories, func(r *Repository) bool { return r == repo })
	return os.RemoveAll(repo.git.dir)
}

// lookup finds a repository by its name.
func (s *Server) lookup(owner, name string) *Repository {
	for _, repo := range s.repositories {
		if strings.EqualFold(repo.owner, owner) && strings.EqualFold(repo.name, name) {
			return repo
		}
	}
	return nil
}

// signature is how an account signs what it does now.
func (s *Server) signature(login string) signature {
	a := s.account(login)
	return signature{Name: a.login, Email: fmt.Sprintf("%d+%s@users.noreply.github.com", a.id, a.login), Date: s.time()}
}

// ownSignature is how GitHub signs what it commits for others.
func (s *Server) ownSignature() signature {
	return signature{Name: "GitHub", Email: "noreply@github.com", Date: s.time()}
}

func lower(text string) string { return strings.ToLower(text) }

func isBot(login string) bool { return strings.HasSuffix(login, "[bot]") }
