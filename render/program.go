package render

import (
	"errors"
	"path"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/survey"
)

// installed returns the name of the only program that a manifest in a directory installs.
func installed(in engine.Input, dir string) (string, error) {
	for _, file := range manifest.WithPrograms {
		content, err := survey.Blob(in, path.Join(dir, file))
		if err != nil {
			return "", err
		}
		if names := manifest.Programs(file, content); len(names) == 1 && names[0] != "" {
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
