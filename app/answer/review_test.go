package answer

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/review/finding"
)

func TestSkipped(t *testing.T) {
	t.Parallel()
	file := func(name, why string) finding.Skipped { return finding.Skipped{Path: name, Reason: why} }
	for want, list := range map[string][]finding.Skipped{
		"not analysed: a.go line 1: no name\n":                                            {file("a.go", "line 1: no name")},
		"not analysed: 2 files (is binary): a.ttf, c.ttf\nnot analysed: b.go is a link\n": {file("a.ttf", "is binary"), file("b.go", "is a link"), file("c.ttf", "is binary")},
		"not analysed: 5 files (is binary): a.ttf, b.ttf, c.ttf and 2 more\n": {
			file("a.ttf", "is binary"), file("b.ttf", "is binary"), file("c.ttf", "is binary"), file("d.ttf", "is binary"), file("e.ttf", "is binary"),
		},
	} {
		var b strings.Builder
		if skipped(&b, list); b.String() != want {
			t.Errorf("%v: %s", list, b.String())
		}
	}
}
