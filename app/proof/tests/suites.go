package main

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The suites that are held against each other.
const (
	generated = iota
	people
	suites // the number of suites
)

// patterns are the arguments with which a test binary runs a suite.
var patterns = [suites][]string{
	generated: {"-test.run=_causal$"},
	people:    nil,
}

// bench is a package with its test suites, each built separately.
type bench struct {
	*unit
	layers [suites]layer
	skip   string // the library's own tests that fail without a mutant
	usable [suites]bool
	limit  [suites]time.Duration
}

// emptyTest gives packages without tests something to run, so their statements are counted.
const (
	emptyTest     = "zz_proof_test.go"
	emptyTestCode = "package %s_test\n"
)

// arrange adds the suites to each package, finds those that pass without a mutant, and measures their coverage.
func (m *measurement) arrange(ctx context.Context, files [suites]map[string][]byte) ([]*bench, error) {
	var over [suites]layer
	for i, set := range files {
		var err error
		if over[i], err = m.subject.lay(set); err != nil {
			return nil, err
		}
	}
	empty := map[string][]byte{}
	for _, u := range m.subject.units {
		empty[path.Join(u.dir, emptyTest)] = fmt.Appendf(nil, emptyTestCode, u.types.Name())
	}
	base, err := m.subject.lay(empty)
	if err != nil {
		return nil, err
	}
	var out []*bench
	for _, u := range m.subject.units {
		b := &bench{unit: u}
		for suite := range suites {
			b.layers[suite] = join(m.subject.of(u, base), m.subject.of(u, over[suite]))
		}
		if err := m.baseline(ctx, b); err != nil {
			return nil, fmt.Errorf("%s: %w", u.path, err)
		}
		out = append(out, b)
	}
	return out, nil
}

// baseline builds and runs each suite of a package without a mutant.
func (m *measurement) baseline(ctx context.Context, b *bench) error {
	binary := filepath.Join(m.subject.dir, "baseline.test")
	for suite := range suites {
		if err := m.subject.mustBuild(ctx, b.unit, b.layers[suite], binary, "-cover", "-covermode=set"); err != nil {
			return err
		}
		if err := m.try(ctx, b, suite, binary); err != nil {
			return err
		}
	}
	return nil
}

// longest is how long the tests of a package may take as the library is.
const longest = 2 * time.Minute

// try runs a suite without a mutant, and measures its coverage.
func (m *measurement) try(ctx context.Context, b *bench, suite int, binary string) error {
	profile := filepath.Join(m.subject.dir, "cover.out")
	said := ""
	for range 2 {
		began := time.Now()
		var ok bool
		var err error
		said, ok, err = m.subject.test(ctx, b.unit, how(suite), binary, longest, append(b.args(suite), "-test.coverprofile="+profile)...)
		if err != nil {
			return err
		}
		b.limit[suite], b.usable[suite] = 5*time.Second+10*time.Since(began), ok
		if ok || suite != people {
			break
		}
		names := failed(said)
		b.skip = strings.Join(names, "|")
		m.result.skipped = append(m.result.skipped, names...)
	}
	if !b.usable[suite] {
		m.result.unusable = append(m.result.unusable, fmt.Sprintf("%s of %s: %s", suiteNames[suite], path.Base(b.path), failing(said)))
	}
	reached, all, err := statements(profile)
	m.result.reached[suite] += reached
	if suite == generated {
		m.result.statements += all
	}
	return err
}

// args are the arguments for the test binary.
func (b *bench) args(suite int) []string {
	if suite == people && b.skip != "" {
		return []string{"-test.skip=^(" + b.skip + ")$"}
	}
	return slices.Clone(patterns[suite])
}

func how(suite int) int {
	if suite == people {
		return limited
	}
	return confined
}
