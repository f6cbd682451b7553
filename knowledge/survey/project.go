package survey

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/source"
)

type pathSet []string

// files splits the path list, once per version of the list.
func (s *Survey) files() pathSet {
	if s.paths.All == "" && !s.full { // nothing changed, and the list is not loaded yet
		s.Index.Get(wholes, keyPaths, &s.paths)
	}
	if s.listed == nil || s.listedFrom != s.paths.All {
		s.listedFrom, s.listed = s.paths.All, pathSet{}
		if s.paths.All != "" {
			s.listed = strings.Split(strings.TrimSuffix(s.paths.All, separator), separator)
		}
	}
	return s.listed
}

// Has reports whether a file exists.
func (s pathSet) Has(file string) bool {
	_, found := slices.BinarySearch(s, file)
	return found
}

// HasDir reports whether a directory contains a file at any depth.
func (s pathSet) HasDir(dir string) bool {
	if dir = strings.TrimSuffix(dir, "/"); dir == "." || dir == "" {
		return true
	}
	i, _ := slices.BinarySearch(s, dir+"/")
	return i < len(s) && strings.HasPrefix(s[i], dir+"/")
}

func (s pathSet) kind(name string) string {
	switch {
	case s.Has(name):
		return "file"
	case s.HasDir(name):
		return "directory"
	}
	return ""
}

type project struct {
	pathSet
	sources   func() map[string][]string // by language
	manifests map[string][]string        // by base name
	content   map[string][]byte
}

func (s *Survey) project(ctx context.Context) (source.Project, error) {
	p := &project{pathSet: s.files(), manifests: map[string][]string{}, content: map[string][]byte{}}
	p.sources = sync.OnceValue(func() map[string][]string {
		out := map[string][]string{}
		for _, file := range p.pathSet {
			if c := s.classes.Classify(file); c.Readable && !s.Excluded(file) {
				out[c.Language] = append(out[c.Language], file)
			}
		}
		return out
	})
	var entries []Entry
	for _, m := range slices.Sorted(maps.Keys(s.paths.Manifests)) {
		p.manifests[path.Base(m)] = append(p.manifests[path.Base(m)], m)
		entries = append(entries, Entry{Path: m, ID: s.paths.Manifests[m], Mode: Regular})
	}
	err := s.Tree.Read(ctx, entries, s.scan.maxBytes, func(e Entry, content []byte, err error) error {
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

// Sources implements source.Project.
func (p *project) Sources(language string) []string { return p.sources()[language] }

// Manifests implements source.Project.
func (p *project) Manifests(base string) []string { return p.manifests[base] }

// Read implements source.Project.
func (p *project) Read(file string) ([]byte, bool) {
	content, ok := p.content[file]
	return content, ok
}
