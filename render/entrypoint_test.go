package render

import (
	"testing"
)

func TestModuleOfEntryPoint(t *testing.T) {
	t.Parallel()
	modules := []string{".", "src/pkg", "src/pkg/sub", "tests/pkg/sub/more"}
	for target, want := range map[string]string{
		"pkg:main": "src/pkg", "pkg.sub.file:f": "src/pkg/sub", "pkg.file": "src/pkg", "other.x:y": "", "": "", ":x": "",
	} {
		if got := moduleOfTarget(modules, target); got != want {
			t.Errorf("%q: got %q, want %q", target, got, want)
		}
	}
}
