package cli

import (
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
)

const mostSpecs = 10

func addTests(b *strings.Builder, t *report.Tests, written string) {
	if t == nil {
		return
	}
	for i, f := range t.Invalidated {
		if i == mostSpecs {
			plain.Add(b, "  … and %d more\n", len(t.Invalidated)-i)
			break
		}
		if changed := t.Changed(f.Spec); len(changed) > 0 {
			plain.Add(b, "  %-30s behaviour changed: %s; fix the code, or run: causal testgen --accept %s#%s\n", f.Spec, changed[0], f.Spec, changed[0].Case)
			continue
		}
		plain.Add(b, "  %-30s invalidated: %s; run: causal testgen --verify\n", f.Spec, f)
	}
	if n := specFiles(t); n > 0 {
		plain.Add(b, "%s of specs and their tests %s\n", summary.Count(n, "file"), written)
	}
}

func specFiles(t *report.Tests) int {
	if t == nil {
		return 0
	}
	return len(t.FilesWritten) + len(t.FilesRemoved)
}
