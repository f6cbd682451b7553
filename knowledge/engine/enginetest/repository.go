package enginetest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/store"
)

// Repository is a fake repository: files in memory, including generated ones, and an index. It is safe for concurrent
// use.
type Repository struct {
	Layout store.Layout
	// Prompt is the prompt of its runs.
	Prompt string

	mu     sync.Mutex
	files  map[string]entry
	writes int // remaining successful writes; negative for no limit

	dir   string
	index *index.Index
	opens int
}

type entry struct {
	content string
	digest  string
}

// NewRepository returns a repository with the given files and an index in dir. Close it after use.
func NewRepository(dir string, files map[string]string) *Repository {
	r := &Repository{Layout: store.Layout{Docs: "docs"}, Prompt: "bring all up to date", files: map[string]entry{}, writes: -1, dir: dir}
	for name, text := range files {
		r.Write(name, text)
	}
	return r
}

// Close closes the index.
func (r *Repository) Close() error {
	if r.index == nil {
		return nil
	}
	x := r.index
	r.index = nil
	return x.Close()
}

// Write sets the content of a file, like a user edit.
func (r *Repository) Write(name, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files[name] = entry{text, fact.Digest(text)}
}

// Remove removes a file, like a user edit.
func (r *Repository) Remove(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.files, name)
}

// Read returns the content of a file; false if it does not exist.
func (r *Repository) Read(name string) (string, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.files[name]
	return e.content, ok
}

// All returns the content of all files.
func (r *Repository) All() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := map[string]string{}
	for name, e := range r.files {
		out[name] = e.content
	}
	return out
}

// Stored returns the files that causal generated.
func (r *Repository) Stored() map[string][]byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := map[string][]byte{}
	for name, e := range r.files {
		if r.Layout.Owns(name) {
			out[name] = []byte(e.content)
		}
	}
	return out
}

// Forget clears the index.
func (r *Repository) Forget() error {
	r.opens++
	return r.Close()
}

// FailAfter makes a run fail after n written or removed files; a negative number disables it.
func (r *Repository) FailAfter(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writes = n
}

// ErrDisk is the error of writes after FailAfter.
var ErrDisk = errors.New("no space left on the made-up device")

// Files returns the store of generated files for one run.
func (r *Repository) Files() *Files { return &Files{repository: r, before: map[string][]byte{}} }

// Open prepares one run over the present repository.
func (r *Repository) Open(files *Files, plugins ...engine.Plugin) (engine.Config, error) {
	if r.index == nil {
		x, err := index.Open(r.dir, fmt.Sprint(r.opens))
		if err != nil {
			return engine.Config{}, err
		}
		r.index = x
	}
	batch := r.index.NewBatch()
	return engine.Config{
		World: newWorld(r, batch), Plugins: plugins, Words: Words, Index: r.index, Batch: batch, Files: files, Layout: r.Layout, Prompt: r.Prompt,
	}, nil
}

// Words are the condition words of a fake repository.
var Words = []condition.Word{{
	Name: "modified", Params: []string{condition.GlobParam}, Matches: func(q condition.Question, c fact.Change) bool {
		return families[c.Fact.Family] != nil && q.Glob.Match(c.Fact.Name)
	},
}}

// Files is a run's store of generated files. It implements engine.Files.
type Files struct {
	repository *Repository
	before     map[string][]byte
	held       bool
}

// Hold implements engine.Files. drop restores the repository.
func (f *Files) Hold() (drop func() []store.Difference) {
	r := f.repository
	r.mu.Lock()
	defer r.mu.Unlock()
	files, before := maps.Clone(r.files), maps.Clone(f.before)
	f.held = true
	return func() []store.Difference {
		r.mu.Lock()
		defer r.mu.Unlock()
		var out []store.Difference
		for _, name := range slices.Sorted(maps.Keys(f.before)) {
			old, was := files[name]
			now, is := r.files[name]
			if was != is || old.content != now.content {
				out = append(out, store.Difference{Name: name, Before: []byte(old.content), After: []byte(now.content)})
			}
		}
		r.files, f.before, f.held = files, before, false
		return out
	}
}

// Read implements engine.Files.
func (f *Files) Read(name string) ([]byte, error) {
	text, ok := f.repository.Read(name)
	if !ok {
		return nil, fmt.Errorf("read %s: %w", name, fs.ErrNotExist)
	}
	return []byte(text), nil
}

// Write implements engine.Files.
func (f *Files) Write(name string, data []byte) (changed bool, err error) {
	r := f.repository
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.Layout.Owns(name) {
		return false, fmt.Errorf("write %s: it is not causal's own", name)
	}
	if old, ok := r.files[name]; ok && old.content == string(data) {
		return false, nil
	}
	if err := f.change(name); err != nil {
		return false, err
	}
	r.files[name] = entry{string(data), fact.Digest(string(data))}
	return true, nil
}

// Remove implements engine.Files.
func (f *Files) Remove(name, _ string) error {
	r := f.repository
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.files[name]; !ok {
		return nil
	}
	if err := f.change(name); err != nil {
		return err
	}
	delete(r.files, name)
	return nil
}

func (f *Files) change(name string) error {
	r := f.repository
	if r.writes == 0 && !f.held {
		return fmt.Errorf("write %s: %w", name, ErrDisk)
	}
	if r.writes > 0 && !f.held {
		r.writes--
	}
	if _, ok := f.before[name]; !ok {
		old, there := r.files[name]
		f.before[name] = nil
		if there {
			f.before[name] = []byte(old.content)
		}
	}
	return nil
}

// List implements engine.Files.
func (f *Files) List(dir string) ([]string, error) {
	return f.where(func(name string) bool { return path.Dir(name) == dir }), nil
}

// Below implements engine.Files.
func (f *Files) Below(dir string) ([]string, error) {
	return f.where(func(name string) bool { return strings.HasPrefix(name, dir+"/") }), nil
}

func (f *Files) where(keep func(name string) bool) []string {
	r := f.repository
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for name := range r.files {
		if keep(name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// Created implements engine.Files.
func (f *Files) Created(name string) bool {
	before, written := f.Changed()[name]
	return written && before == nil
}

// Changed implements engine.Files.
func (f *Files) Changed() map[string][]byte {
	f.repository.mu.Lock()
	defer f.repository.mu.Unlock()
	out := maps.Clone(f.before)
	for name, old := range out {
		if e, ok := f.repository.files[name]; ok && old != nil && bytes.Equal(old, []byte(e.content)) {
			delete(out, name)
		}
	}
	return out
}
