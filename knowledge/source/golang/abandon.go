package golang

import (
	"context"

	"github.com/causaldocs/causal/knowledge/source"
)

// longFile is the size in bytes from which a run does not wait for the end of parsing: go/parser cannot be cancelled,
// and takes some milliseconds for a shorter file.
const longFile = 128 << 10

// abandonable calls read and returns early when ctx ends, discarding the result. read continues in the background, for
// a time linear in the size of the file.
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
			panic(r.failed) // in this goroutine, where it fails one file and not the program
		}
		return r.file
	case <-ctx.Done():
		return source.File{}
	}
}
