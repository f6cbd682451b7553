//go:build !linux

package checkout

import "context"

// peak is told by Linux alone.
func peak(context.Context, int) int64 { return 0 }
