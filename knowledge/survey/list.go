package survey

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/manual"
	"github.com/causaldocs/causal/knowledge/source"
)

// FileList names a list of files with one use.
type FileList string

// The file lists.
const (
	ServiceList  FileList = "services" // they name the Java types that provide a service; each file is named after its interface
	SchemaList   FileList = "schemas"  // they may declare tables
	SettingsList FileList = "settings" // they set variables and configuration keys
	DeployList   FileList = "deploys"  // they say which routes a Java application serves, and where
	ManualList   FileList = "manuals"  // documents that describe how the project is used
	SampleList   FileList = "samples"  // samples of configurations, and their defaults
)

const mostSettingsFiles = 64

// fileLists defines each list: its files, its name in messages, and its maximum length. Files near the root take
// precedence.
var fileLists = map[FileList]struct {
	is   func(name string) bool
	what string
	most int
}{
	ServiceList:  {source.IsService, "files about services", 0},
	SchemaList:   {source.IsSchema, "SQL and Prisma files, and changelogs", 0},
	SettingsList: {func(name string) bool { return manifest.IsSettings(name) && !source.Foreign(name) }, "files with settings", mostSettingsFiles},
	DeployList:   {manifest.IsDescriptor, "deployment descriptors and builds", mostSettingsFiles},
	ManualList: {func(name string) bool {
		return source.IsDocument(name) || manual.IsPage(name) && !source.Foreign(name)
	}, "documents", mostDocuments},
	SampleList: {func(name string) bool { return manual.IsSample(name) && !source.Foreign(name) }, "samples of configurations", mostSettingsFiles},
}

// Has reports whether a file is on the list. It ignores exclusions and ownership.
func (l FileList) Has(name string) bool { return fileLists[l].is(name) }

// FilesFor lists the files with a use.
func FilesFor(r Reader, use FileList) ([]string, error) { return value[[]string](r, ListFact(use)) }

func (s *Survey) filesFor(_ context.Context, use string) (out []string, err error) {
	list, known := fileLists[FileList(use)]
	if !known {
		return nil, nil
	}
	for _, p := range s.files() {
		if FileList(use).Has(p) && !s.Excluded(p) && !s.Owned(p) {
			out = append(out, p)
		}
	}
	if FileList(use) == ManualList {
		out = withoutMade(out)
	}
	if list.most > 0 {
		slices.SortStableFunc(out, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
		out = out[:min(len(out), list.most)]
	}
	return out, nil
}

// withoutMade drops the manual pages that are made from another document: "shop.1" of "shop.1.md".
func withoutMade(files []string) []string {
	sources := map[string]bool{}
	for _, file := range files {
		sources[strings.TrimSuffix(path.Base(file), path.Ext(file))] = true
	}
	return slices.DeleteFunc(files, func(file string) bool { return manual.IsPage(file) && sources[path.Base(file)] })
}

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
