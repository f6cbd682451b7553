package server

import (
	"context"
	"fmt"
	"regexp"
	"sync"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

// allowList has the owners, and repositories as "owner/name", that the server accepts. An empty list allows all.
type allowList []string

// entryForm matches an owner, or a repository with its owner.
var entryForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(/[A-Za-z0-9._-]{1,100})?$`)
})

// CheckAllow checks that each entry is an owner or a repository, because a typo would lock users out.
func CheckAllow(list []string) error {
	for _, entry := range list {
		if !entryForm().MatchString(entry) {
			return fmt.Errorf("%q is neither an owner, such as octo, nor a repository, such as octo/shop", entry)
		}
	}
	return nil
}

// allows is the filter of webhooks, jobs and sweeps. Pages filter in the database. A renamed repository counts under
// its new name.
func (l allowList) allows(owner, name string) bool {
	return queue.Scope{Names: l}.Includes(queue.Subject{Owner: owner, Name: name})
}

// only skips jobs of repositories that are not allowed, because the list may have changed since a job was queued.
func (l allowList) only(h queue.Handler) queue.Handler {
	return queue.HandlerFunc(func(ctx context.Context, j queue.Job) (queue.Outcome, error) {
		if !l.allows(j.Owner, j.Name) {
			return queue.Outcome{Conclusion: bot.Skipped, Title: webhooks.NotAllowed}, nil
		}
		return h.Handle(ctx, j)
	})
}
