package model

import (
	"io"
	"strings"
	"testing"
)

// TestBoundedOutput copies as os/exec does: io.Copy prefers a ReadFrom of the destination to Write.
func TestBoundedOutput(t *testing.T) {
	t.Parallel()
	for text, over := range map[string]bool{"": false, strings.Repeat("x", 100): false, strings.Repeat("x", 101): true} {
		b := &bounded{most: 100}
		_, err := io.Copy(b, io.LimitReader(strings.NewReader(text), 1000))
		if b.over != over || (err != nil) != over || len(b.String()) > 100 {
			t.Errorf("%d bytes: over %v, kept %d, %v", len(text), b.over, len(b.String()), err)
		}
	}
}
