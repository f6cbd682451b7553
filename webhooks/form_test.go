package webhooks

import (
	"bytes"
	"io"
	"testing"
)

// TestBadFormsHoldNothing: whoever has no secret can have any number of problems in a form, and none takes room but the first.
func TestBadFormsHoldNothing(t *testing.T) {
	for name, one := range map[string]string{"payloads": "payload=&", "escapes": "payload=%zz&", "open escapes": "payload=%&"} {
		f, piece := &form{next: io.Discard}, bytes.Repeat([]byte(one), chunk/len(one))
		_, _ = f.Write(piece)
		if n := testing.AllocsPerRun(10, func() { _, _ = f.Write(piece) }); n >= 1 {
			t.Errorf("%s: a piece of the form makes %v allocations", name, n)
		}
		if f.end() == nil {
			t.Errorf("%s: the form passes", name)
		}
	}
}
