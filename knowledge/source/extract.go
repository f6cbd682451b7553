package source

import (
	"cmp"
	"context"
	"fmt"
	"slices"

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
	f = l.Extract(ctx, path, src)
	f.limit()
	return f, ctx.Err()
}

// MostSymbols is how many declarations of one file are read. Readers that may find many more stop there themselves.
const MostSymbols = 20000

// TooManySymbols is the problem of a file that declares more.
var TooManySymbols = fmt.Sprintf("there are more than %d declarations, and the rest is not read", MostSymbols)

func (f *File) limit() {
	if len(f.Symbols) <= MostSymbols {
		return
	}
	line := f.Symbols[MostSymbols].Line
	f.Symbols = slices.Clone(f.Symbols[:MostSymbols]) // the rest need not stay in memory
	f.Problem = cmp.Or(f.Problem, fmt.Sprintf("line %d: %s", line, TooManySymbols))
}

func stopOf(l Language, recovered any) error {
	if err := token.Stopped(recovered); err != nil {
		return err
	}
	return fmt.Errorf("the %s reader failed: %v", l.Name(), recovered)
}
