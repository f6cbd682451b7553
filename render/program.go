package render

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/survey"
)

// installers read under which names a manifest installs programs.
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
	{"package.json", func(content []byte) []string {
		var node struct{ Bin map[string]string }
		_ = json.Unmarshal(content, &node) // a single program without a name is called like its package
		return slices.Sorted(maps.Keys(node.Bin))
	}},
}

// programOf is what the program of the root module is called: as a manifest installs it, where that is one name, and
// otherwise like the project.
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
