package engine

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// project is the repository as import resolution sees it.
type project struct {
	files     map[string]bool
	dirs      map[string]bool
	sources   map[string][]string // by language
	manifests map[string][]string // by base name
	content   map[string][]byte
}

func (w *world) project(ctx context.Context) (source.Project, error) {
	p := &project{
		files: map[string]bool{}, dirs: map[string]bool{".": true}, sources: map[string][]string{},
		manifests: map[string][]string{}, content: map[string][]byte{},
	}
	for file := range pathsOf(w.paths.All) {
		p.files[file] = true
		for dir := path.Dir(file); !p.dirs[dir]; dir = path.Dir(dir) {
			p.dirs[dir] = true
		}
		if c := w.classes.Classify(file); c.Readable && !w.excluded(file) {
			p.sources[c.Language] = append(p.sources[c.Language], file)
		}
	}
	var entries []Entry
	for _, m := range slices.Sorted(maps.Keys(w.paths.Manifests)) {
		p.manifests[path.Base(m)] = append(p.manifests[path.Base(m)], m)
		entries = append(entries, Entry{Path: m, ID: w.paths.Manifests[m], Mode: Regular})
	}
	err := w.tree.Read(ctx, entries, w.scan.maxBytes, func(e Entry, content []byte, err error) error {
		if err == nil {
			p.content[e.Path] = slices.Clone(content)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("read manifests: %w", err)
	}
	return p, nil
}

// Has implements source.Project.
func (p *project) Has(file string) bool { return p.files[file] }

// HasDir implements source.Project.
func (p *project) HasDir(dir string) bool { return p.dirs[strings.TrimSuffix(dir, "/")] }

// Sources implements source.Project.
func (p *project) Sources(language string) []string { return p.sources[language] }

// Manifests implements source.Project.
func (p *project) Manifests(base string) []string { return p.manifests[base] }

// Read implements source.Project.
func (p *project) Read(file string) ([]byte, bool) {
	content, ok := p.content[file]
	return content, ok
}
