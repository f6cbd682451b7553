package render

import (
	"path"

	"github.com/causaldocs/causal/knowledge/manifest"
)

// installed returns the name of the only program that a manifest in a directory installs.
func installed(f *facts, dir string) string {
	for _, file := range manifest.WithPrograms {
		if names := manifest.Programs(file, f.blob(path.Join(dir, file))); len(names) == 1 && names[0] != "" {
			return names[0]
		}
	}
	return ""
}

// projectName returns the name of the root's program, or else of the project by its manifest or introduction, or "".
func projectName(c Config, g *factGraph) string {
	name := installed(&g.facts, ".")
	if name == "" {
		name, _ = introduction{manifest: g.blob}.manifested(func(name, _ string) string { return name })
	}
	if name == "" {
		if name, _, _ = (introduction{}).of(c, g); name == untitled {
			name = ""
		}
	}
	return name
}
