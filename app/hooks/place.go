package hooks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/atomic"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/session"
)

// largestHashed is the largest file that is hashed, in bytes.
const largestHashed = 32 << 20

// Place is the repository of an agent with its sessions, which are inside the git directory, separate for each work
// tree.
type Place struct {
	repo *gitstore.Repo
	root *os.Root
	dir  string // directory of the sessions
}

// At returns the Place of an open repository. Close it after use.
func At(repo *gitstore.Repo) (*Place, error) {
	root, err := os.OpenRoot(repo.Root())
	if err != nil {
		return nil, fmt.Errorf("open the work tree: %w", err)
	}
	return &Place{repo, root, Dir(repo)}, nil
}

// find returns the Place of the first directory in a repository.
func find(ctx context.Context, dirs ...string) (*Place, error) {
	err := errors.New("the event does not name the agent's directory")
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		var repo *gitstore.Repo
		if repo, err = gitstore.Open(ctx, dir); err == nil {
			return At(repo)
		}
	}
	return nil, err
}

// Close closes the work tree.
func (p *Place) Close() error { return errors.Join(p.repo.Close(), p.root.Close()) }

// local converts an agent's path to one relative to the root; false for paths outside the work tree or in the git
// directory.
func (p *Place) local(name, dir string) (string, bool) {
	if name == "" || strings.ContainsRune(name, 0) {
		return "", false
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	name, err := filepath.Abs(name)
	if err != nil {
		return "", false
	}
	if above, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		name = filepath.Join(above, filepath.Base(name))
	}
	rel, err := filepath.Rel(p.repo.Root(), name)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return "", false
	}
	rel = filepath.ToSlash(rel)
	if first, _, _ := strings.Cut(rel, "/"); strings.EqualFold(first, ".git") {
		return "", false
	}
	return canonical.Path(rel), true
}

// look returns the current state of a file; false if it is not a regular file or too large.
func (p *Place) look(name string, role session.Role) (session.FileRecord, bool) {
	gone := session.FileRecord{Path: name, Role: session.Deleted}
	info, err := p.root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return gone, true
	case err != nil || !info.Mode().IsRegular() || info.Size() > largestHashed:
		return session.FileRecord{}, false
	}
	f, err := p.root.Open(name)
	if err != nil {
		return session.FileRecord{}, false
	}
	defer func() { _ = f.Close() }()
	id, ok, err := p.repo.BlobID(f, info.Size())
	if err != nil || !ok {
		return session.FileRecord{}, false
	}
	return session.FileRecord{Path: name, Hash: id, Role: role}, true
}

// Dir returns the directory of a repository's sessions. It may not exist.
func Dir(repo *gitstore.Repo) string { return filepath.Join(repo.PrivateDir(), "sessions") }

// Files of a session's folder.
const (
	indexFile     = "index.json"     // call trees of causal's own runs within the session
	framesFile    = "frames.jsonl"   // call trees of the session, extracted when the agent stops
	artifactsFile = "artifacts.json" // what later sessions are compared with
	toolsFile     = "tools.jsonl"    // events as lines of JSON
)

// currentFile names the most recently active session.
const currentFile = ".current_session"

const (
	// Bounds of the stored sessions; the oldest are removed first.
	mostSessions = 50
	mostBytes    = 64 << 20
	// freshFor is the validity of currentFile: agents do not pause longer within a task.
	freshFor = 2 * time.Hour
)

var (
	safeID   = lazyregexp.New(`^[a-z0-9][a-z0-9_-]{0,63}$`)
	reserved = lazyregexp.New(`^(?:x-.*|con|prn|aux|nul|com\d|lpt\d)$`)
)

// folderName returns the id if it is safe on every file system, else its hash, which keeps folders distinct.
func folderName(id string) string {
	if safeID.MatchString(id) && !reserved.MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "x-" + hex.EncodeToString(sum[:16])
}

// current is the content of currentFile.
type current struct {
	SessionID string    `json:"session_id"`
	PID       int       `json:"pid"`
	UpdatedAt time.Time `json:"updated_at"`
}

// announce makes a session the current one.
func (p *Place) announce(id string, now time.Time) error {
	data, err := json.Marshal(current{id, os.Getpid(), now.UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(p.dir, currentFile), append(data, '\n'))
}

// announced returns the current session; empty if it is outdated, or if another session is also active and the owner of
// a command is ambiguous.
func (p *Place) announced(now time.Time) string {
	var c current
	data, err := readUpTo(filepath.Join(p.dir, currentFile), 4<<10)
	if err != nil || json.Unmarshal(data, &c) != nil || c.SessionID == "" || age(now, c.UpdatedAt) > freshFor {
		return ""
	}
	folders, _ := p.folders()
	for _, f := range folders {
		if f.name != folderName(c.SessionID) && age(now, f.used) < freshFor {
			return ""
		}
	}
	return c.SessionID
}

// age is absolute, because the clock may have been set back.
func age(now, at time.Time) time.Duration { return now.Sub(at).Abs() }

// SessionID returns the session of a command: the given one, else the environment's, else the current one; empty if
// there is none.
func (p *Place) SessionID(given string, getenv func(string) string, now time.Time) string {
	if given != "" {
		return given
	}
	if id := getenv("CLAUDE_SESSION_ID"); id != "" {
		return id
	}
	return p.announced(now)
}

// newID returns an id of eight hexadecimal digits.
func newID(random io.Reader) (string, error) {
	var b [4]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("make a session id: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}

type folder struct {
	name string
	used time.Time // last write
	size int64
}

// folders lists all sessions, newest first.
func (p *Place) folders() ([]folder, error) {
	entries, err := os.ReadDir(p.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list the sessions: %w", err)
	}
	var out []folder
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		f := folder{name: e.Name()}
		for _, name := range []string{indexFile, framesFile, artifactsFile, toolsFile} {
			if info, err := os.Lstat(filepath.Join(p.dir, e.Name(), name)); err == nil {
				f.size += info.Size()
				if info.ModTime().After(f.used) {
					f.used = info.ModTime()
				}
			}
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b folder) int { return b.used.Compare(a.used) })
	return out, nil
}

// prune removes the oldest sessions above the bounds, and temporary files of killed processes. It keeps the current
// session.
func (p *Place) prune(keep string, now time.Time) error {
	for _, pattern := range []string{atomic.Leftover, "*/" + atomic.Leftover} {
		left, _ := filepath.Glob(filepath.Join(p.dir, pattern))
		for _, name := range left {
			if info, err := os.Lstat(name); err == nil && age(now, info.ModTime()) > freshFor {
				_ = os.Remove(name)
			}
		}
	}
	folders, err := p.folders()
	if err != nil {
		return err
	}
	var size int64
	for i, f := range folders {
		size += f.size
		if (i >= mostSessions || size > mostBytes) && f.name != keep {
			size -= f.size
			err = errors.Join(err, os.RemoveAll(filepath.Join(p.dir, f.name)))
		}
	}
	return err
}

// writeFile writes a file atomically, readable only by its owner.
func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	if err := atomic.Write(name, data, 0o600); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}
	return nil
}

// readUpTo reads at most most bytes of a regular file.
func readUpTo(name string, most int64) ([]byte, error) {
	if info, err := os.Lstat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, most))
}
