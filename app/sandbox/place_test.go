package sandbox

import (
	"testing"
	"time"
)

// TestSlowest goes through a run: what is told next is what is new, and there is nothing to tell before the first stage.
func TestSlowest(t *testing.T) {
	t.Parallel()
	start := time.Now()
	p := &place{files: map[string]time.Time{}}
	for i, step := range []struct {
		do   func()
		what string
		news bool
	}{
		{func() {}, "", false},
		{func() { p.files["web/a.js"] = start }, "in web/a.js", true},
		{func() { p.files["web/b.js"] = start.Add(-time.Second) }, "in web/b.js", true},
		{func() { p.files["new.js"] = start.Add(time.Hour) }, "in web/b.js", false},
		{func() { clear(p.files) }, "", false},
		{func() { p.progress("concluding", 3, 9) }, "while concluding 3 of 9", true},
		{func() { p.progress("concluding", 3, 9) }, "while concluding 3 of 9", false},
		{func() { p.progress("writing", 0, 0) }, "while writing", true},
		{func() { p.files["c.js"] = start.Add(slow / 2) }, "while writing", false},
	} {
		step.do()
		if what, news := p.slowest(start.Add(slow + time.Millisecond)); what != step.what || news != step.news {
			t.Errorf("step %d: %q, %t; want %q, %t", i, what, news, step.what, step.news)
		}
	}
}
