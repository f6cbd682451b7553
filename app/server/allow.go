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

// allowList are the owners, and the repositories as "owner/name", that a server works for. An empty one allows all.
type allowList []string

// entryForm is how GitHub spells an owner, or a repository with its owner.
var entryForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(/[A-Za-z0-9._-]{1,100})?$`)
})

// CheckAllow refuses what is no owner and no repository: a list with a slip of the pen would shut people out.
func CheckAllow(list []string) error {
	for _, entry := range list {
		if !entryForm().MatchString(entry) {
			return fmt.Errorf("%q is neither an owner, such as octo, nor a repository, such as octo/shop", entry)
		}
	}
	return nil
}

// allows is what the door, the queue and the sweeper ask; the pages ask the same of the database. A repository that is renamed or
// moved is asked for under its new name.
func (l allowList) allows(owner, name string) bool {
	return queue.Scope{Names: l}.Includes(queue.Subject{Owner: owner, Name: name})
}

// only has a handler work for those repositories that are allowed: a list may have become shorter since a job was asked for.
func (l allowList) only(h queue.Handler) queue.Handler {
	return queue.HandlerFunc(func(ctx context.Context, j queue.Job) (queue.Outcome, error) {
		if !l.allows(j.Owner, j.Name) {
			return queue.Outcome{Conclusion: bot.Skipped, Title: webhooks.NotAllowed}, nil
		}
		return h.Handle(ctx, j)
	})
}
