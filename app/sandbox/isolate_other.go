//go:build !linux

package sandbox

import "github.com/causaldocs/causal/app/confine"

var isolate = confine.Isolate
