package golang

import (
	"context"

	"github.com/causaldocs/causal/knowledge/source"
)

// longFile is from which size on a file is read so that a run need not wait for its end: the parser of Go's own library
// cannot be stopped, and takes some milliseconds for a shorter one.
const longFile = 128 << 10

// abandonable calls read and returns early when ctx ends: what read returns is for nobody then. It reads on for the time
// that the rest of the file takes, which is in proportion to the file.
func abandonable(ctx context.Context, read func() source.File) source.File {
	type result struct {
		file   source.File
		failed any
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			r.failed = recover()
			done <- r
		}()
		r.file = read()
	}()
	select {
	case r := <-done:
		if r.failed != nil {
			panic(r.failed) // here, where it costs the file and not the program
		}
		return r.file
	case <-ctx.Done():
		return source.File{}
	}
}
