package sourcetest

import (
	"errors"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/token"
)

// Hostile reads a text that is made to be bad. It must be read, or be refused for what it takes: then false is returned.
// That both happen in proportion to its length is what the count of steps sees to.
func Hostile(t testing.TB, l source.Language, path string, src []byte) (source.File, bool) {
	t.Helper()
	f, err := source.Extract(t.Context(), l, path, src)
	if err != nil && !errors.Is(err, token.ErrInvolved) {
		t.Errorf("%.40q: %v", src, err)
	}
	return f, err == nil
}
