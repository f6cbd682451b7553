package lazyregexp

import "testing"

func TestWhatIsNoPatternIsFoundInTests(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a pattern that is none is taken")
		}
	}()
	New("(")
}
