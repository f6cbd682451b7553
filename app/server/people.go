package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"sync"
	"time"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/web"
)

const (
	// seen is how long a user's list of repositories is cached. A user who lost access sees a repository for that long.
	seen = time.Minute
	// mostSeen limits the cached users. Requests of others are not cached.
	mostSeen = 1000
)

type people struct {
	*github.People

	all *source
	now func() time.Time

	mu    sync.Mutex
	known map[[sha256.Size]byte]sight // by the SHA-256 of the token
}

type sight struct {
	github.Visible

	until time.Time
}

// newPeople returns nil if the App's credentials have no client secret.
func newPeople(c web.Credentials, all *source, o github.Options) (web.People, error) {
	if c.ClientID == "" || c.ClientSecret == "" {
		return nil, nil
	}
	from, err := github.NewPeople(c.ClientID, c.ClientSecret, o)
	if err != nil {
		return nil, err
	}
	return &people{People: from, all: all, now: o.Now, known: map[[sha256.Size]byte]sight{}}, nil
}

func (p *people) Source(ctx context.Context, token string) (web.Source, error) {
	visible, err := p.visible(ctx, token)
	switch {
	case errors.Is(err, github.ErrCredentials):
		return nil, web.ErrLoggedOut
	case err != nil:
		p.all.log.WarnContext(ctx, "GitHub does not list the repositories of a user", "error", github.Redact(err.Error()))
		return nil, web.ErrSilent
	}
	mine := *p.all
	// Not nil: nil means all repositories.
	mine.scope.Repositories, mine.pushes = append([]int64{}, visible.Reads...), append([]int64{}, visible.Pushes...)
	return &mine, nil
}

func (p *people) visible(ctx context.Context, token string) (github.Visible, error) {
	key := sha256.Sum256([]byte(token))
	p.mu.Lock()
	s, ok := p.known[key]
	p.mu.Unlock()
	if ok && p.now().Before(s.until) {
		return s.Visible, nil
	}
	asking, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	visible, err := p.Visible(asking, token)
	if err != nil {
		return github.Visible{}, cmp.Or(ctx.Err(), err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for other, s := range p.known {
		if !p.now().Before(s.until) {
			delete(p.known, other)
		}
	}
	if len(p.known) < mostSeen {
		p.known[key] = sight{visible, p.now().Add(seen)}
	}
	return visible, nil
}
