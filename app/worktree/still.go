package worktree

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/survey"
)

const (
	mostKept  = 64 << 20 // bytes
	mostAhead = 64       // files in one batch
)

// Still is a snapshot of a Tree that caches the list of files and reads single files in batches, because starting git
// takes longer than reading a directory. It implements survey.Tree, and is safe for concurrent use.
type Still struct {
	survey.Tree
	files  *Kept
	mu     sync.Mutex // of the state and the list
	looked bool
	state  survey.State
	listed bool
	list   []survey.Entry
}

// NewStill returns a snapshot of a Tree. Trees of one repository's objects may share files.
func NewStill(t survey.Tree, files *Kept) *Still { return &Still{Tree: t, files: files} }

// Kept is a cache of file contents.
type Kept struct {
	mu    sync.Mutex
	files map[survey.Entry][]byte
	bytes int
}

// NewKept returns an empty cache.
func NewKept() *Kept { return &Kept{files: map[survey.Entry][]byte{}} }

func (k *Kept) keep(e survey.Entry, content []byte) {
	if k.bytes+len(content) > mostKept {
		clear(k.files)
		k.bytes = 0
	}
	if _, known := k.files[e]; !known {
		k.files[e] = content
		k.bytes += len(content)
	}
}

// State implements survey.Tree.
func (t *Still) State(ctx context.Context, earlier func() survey.State) (survey.State, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.looked {
		return t.state, nil
	}
	state, err := t.Tree.State(ctx, earlier)
	t.state, t.looked = state, err == nil
	return state, err
}

// Entries implements survey.Tree.
func (t *Still) Entries(ctx context.Context, s survey.State) ([]survey.Entry, error) {
	t.mu.Lock()
	same := t.looked && s.Equal(t.state)
	t.mu.Unlock()
	if !same {
		return t.Tree.Entries(ctx, s)
	}
	list, err := t.all(ctx)
	return slices.Clone(list), err
}

func (t *Still) all(ctx context.Context) (list []survey.Entry, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.looked && !t.listed {
		t.list, err = t.Tree.Entries(ctx, t.state)
		t.listed = err == nil
	}
	return t.list, err
}

// Read implements survey.Tree. Only single files are cached.
func (t *Still) Read(ctx context.Context, list []survey.Entry, limit int64, fn func(survey.Entry, []byte, error) error) error {
	if len(list) != 1 {
		return t.Tree.Read(ctx, list, limit, fn)
	}
	e := list[0]
	content, err := t.one(ctx, e, limit)
	if err == nil && content != nil && int64(len(content)) <= limit {
		return fn(e, content, nil)
	}
	if err != nil {
		return err
	}
	return t.Tree.Read(ctx, list, limit, fn) // unreadable or too large: the Tree returns the error
}

func (t *Still) one(ctx context.Context, e survey.Entry, limit int64) ([]byte, error) {
	t.files.mu.Lock()
	defer t.files.mu.Unlock()
	if content, ok := t.files.files[e]; ok {
		return content, nil
	}
	ahead, err := t.ahead(ctx, e)
	if err != nil {
		return nil, err
	}
	var found []byte
	err = t.Tree.Read(ctx, ahead, limit, func(read survey.Entry, content []byte, err error) error {
		if err != nil {
			return ctx.Err()
		}
		content = append(make([]byte, 0, len(content)), content...) // not nil for an empty file
		if read == e {
			found = content
		}
		t.files.keep(read, content)
		return ctx.Err()
	})
	if err != nil && ctx.Err() == nil { // an error of another file, or one that Read gets again
		return found, nil
	}
	return found, err
}

// ahead lists a file, and the following files of its type in the directory that are not cached.
func (t *Still) ahead(ctx context.Context, e survey.Entry) ([]survey.Entry, error) {
	all, err := t.all(ctx)
	if err != nil {
		return nil, err
	}
	ahead := []survey.Entry{e}
	dir, base := path.Split(e.Path)
	at, _ := slices.BinarySearchFunc(all, e.Path+"\x00", func(e survey.Entry, name string) int { return strings.Compare(e.Path, name) })
	for _, next := range all[at:] {
		if len(ahead) == mostAhead || !strings.HasPrefix(next.Path, dir) {
			break
		}
		if _, known := t.files.files[next]; known || next.Mode != survey.Regular {
			continue
		}
		if d, b := path.Split(next.Path); d == dir && path.Ext(b) == path.Ext(base) {
			ahead = append(ahead, next)
		}
	}
	return ahead, nil
}
