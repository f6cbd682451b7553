package gitstore

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// Errors of a Mirror and its remote.
var (
	// ErrGone means that the repository was deleted or renamed, or is not readable any more. Retrying does not help.
	ErrGone = errors.New("the repository is gone or may not be read")
	// ErrUnavailable means that the remote is unreachable, broken or rejects the token. A later retry may succeed.
	ErrUnavailable = errors.New("the remote does not answer as it should")
	// ErrMirror means that the operation needs a work tree or file history, which a mirror lacks.
	ErrMirror = errors.New("not possible in a mirror")
)

// Mirror is a bare on-disk cache of one remote repository. It contains the requested commits, without their history, and
// the blobs that were read. It may be deleted whenever no process has it open, and is recreated when damaged. It is safe
// for concurrent use by goroutines and processes.
//
// Only fetching git processes know the remote. Reading processes do not, which prevents git from fetching missing
// objects one at a time.
type Mirror struct {
	dir    string
	remote *remote
	counts *counters
	// content has commits with their trees. history has commits and their ancestors without trees. They are separate
	// because a remote assumes that a client with a commit also has its trees.
	content, history *bareRepo
	depths           []int
	packs            int // Prune repacks above this number
	names            int // Prune removes commits above this number
	eager            atomic.Bool
	repo             *Repo
	use              *flock.Flock
	writing          chan struct{}
	leader           Leader // set in a following mirror, which has no remote and no locks

	mu     sync.Mutex
	wanted []string // commits fetched through this Mirror, oldest first; a recreated cache fetches them
}

// mostWanted bounds the commits that a recreated cache fetches.
const mostWanted = 64

// OpenMirror opens or creates in dir the mirror of the repository at an http or https URL. auth returns the token for
// git, which is passed only in git's environment; empty for none. Opening sets dir's modification time to the current
// time. Close the Mirror after use.
func OpenMirror(ctx context.Context, dir, address string, auth func(ctx context.Context) (string, error)) (*Mirror, error) {
	m, err := newMirror(dir, address)
	if err != nil {
		return nil, fmt.Errorf("open mirror: %w", err)
	}
	m.remote.auth, m.use = auth, flock.New(m.dir+".use")
	return m, m.open(ctx)
}

func hostOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return "", fmt.Errorf("%q is not an http or https URL without user and password", withoutCredentials(address))
	}
	return u.Scheme + "://" + u.Host + "/", nil
}

func (m *Mirror) open(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Dir(m.dir), 0o755); err != nil {
		return fmt.Errorf("open mirror: %w", err)
	}
	if ok, err := m.use.TryRLockContext(ctx, patience); !ok {
		return fmt.Errorf("open mirror: %w", errors.Join(err, ctx.Err()))
	}
	err := m.locked(ctx, func() error {
		now := time.Now()
		return errors.Join(m.content.ensure(), m.history.ensure(), os.Chtimes(m.dir, now, now))
	})
	if err != nil {
		return errors.Join(fmt.Errorf("open mirror: %w", err), m.Close())
	}
	return nil
}

// Close releases the mirror, which may then be deleted.
func (m *Mirror) Close() error {
	m.content.contents.close()
	m.history.contents.close()
	if m.leader != nil {
		return nil
	}
	return m.use.Close()
}

// patience is the interval between attempts to take a lock that another process holds.
const patience = 20 * time.Millisecond

// locked runs fn with exclusive write access, after removing the leftovers of killed processes.
func (m *Mirror) locked(ctx context.Context, fn func() error) (err error) {
	select {
	case m.writing <- struct{}{}:
		defer func() { <-m.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	lock := flock.New(m.dir + ".lock")
	if ok, err := lock.TryLockContext(ctx, patience); !ok {
		return fmt.Errorf("lock mirror: %w", errors.Join(err, ctx.Err()))
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := m.sweep(); err != nil {
		return fmt.Errorf("clear up mirror: %w", err)
	}
	return fn()
}

// RemoveMirror deletes the mirror in dir, or returns false if a process has it open.
func RemoveMirror(dir string) (removed bool, err error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return false, fmt.Errorf("remove mirror: %w", err)
	}
	use := flock.New(abs + ".use") // lock files are not deleted: another process may be about to take them
	ok, err := use.TryLock()
	if !ok || err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, use.Close()) }()
	if err := os.RemoveAll(abs); err != nil {
		return false, fmt.Errorf("remove mirror: %w", err)
	}
	return true, nil
}

// Repo reads fetched commits: Resolve, Tree, DiffTrees and ReadBlobs by full ids, and Contains. It fetches missing
// blobs, one batch per call. Operations that need a work tree or file history return ErrMirror.
func (m *Mirror) Repo() *Repo { return m.repo }

// Yield lowers the priority of further fetches, because git unpacks on all processors.
func (m *Mirror) Yield() { m.remote.yields = true }

// Eager makes Fetch include the small files that changed since the last commit. Nearly all of them are read later, and
// each extra fetch takes several processes.
func (m *Mirror) Eager() { m.eager.Store(true) }

