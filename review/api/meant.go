package api

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/survey"
)

// shipping are files by which a project is built and delivered as a program.
var shipping = []string{"Dockerfile", "Containerfile", ".goreleaser.yml", ".goreleaser.yaml", ".promu.yml", "snapcraft.yaml"}

// isProgram reports whether the Go module that a package is of is there to be run: it is delivered as a program, has a command, and in
// its root nothing that could be imported. Its packages are no less its own than those in internal are: whoever imports them all the
// same was promised nothing.
func (p *pair) isProgram() (bool, error) {
	l, err := newGoLoader(p.now.reader, p.name, true)
	if err != nil || l.module == "" {
		return false, err
	}
	ships := false
	for _, dir := range slices.Compact([]string{l.root, "."}) {
		for _, name := range shipping {
			there, err := survey.Exists(p.now.reader, path.Join(dir, name))
			if err != nil {
				return false, err
			}
			ships = ships || there
		}
	}
	if !ships {
		return false, nil
	}
	return l.isProgram()
}

func (l *goLoader) isProgram() (bool, error) {
	root, err := read(l.reader, l.root)
	if err != nil || slices.ContainsFunc(root.files("go"), isLibrary) {
		return false, err
	}
	modules, err := survey.Modules(l.reader)
	if err != nil {
		return false, err
	}
	for _, m := range modules {
		if l.root != "." && m != l.root && !strings.HasPrefix(m, l.root+"/") || aside(m) {
			continue
		}
		v, err := read(l.reader, m)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(v.files("go"), isCommand) {
			return true, nil
		}
	}
	return false, nil
}
