package api

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/survey"
)

var shipping = []string{"Dockerfile", "Containerfile", ".goreleaser.yml", ".goreleaser.yaml", ".promu.yml", "snapcraft.yaml"}

// isProgram reports whether a Go package is a part of a program: it is below the directory of a command, or its
// module is delivered as a program, has a command, and has no importable package in its root. Such packages promise
// no more than internal ones.
func (p *pair) isProgram() (bool, error) {
	l, err := newGoLoader(p.now.reader, p.parsed.current(), p.name, true)
	if err != nil || l.module == "" {
		return false, err
	}
	for dir := path.Dir(p.name); dir != l.root && dir != "."; dir = path.Dir(dir) {
		v, err := read(p.was.reader, dir)
		if err != nil || slices.ContainsFunc(v.files("go"), isCommand) {
			return err == nil, err
		}
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
