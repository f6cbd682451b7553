package golang

import (
	"slices"
	"strings"
	"testing"
)

// TestPackagedTexts: what the documentation of a package shows is tried where text is read, and values come from their constructor.
func TestPackagedTexts(t *testing.T) {
	t.Parallel()
	m := files{
		"p/p.go": `// Package p reads ranges. "~1.2.3" is one and "~4.5.6" is another, "Range" is its name.
package p

import "errors"

// Range holds versions.
type Range struct {
	Loose bool
	parts []string
}

// Read reads one.
func Read(s string) (*Range, error) { return &Range{parts: []string{s}}, nil }

// Has reports whether a version is in it.
func (r Range) Has(v string) bool { return len(r.parts) > len(v) }

// Check fails where nothing can be read.
func Check(s string) error { return errors.New(s) }

// Trim cuts.
func Trim(s string) string { return s }

// Options are what can be set alone.
type Options struct{ Loose bool }

// NewOptions makes some.
func NewOptions() *Options { return &Options{} }

// On reports whether one is set.
func (o Options) On() bool { return o.Loose }
`,
		"p/README.md": "`1.0 - 2.0` is from one to the other, `>= 1.0` what is behind. See `p.Range` and `docs/a/b.md`.\n",
	}
	for symbol, want := range map[string][]string{
		"Read":  {`{string: "~1.2.3"} the documentation of the package names it`, `{string: "1.0 - 2.0"} the README names it`, `{string: ">= 1.0"} the README names it`},
		"Check": {`{string: "~1.2.3"} the documentation of the package names it`},
		"Trim":  {},
	} {
		got := shown(plan(t, m, symbol).Candidates)
		for _, one := range want {
			if !slices.Contains(got, one) {
				t.Errorf("%s: %s is not tried, of\n%s", symbol, one, strings.Join(got, "\n"))
			}
		}
		for _, one := range got {
			if strings.Contains(one, "4.5.6") || strings.Contains(one, "docs/a") || strings.Contains(one, `"Range"`) || len(want) == 0 && strings.Contains(one, "names it") {
				t.Errorf("%s: %s is tried", symbol, one)
			}
		}
	}
	has := shown(plan(t, m, "Range.Has").Candidates)
	if !strings.Contains(strings.Join(has, "\n"), `args: [{string: "~1.2.3"}]`) {
		t.Errorf("no range of the documentation is tried, of\n%s", strings.Join(has, "\n"))
	}
	for _, one := range has {
		if !strings.HasPrefix(one, `{"*Range": {call: "Read"`) {
			t.Errorf("%s is tried, which no caller has", one)
		}
	}
	for _, one := range shown(plan(t, m, "Options.On").Candidates) {
		if !strings.HasPrefix(one, "{Options: {") {
			t.Errorf("%s is tried where the value can be written down", one)
		}
	}
}
