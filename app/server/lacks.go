package server

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/causaldocs/causal/app/github"
)

// lacks caches the missing permissions of installations: each pull request asks, and owners take days to accept.
type lacks struct {
	ask func(ctx context.Context, installation int64, want github.Setup) (github.Lack, error)
	now func() time.Time

	mu    sync.Mutex
	known map[string]known
}

type known struct {
	lack github.Lack
	at   time.Time
}

// lackFor is how long an answer is cached, and mostLacks limits the cache.
const (
	lackFor   = 10 * time.Minute
	mostLacks = 10_000
)

func (l *lacks) of(ctx context.Context, installation int64, want github.Setup) (github.Lack, error) {
	key := fmt.Sprint(installation, want)
	l.mu.Lock()
	k, ok := l.known[key]
	l.mu.Unlock()
	if ok && l.now().Sub(k.at) < lackFor && !k.at.After(l.now()) {
		return k.lack, nil
	}
	lack, err := l.ask(ctx, installation, want)
	if err != nil {
		return github.Lack{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known == nil || len(l.known) >= mostLacks {
		l.known = map[string]known{}
	}
	l.known[key] = known{lack, l.now()}
	return lack, nil
}
