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
	skeletons
	fuzzing
	suites // how many there are
)

// patterns choose the tests of a suite from those that are built together.
var patterns = [suites][]string{
	generated: {"-test.run=_causal$"},
	people:    nil, // are built by themselves
	skeletons: {"-test.skip=_causal$|^" + harnessPrefix},
	fuzzing:   {"-test.run=^" + harnessPrefix},
}

// bench is a package with all the tests there are for it. Those of people are built by themselves, since they have names of their own
// choice; the others together.
type bench struct {
	*unit
	ours, theirs layer
	skip         string // of people's tests, those that fail here without any mutant
	usable       [suites]bool
	limit        [suites]time.Duration
}

// emptyTest is there so that a package without tests has something to run, and its statements are counted.
const (
	emptyTest     = "zz_proof_test.go"
	emptyTestCode = "package %s_test\n"
)

// arrange lays the suites over each package, finds out which hold as the library is, and counts what they reach.
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
		of := func(i int) layer { return m.subject.of(u, over[i]) }
		b := &bench{unit: u, ours: join(m.subject.of(u, base), of(generated), of(fuzzing), of(skeletons)), theirs: join(m.subject.of(u, base), of(people))}
		if err := m.baseline(ctx, b, join(m.subject.of(u, base), of(generated), of(fuzzing))); err != nil {
			return nil, fmt.Errorf("%s: %w", u.path, err)
		}
		out = append(out, b)
	}
	return out, nil
}

// baseline builds the suites of a package without a mutant, and runs each. Where skeletons do not build, they are left out.
func (m *measurement) baseline(ctx context.Context, b *bench, withoutSkeletons layer) error {
	ours, theirs := filepath.Join(m.subject.dir, "ours.test"), filepath.Join(m.subject.dir, "theirs.test")
	_, ok, err := m.subject.build(ctx, b.unit, b.ours, ours, "-cover", "-covermode=set")
	if err == nil && !ok {
		m.result.skeletonsUnbuilt = append(m.result.skeletonsUnbuilt, path.Base(b.path))
		b.ours = withoutSkeletons
		err = m.subject.mustBuild(ctx, b.unit, b.ours, ours, "-cover", "-covermode=set")
	}
	if err == nil {
		err = m.subject.mustBuild(ctx, b.unit, b.theirs, theirs, "-cover", "-covermode=set")
	}
	if err != nil {
		return err
	}
	for i := range suites {
		binary := ours
		if i == people {
			binary = theirs
		}
		if err := m.try(ctx, b, i, binary); err != nil {
			return err
		}
	}
	return nil
}

// longest is how long the tests of a package may take as the library is.
const longest = 2 * time.Minute

// try runs a suite as the library is, and counts what it reaches.
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

// args are those that have a binary run the tests of a suite.
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
