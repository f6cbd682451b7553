package golang

import (
	"go/ast"
	"go/build/constraint"
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
)

// Guard returns the build constraint of a file: that of its //go:build line, or of its older +build lines, and those that its
// name implies.
func Guard(name string, tree *ast.File) string {
	written := buildLine(tree)
	implied := impliedByName(name)
	switch {
	case implied == "":
		return written
	case written == "":
		return implied
	case strings.Contains(written, "||"):
		written = "(" + written + ")"
	}
	return written + " && " + implied
}

// forTests reports whether a build constraint needs a tag of tests or test doubles.
func forTests(guard string) bool {
	x, err := constraint.Parse("//go:build " + guard)
	if guard == "" || err != nil {
		return false
	}
	holds := func(tests, others bool) bool {
		return x.Eval(func(tag string) bool {
			if tag = strings.ToLower(tag); tag == "test" || tag == "tests" || strings.HasPrefix(tag, "mock") || strings.HasSuffix(tag, "mock") {
				return tests
			}
			return others
		})
	}
	return (holds(true, true) || holds(true, false)) && !holds(false, true) && !holds(false, false)
}

// elsewhere reports whether a build constraint excludes a file from the default build for Linux.
func elsewhere(guard string) bool {
	x, err := constraint.Parse("//go:build " + guard)
	return err == nil && !x.Eval(func(tag string) bool {
		return tag == "linux" || tag == "unix" || tag == "amd64" || tag == "gc" || tag == "cgo" || strings.HasPrefix(tag, "go1.")
	})
}

func buildLine(tree *ast.File) string {
	var old constraint.Expr
	for _, g := range tree.Comments {
		if g.Pos() > tree.Package {
			break
		}
		for _, c := range g.List {
			if expr, ok := strings.CutPrefix(c.Text, "//go:build "); ok {
				return strings.TrimSpace(strings.ToValidUTF8(expr, "�"))
			}
			if g == tree.Doc || !constraint.IsPlusBuild(c.Text) {
				continue
			}
			if x, err := constraint.Parse(c.Text); err == nil {
				if old != nil {
					x = &constraint.AndExpr{X: old, Y: x}
				}
				old = x
			}
		}
	}
	if old == nil {
		return ""
	}
	return strings.ToValidUTF8(old.String(), "�")
}

// impliedByName returns the constraint in a file name: name_GOOS_GOARCH.go.
func impliedByName(name string) string {
	stem, _, _ := strings.Cut(path.Base(name), ".")
	words := strings.Split(strings.TrimSuffix(stem, "_test"), "_")[1:] // the first word implies nothing
	n := len(words)
	switch {
	case n > 1 && platforms.Get()[words[n-2]] == system && platforms.Get()[words[n-1]] == machine:
		return words[n-2] + " && " + words[n-1]
	case n > 0 && platforms.Get()[words[n-1]] != 0:
		return words[n-1]
	}
	return ""
}

// Kinds of words at the end of a file name.
const (
	system = iota + 1
	machine
)

// platforms are the operating systems and architectures that Go supports or reserves.
var platforms = lazy.Value[map[string]int]{Make: func() map[string]int {
	m := map[string]int{}
	for _, s := range strings.Fields("aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 " +
		"solaris wasip1 windows zos") {
		m[s] = system
	}
	for _, s := range strings.Fields("386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 " +
		"mips64p32le ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm") {
		m[s] = machine
	}
	return m
}}
