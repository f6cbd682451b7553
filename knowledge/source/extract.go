package source

import (
	"context"
	"fmt"

	"github.com/causaldocs/causal/knowledge/source/token"
)

// Extract has a language read a file. A file that cannot be read comes back as an error that says why: its reader has
// failed, or found it too involved. A run that is cancelled ends within milliseconds, with the error of its context.
//
// A panic of a reader is a fault of this program. It costs the file that shows it, and neither the run nor what else is
// known.
func Extract(ctx context.Context, l Language, path string, src []byte) (f File, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = File{}, stopOf(l, r)
		}
	}()
	return l.Extract(ctx, path, src), ctx.Err()
}

func stopOf(l Language, recovered any) error {
	if err := token.Stopped(recovered); err != nil {
		return err
	}
	return fmt.Errorf("the %s reader failed: %v", l.Name(), recovered)
}
