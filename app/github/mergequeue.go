package github

import (
	"fmt"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// queued matches a branch that a merge queue makes to test a group of pull requests before they are merged into the base.
var queued = lazyregexp.New(`^(?:refs/heads/)?gh-readonly-queue/(?:(.+)/pr-[^/]+)?`)

// IsQueued reports whether a branch, with or without refs/heads/, belongs to a merge queue. Nothing may be published to it.
func IsQueued(branch string) bool { return queued.MatchString(branch) }

// QueuedFor returns the branch that a merge queue's branch will be merged into; empty if branch is not a merge queue's.
func QueuedFor(branch string) string {
	if m := queued.FindStringSubmatch(branch); m != nil {
		return m[1]
	}
	return ""
}

func errQueued(branch string) error {
	return fmt.Errorf("%w: %s belongs to a merge queue, which takes no commits", ErrRefused, branch)
}
