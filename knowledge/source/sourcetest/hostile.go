package sourcetest

import (
	"errors"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/token"
)

// Hostile reads a hostile text. The reader must accept it, or refuse it because of the step limit: then it returns
// false. The step limit ensures linear time.
func Hostile(t testing.TB, l source.Language, path string, src []byte) (source.File, bool) {
	t.Helper()
	f, err := source.Extract(t.Context(), l, path, src)
	if err != nil && !errors.Is(err, token.ErrInvolved) {
		t.Errorf("%.40q: %v", src, err)
	}
	return f, err == nil
}
