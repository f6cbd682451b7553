package manual

import (
	"strings"
	"testing"
)

// TestDeepSamples: the paths of keys are bounded, however deep a sample is.
func TestDeepSamples(t *testing.T) {
	t.Parallel()
	const depth = 500
	var nested []string
	for i := range depth {
		nested = append(nested, strings.Repeat(" ", i)+"a:")
	}
	below := append([]string{"[" + strings.Repeat("a.", depth) + "a]"}, strings.Split(strings.Repeat("b = 1\n", depth), "\n")...)
	for name, lines := range map[string][]string{"nested keys": nested, "a deep section": below} {
		f := &finder{names: map[string]bool{"b": true}, found: map[string]Passage{}, sample: true}
		f.sampled(lines)
		f.samples()
		most := 0
		for _, e := range f.blocks[0].entries {
			most = max(most, len(e.path))
		}
		if most > deepestKey+2 || len(f.blocks[0].entries) < depth || len(f.found) > 0 {
			t.Errorf("%s: a path has %d keys, found %v", name, most, f.found)
		}
	}
}
