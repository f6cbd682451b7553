package render

import (
	"errors"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/survey"
)

// programOf returns the name of the root module's program: the only one that a manifest installs, or else the project's
// name.
func programOf(in engine.Input, c Config, g *factGraph) (string, error) {
	var failed error
	read := func(name string) []byte {
		content, err := survey.Blob(in, name)
		failed = errors.Join(failed, err)
		return content
	}
	for _, file := range manifest.WithPrograms {
		if names := manifest.Programs(file, read(file)); len(names) == 1 && names[0] != "" {
			return names[0], failed
		}
	}
	name, _ := introduction{manifest: read}.manifested(func(name, _ string) string { return name })
	if name == "" {
		name, _, _ = introduction{}.of(c, g)
	}
	return name, failed
}
