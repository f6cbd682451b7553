package render

import (
	"encoding/json"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/survey"
)

// installers read the program names from manifests.
var installers = []struct {
	file string
	read func(content []byte) []string
}{
	{"Cargo.toml", func(content []byte) (names []string) {
		m := manifest.Read(content)
		bins := m.Tables("bin")
		for _, bin := range bins {
			if len(bins) == 1 || path.Base(bin.Text("path")) == "main.rs" {
				names = append(names, bin.Text("name"))
			}
		}
		if name := m.Table("package").Text("name"); len(names) == 0 && name != "" {
			names = append(names, name) // if it has a program
		}
		return names
	}},
	{"pyproject.toml", func(content []byte) []string {
		m := manifest.Read(content)
		return append(m.Table("project", "scripts").Keys(), m.Table("tool", "poetry", "scripts").Keys()...)
	}},
	{"setup.cfg", func(content []byte) (names []string) {
		entriesInConfig(content, func(group, name, _ string) {
			if commandGroups[group] {
				names = append(names, name)
			}
		})
		return names
	}},
	{"setup.py", func(content []byte) (names []string) {
		_, scripts, _ := strings.Cut(string(content), "console_scripts")
		scripts, _, _ = strings.Cut(scripts, "]")
		for _, found := range scriptEntry.FindAllStringSubmatch(scripts, -1) {
			names = append(names, found[1])
		}
		return names
	}},
	{"package.json", func(content []byte) []string {
		var node struct{ Bin map[string]string }
		_ = json.Unmarshal(content, &node) // a single program without a name has the name of its package
		return slices.Sorted(maps.Keys(node.Bin))
	}},
}

// scriptEntry matches a console script in a Python string literal.
var scriptEntry = lazyregexp.New(`["']\s*([\w.-]+)\s*=\s*[\w.]+:[\w.]+`)

// installed returns the name of the only program that a manifest in a directory installs.
func installed(in engine.Input, dir string) (string, error) {
	for _, i := range installers {
		content, err := survey.Blob(in, path.Join(dir, i.file))
		if err != nil {
			return "", err
		}
		if names := i.read(content); len(names) == 1 && names[0] != "" {
			return names[0], nil
		}
	}
	return "", nil
}

// projectName returns the name of the root's program, or else of the project by its manifest or introduction.
func projectName(in engine.Input, c Config, g *factGraph) (string, error) {
	name, failed := installed(in, ".")
	if name != "" || failed != nil {
		return name, failed
	}
	name, _ = introduction{manifest: func(name string) []byte {
		content, err := survey.Blob(in, name)
		failed = errors.Join(failed, err)
		return content
	}}.manifested(func(name, _ string) string { return name })
	if name == "" {
		name, _, _ = introduction{}.of(c, g)
	}
	return name, failed
}
