package source

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/causaldocs/causal/knowledge/source/token"
)

// Extract reads a file with a language's extractor. It returns an error if the extractor failed or exceeded its
// budget, and returns within milliseconds when ctx is canceled.
//
// A panic of an extractor is a bug in causal; it affects only the file at hand.
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

// MostSymbols is the maximum number of declarations read from one file. Extractors that may find many more stop there
// themselves.
const MostSymbols = 20000

// TooManySymbols is the Problem of a file with more than MostSymbols declarations.
var TooManySymbols = fmt.Sprintf("there are more than %d declarations, and the rest is not read", MostSymbols)

// MostFacts is the maximum number of facts of one file. Readers stop behind it.
const MostFacts = 20000

func (f *File) limit() {
	if len(f.Symbols) > MostSymbols {
		line := f.Symbols[MostSymbols].Line
		f.Symbols = slices.Clone(f.Symbols[:MostSymbols]) // frees the memory of the rest
		f.Problem = cmp.Or(f.Problem, fmt.Sprintf("line %d: %s", line, TooManySymbols))
	}
	if len(f.Facts) > MostFacts {
		f.Facts = slices.Clone(f.Facts[:MostFacts])
		f.Problem = cmp.Or(f.Problem, fmt.Sprintf("there are more than %d routes, variables, flags and the like, and the rest is not listed", MostFacts))
	}
}

func stopOf(l Language, recovered any) error {
	if err := token.Stopped(recovered); err != nil {
		return err
	}
	return fmt.Errorf("the %s reader failed: %v", l.Name(), recovered)
}