// BytesFetched returns the bytes of packed objects received through this Mirror.
func (m *Mirror) BytesFetched() int64 { return m.remote.received.Load() }

// Fetch makes commits readable; commits in the cache cost no request. ErrUnknownObject names the commits that the remote
// lacks; the others are fetched regardless.
func (m *Mirror) Fetch(ctx context.Context, commits ...string) error {
	for _, id := range commits {
		if !sha1Format.isID(id) {
			return fmt.Errorf("fetch %q: not a commit id: %w", id, ErrUnknownObject)
		}
	}
	if m.leader != nil {
		return m.followTo(ctx, commits)
	}
	var unknown []string
	err := m.mending(ctx, m.content, func() error {
		if len(m.content.unnamed(commits)) == 0 {
			return nil
		}
		return m.locked(ctx, func() (err error) {
			unknown, err = m.bring(ctx, commits)
			return err
		})
	})
	if err != nil {
		return err
	}
	m.want(slices.DeleteFunc(slices.Clone(commits), func(id string) bool { return slices.Contains(unknown, id) }))
	if len(unknown) > 0 {
		return fmt.Errorf("fetch %s: %w", strings.Join(unknown, ", "), ErrUnknownObject)
	}
	return nil
}

// bring fetches the missing commits and returns those that the remote lacks. One unknown commit fails the whole request,
// and the remote names it.
func (m *Mirror) bring(ctx context.Context, commits []string) (unknown []string, err error) {
	absent := m.content.unnamed(commits)
	for len(absent) > 0 {
		err := m.fetchCommits(ctx, absent)
		if !errors.Is(err, ErrUnknownObject) {
			return unknown, err
		}
		at := slices.IndexFunc(absent, func(id string) bool { return strings.Contains(err.Error(), id) })
		if at < 0 {
			return unknown, err
		}
		unknown = append(unknown, absent[at])
		absent = slices.Delete(absent, at, at+1)
	}
	return unknown, nil
}

const smallBlobs = "blob:limit=256k"

// fetchCommits fetches commits with their trees. An eager mirror that already has a commit also gets small blobs that
// differ from it.
func (m *Mirror) fetchCommits(ctx context.Context, commits []string) error {
	if m.eager.Load() && exists(filepath.Join(m.content.dir, filepath.FromSlash(refs))) {
		err := m.remote.fetch(ctx, m.content, specs(commits), 1, smallBlobs)
		if !errors.Is(err, ErrTooLarge) {
			return err
		}
	}
	return m.remote.fetch(ctx, m.content, specs(commits), 1, m.content.filter)
}

// specs returns refspecs that store commits under refs/causal/, so the next fetch can negotiate with them.
func specs(commits []string) []string {
	out := make([]string, len(commits))
	for i, id := range commits {
		out[i] = "+" + id + ":" + refs + id
	}
	return out
}

const refs = "refs/causal/"

func (m *Mirror) want(commits []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range commits {
		m.wanted = append(slices.DeleteFunc(m.wanted, func(w string) bool { return w == id }), id)
	}
	m.wanted = slices.Clone(m.wanted[max(0, len(m.wanted)-mostWanted):])
}

func (m *Mirror) isWanted(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Contains(m.wanted, id)
}

// mending runs fn, and again with a new cache if git finds the old one damaged.
func (m *Mirror) mending(ctx context.Context, c *bareRepo, fn func() error) error {
	made := c.made.Load()
	err := fn()
	if ctx.Err() != nil || !damaged(err) {
		return err
	}
	if m.leader != nil {
		if err := m.leader.Mend(ctx); err != nil {
			return err
		}
		c.made.Add(1)
		return fn()
	}
	err = m.locked(ctx, func() error {
		if c.made.Load() != made {
			return nil
		}
		return m.renew(ctx, c)
	})
	if err != nil {
		return fmt.Errorf("recreate a damaged mirror: %w", err)
	}
	return fn()
}

// renew replaces a cache by an empty one and fetches the wanted commits.
func (m *Mirror) renew(ctx context.Context, c *bareRepo) error {
	if err := c.replace(); err != nil {
		return err
	}
	m.mu.Lock()
	wanted := slices.Clone(m.wanted)
	m.mu.Unlock()
	if c != m.content || len(wanted) == 0 {
		return nil
	}
	_, err := m.bring(ctx, wanted) // commits that the remote has lost fail in a later Fetch
	return err
}

var errLost = errors.New("a fetched commit is not there any more")

// damaged reports whether an error can only stem from a damaged cache: git itself failed, and neither the remote nor the
// request explains it.
func damaged(err error) bool {
	if errors.Is(err, errLost) {
		return true
	}
	explained := slices.ContainsFunc([]error{ErrUnknownObject, ErrUnknownRevision, ErrGone, ErrUnavailable}, func(known error) bool {
		return errors.Is(err, known)
	})
	return err != nil && !explained && (exitCode(err) > 0 || crashed(err)) || errors.Is(err, ErrNotRepository)
}

// crashed reports whether git died of a memory fault, as it does on some truncated packs.
func crashed(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && slices.Contains([]syscall.Signal{syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGABRT}, status.Signal())
}
