package render

import (
	"encoding/json"
	"errors"
	"maps"
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
		for _, bin := range manifest.Read(content).Tables("bin") {
			names = append(names, bin.Text("name"))
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

// programOf returns the name of the root module's program: the only one that a manifest installs, or else the project's
// name.
func programOf(in engine.Input, c Config, g *factGraph) (string, error) {
	var failed error
	read := func(name string) []byte {
		content, err := survey.Blob(in, name)
		failed = errors.Join(failed, err)
		return content
	}
	for _, i := range installers {
		if names := i.read(read(i.file)); len(names) == 1 && names[0] != "" {
			return names[0], failed
		}
	}
	name, _ := introduction{manifest: read}.manifested(func(name, _ string) string { return name })
	if name == "" {
		name, _, _ = introduction{}.of(c, g)
	}
	return name, failed
}
