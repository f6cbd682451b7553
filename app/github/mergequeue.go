package github

import (
	"fmt"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var queued = lazyregexp.New(`^(?:refs/heads/)?gh-readonly-queue/(?:(.+)/pr-[^/]+)?`)

// IsQueued reports whether a branch, with or without refs/heads/, belongs to a merge queue. Such a branch takes no
// commits.
func IsQueued(branch string) bool { return queued.MatchString(branch) }

// QueuedFor returns the base branch of a merge queue branch, or "" for any other branch.
func QueuedFor(branch string) string {
	if m := queued.FindStringSubmatch(branch); m != nil {
		return m[1]
	}
	return ""
}

func errQueued(branch string) error {
	return fmt.Errorf("%w: %s belongs to a merge queue, which takes no commits", ErrRefused, branch)
}
