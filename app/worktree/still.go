package worktree

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/survey"
)

// Bounds of what a Still keeps and reads ahead.
const (
	mostKept  = 64 << 20 // bytes of files
	mostAhead = 64       // files that are read together
)

// Still is a Tree as it was when it was looked at first, for a run that reads it in many places: what is there is asked for once,
// and a file that is read by itself comes with those beside it, since git takes longer to start than to read them all. It
// implements survey.Tree, and is safe for concurrent use.
type Still struct {
	survey.Tree
	mu     sync.Mutex
	looked bool
	state  survey.State
	listed bool
	list   []survey.Entry
	kept   map[kept][]byte
	bytes  int
}

// kept identifies what a file holds: in a work tree it need not be what its id alone says.
type kept struct{ path, id string }

// NewStill shows what a Tree holds.
func NewStill(t survey.Tree) *Still { return &Still{Tree: t, kept: map[kept][]byte{}} }

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
	defer t.mu.Unlock()
	if !t.looked || !s.Equal(t.state) {
		return t.Tree.Entries(ctx, s)
	}
	err := t.listAll(ctx)
	return slices.Clone(t.list), err
}

func (t *Still) listAll(ctx context.Context) (err error) {
	if !t.listed {
		t.list, err = t.Tree.Entries(ctx, t.state)
		t.listed = err == nil
	}
	return err
}

// Read implements survey.Tree. Whoever asks for many files gets them from the Tree, and nothing is kept of them.
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
	return t.Tree.Read(ctx, list, limit, fn) // it cannot be read, or is too large: the Tree says so
}

// one returns what a file holds; nil where it cannot be read.
func (t *Still) one(ctx context.Context, e survey.Entry, limit int64) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if content, ok := t.kept[kept{e.Path, e.ID}]; ok {
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
		content = append(make([]byte, 0, len(content)), content...)
		if read == e {
			found = content
		}
		t.keep(read, content)
		return ctx.Err()
	})
	return found, err
}

// ahead lists a file, and those of its kind behind it in its directory that are not known yet.
func (t *Still) ahead(ctx context.Context, e survey.Entry) ([]survey.Entry, error) {
	if !t.looked {
		return []survey.Entry{e}, nil
	}
	if err := t.listAll(ctx); err != nil {
		return nil, err
	}
	at, found := slices.BinarySearchFunc(t.list, e.Path, func(e survey.Entry, name string) int { return strings.Compare(e.Path, name) })
	if !found {
		at--
	}
	ahead := []survey.Entry{e}
	dir, ext := path.Dir(e.Path), path.Ext(e.Path)
	for _, next := range t.list[at+1:] {
		if len(ahead) == mostAhead || !strings.HasPrefix(next.Path, strings.TrimPrefix(dir+"/", "./")) {
			break
		}
		if _, known := t.kept[kept{next.Path, next.ID}]; !known && next.Mode == survey.Regular && path.Dir(next.Path) == dir && path.Ext(next.Path) == ext {
			ahead = append(ahead, next)
		}
	}
	return ahead, nil
}

// keep has what a file holds be known, and forgets what was known where that is too much.
func (t *Still) keep(e survey.Entry, content []byte) {
	if t.bytes+len(content) > mostKept {
		clear(t.kept)
		t.bytes = 0
	}
	if _, known := t.kept[kept{e.Path, e.ID}]; !known {
		t.kept[kept{e.Path, e.ID}] = content
		t.bytes += len(content)
	}
}
