package sourcetest

import (
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// Project is a source.Project held in memory: path -> content.
type Project struct {
	Files     map[string]string
	Languages []source.Language
}

// Has implements source.Project.
func (p Project) Has(name string) bool { _, ok := p.Files[name]; return ok }

// HasDir implements source.Project.
func (p Project) HasDir(dir string) bool {
	for name := range p.Files {
		if dir == "." || strings.HasPrefix(name, dir+"/") {
			return true
		}
	}
	return false
}

// Sources implements source.Project.
func (p Project) Sources(language string) []string {
	return p.list(func(name string) bool {
		for _, l := range p.Languages {
			if l.Name() == language && slices.Contains(l.Extensions(), path.Ext(name)) {
				return true
			}
		}
		return false
	})
}

// Manifests implements source.Project.
func (p Project) Manifests(base string) []string {
	return p.list(func(name string) bool { return path.Base(name) == base })
}

// Read implements source.Project.
func (p Project) Read(name string) ([]byte, bool) {
	text, ok := p.Files[name]
	return []byte(text), ok
}

func (p Project) list(keep func(string) bool) []string {
	var out []string
	for name := range p.Files {
		if keep(name) {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return out
}
