package main

import (
	"context"
	"io"

	"github.com/causaldocs/causal/app/proof/clones"
)

func replay(ctx context.Context, w *clones.Workshop, repository string, n int, out, talk io.Writer) (bool, error) {
	return false, nil
}
