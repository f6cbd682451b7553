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

// What may be wrong with the remote of a Mirror.
var (
	// ErrGone: the repository is not there, has another name now, or may not be read any more. Trying again does not help.
	ErrGone = errors.New("the repository is gone or may not be read")
	// ErrUnavailable: the remote cannot be reached, is broken or took no token just now. Trying again later may help.
	ErrUnavailable = errors.New("the remote does not answer as it should")
	// ErrMirror: a mirror has no work tree and no history of files.
	ErrMirror = errors.New("not possible in a mirror")
)

// Mirror is a cache of one remote repository on a server's disk: bare, with exactly the commits that were asked for,
// each without its history, and with the blobs that were read. It may be deleted at any time when nobody has it open,
// and a damaged one is made anew without anybody noticing. It is safe for concurrent use, also by several processes.
//
// The remote is known only to the git processes that fetch. Those that read know of none, so that git never goes and
// fetches one missing object at a time.
type Mirror struct {
	dir    string
	remote *remote
	counts *counters
	// content has single commits with their trees. history has commits only, and their ancestors: apart, because a
	// remote takes for granted that whoever has a commit has its trees.
	content, history *bareRepo
	depths           []int
	packs            int // more packs in a cache are put together
	names            int // more commits in a cache are forgotten
	eager            atomic.Bool
	repo             *Repo
	use              *flock.Flock
	writing          chan struct{}
	leader           Leader // of a mirror that follows; it has no remote then, and no locks
	trees            answers[Entry]
	diffs            answers[Change]

	mu     sync.Mutex
	wanted []string // fetched through this Mirror, the oldest first: what a new cache has to have
}

// mostWanted is how many commits a Mirror remembers, and so may have to fetch at once.
const mostWanted = 64

// OpenMirror opens the mirror of the repository at an http or https URL, or begins one in dir. auth returns the token
// that git reads with, which is passed to git in its environment only; empty when none is needed. The time of dir's
// last modification is then when it was last opened. Close the Mirror after use.
func OpenMirror(ctx context.Context, dir, address string, auth func(ctx context.Context) (string, error)) (*Mirror, error) {
	m, err := newMirror(dir, address)
	if err != nil {
		return nil, fmt.Errorf("open mirror: %w", err)
	}
	m.remote.auth, m.use = auth, flock.New(m.dir+".use")
	return m, m.open(ctx)
}

// hostOf returns the part of a URL that a token is for.
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

// Close lets others delete the mirror.
func (m *Mirror) Close() error {
	m.content.close()
	m.history.close()
	if m.leader != nil {
		return nil
	}
	return m.use.Close()
}

// patience is how often a lock that another process holds is tried.
const patience = 20 * time.Millisecond

// locked runs fn while nobody else writes to the mirror. What a killed process left is cleared away before.
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

// RemoveMirror deletes the mirror in dir; false when it is open somewhere.
func RemoveMirror(dir string) (removed bool, err error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return false, fmt.Errorf("remove mirror: %w", err)
	}
	use := flock.New(abs + ".use") // stays, and so does the other lock: someone may be about to take it
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

// Repo reads the commits that were fetched: Resolve, Tree, DiffTrees and ReadBlobs by full ids, and Contains. Blobs that
// are not here are fetched, all of a call in one batch. What needs a work tree or the history of files is ErrMirror.
func (m *Mirror) Repo() *Repo { return m.repo }

// Yield has what is fetched from now on go behind everything else on the machine: a stranger asks for it. Git unpacks what it fetches
// on all processors.
func (m *Mirror) Yield() { m.remote.yields = true }

// Eager makes Fetch bring the small files that changed since the last commit together with the commit. Nearly all of them are read, and
// each fetch takes several processes.
func (m *Mirror) Eager() { m.eager.Store(true) }

// BytesFetched is how many bytes of packed objects came from the remote through this Mirror.
func (m *Mirror) BytesFetched() int64 { return m.remote.received.Load() }

// Fetch makes commits readable; those that are here cost no request. ErrUnknownObject names those that the remote does
// not have; the others are here then all the same.
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

// bring fetches what is still absent of some commits, and returns those that the remote does not have. One of them makes
// a whole request fail, and the remote names it.
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

// smallBlobs is the filter of an eager fetch.
const smallBlobs = "blob:limit=256k"

// fetchCommits fetches commits with their trees. An eager mirror that has a commit already also gets the small blobs that differ from it.
func (m *Mirror) fetchCommits(ctx context.Context, commits []string) error {
	if m.eager.Load() && exists(filepath.Join(m.content.dir, filepath.FromSlash(refs))) {
		err := m.remote.fetch(ctx, m.content, specs(commits), 1, smallBlobs)
		if !errors.Is(err, ErrTooLarge) {
			return err
		}
	}
	return m.remote.fetch(ctx, m.content, specs(commits), 1, m.content.filter)
}

// specs are commits as git fetches them: under names of ours, which tell the remote next time what is here.
func specs(commits []string) []string {
	out := make([]string, len(commits))
	for i, id := range commits {
		out[i] = "+" + id + ":" + refs + id
	}
	return out
}

const refs = "refs/causal/"

// want remembers commits as needed.
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

// mending runs fn, and once more with a new cache when git finds the old one damaged.
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
			return nil // somebody else has mended it
		}
		return m.renew(ctx, c)
	})
	if err != nil {
		return fmt.Errorf("recreate a damaged mirror: %w", err)
	}
	return fn()
}

// renew replaces a cache by one that has what is wanted and nothing else.
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
	_, err := m.bring(ctx, wanted) // what the remote has forgotten is missed by whoever asks for it
	return err
}

// errLost means that a commit which had been fetched is not there any more.
var errLost = errors.New("a fetched commit is not there any more")

// damaged reports whether an error can only come from the state of the cache: git ended with it by itself, and neither the
// remote nor the question explains it.
func damaged(err error) bool {
	if errors.Is(err, errLost) {
		return true
	}
	explained := slices.ContainsFunc([]error{ErrUnknownObject, ErrUnknownRevision, ErrGone, ErrUnavailable}, func(known error) bool {
		return errors.Is(err, known)
	})
	return err != nil && !explained && (exitCode(err) > 0 || crashed(err)) || errors.Is(err, ErrNotRepository)
}

// crashed reports whether git ended with a memory fault: it does over some packs that are cut off.
func crashed(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && slices.Contains([]syscall.Signal{syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGABRT}, status.Signal())
}
