package ecma

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

type manifest struct {
	Dir     string         `json:"-"`
	Name    string         `json:"name"`
	Private bool           `json:"private"`
	Type    string         `json:"type"`
	Source  any            `json:"source"`
	Types   any            `json:"types"`
	Typings any            `json:"typings"`
	Module  any            `json:"module"`
	Main    any            `json:"main"`
	Exports any            `json:"exports"`
	Imports map[string]any `json:"imports"`
}

// readManifests reads all packages by directory and by name. A name shared by several packages resolves to nothing.
func readManifests(p source.Project) (byDir, byName map[string]*manifest) {
	byDir, byName = map[string]*manifest{}, map[string]*manifest{}
	for _, file := range p.Manifests("package.json") {
		text, ok := p.Read(file)
		m := &manifest{Dir: path.Dir(file)}
		if !ok || json.Unmarshal(text, m) != nil {
			continue
		}
		byDir[m.Dir] = m
		if m.Name == "" || isFixture(m.Dir) {
			continue
		}
		if _, taken := byName[m.Name]; taken {
			byName[m.Name] = nil
		} else {
			byName[m.Name] = m
		}
	}
	return byDir, byName
}

// isFixture reports whether a directory holds packages for tests, which may be named like real ones.
func isFixture(dir string) bool {
	return source.InFolder(dir, "node_modules", "fixtures", "__fixtures__", "fixture", "test", "tests", "__tests__", "__mocks__", "testdata")
}

// conditions lists the keys of conditional exports, closest to the source first.
var conditions = []string{"source", "development", "types", "typings", "import", "module", "node", "default", "browser", "require"}

// collect lists the possible files of an "exports" value, closest to the source first.
func collect(value any, depth int) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			if files := collect(e, depth+1); len(files) > 0 {
				return files
			}
		}
	case map[string]any:
		if depth > 8 {
			return nil
		}
		var files []string
		for _, c := range conditions {
			files = append(files, collect(v[c], depth+1)...)
		}
		return files
	}
	return nil
}

// files lists the possible files of an import of sub ("." for the package), relative to the package.
func (m *manifest) files(sub string) []string {
	if exports, ok := m.Exports.(map[string]any); ok && isSubpaths(exports) {
		return subpath(exports, sub)
	}
	if sub != "." {
		return nil
	}
	files := collect(m.Exports, 0)
	for _, v := range []any{m.Source, m.Types, m.Typings, m.Module, m.Main} {
		files = append(files, collect(v, 0)...)
	}
	return files
}

func isSubpaths(exports map[string]any) bool {
	for key := range exports {
		if strings.HasPrefix(key, ".") {
			return true
		}
	}
	return false
}

// subpath finds an entry of "exports" or "imports" by name, or by the longest star pattern.
func subpath(entries map[string]any, name string) []string {
	if v, ok := entries[name]; ok {
		return collect(v, 0)
	}
	patterns := map[string][]string{}
	for key, value := range entries {
		if strings.Contains(key, "*") {
			patterns[key] = collect(value, 0)
		}
	}
	for _, rule := range pathRules(patterns, "") {
		if star, ok := rule.match(name); ok {
			for i, file := range rule.targets {
				rule.targets[i] = strings.ReplaceAll(file, "*", star)
			}
			return rule.targets
		}
	}
	return nil
}
