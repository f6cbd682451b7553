package sandbox

import (
	"context"
	"fmt"
	"sync"
	"time"
)

type place struct {
	mu    sync.Mutex
	files map[string]time.Time // files being read, with the start time
	stage string
	told  string
}

// An operation slower than slow is reported. The check runs every lookEvery.
const (
	slow      = 300 * time.Millisecond
	lookEvery = 200 * time.Millisecond
)

func tellPlace(ctx context.Context, parent *asker) *place {
	p := &place{files: map[string]time.Time{}}
	go func() {
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-tick.C:
				if what, news := p.slowest(now); news {
					// A lost parent is noticed elsewhere.
					_ = parent.tell(message{At: what})
				}
			}
		}
	}()
	return p
}

// reading records that a file is being read, until the returned function is called.
func (p *place) reading(file string) (done func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files[file] = time.Now()
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.files, file)
	}
}

func (p *place) progress(what string, done, of int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stage = what
	if of > 0 {
		p.stage = fmt.Sprintf("%s %d of %d", what, done, of)
	}
}

// slowest returns the slowest operation as a phrase, and whether it is new: a file that is being read, or else the
// current stage. It may be empty before the first stage.
func (p *place) slowest(now time.Time) (what string, news bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stage != "" {
		what = "while " + p.stage
	}
	since := now.Add(-slow)
	for file, began := range p.files {
		if began.Before(since) {
			what, since = "in "+file, began
		}
	}
	news = what != "" && what != p.told
	if news {
		p.told = what
	}
	return what, news
}
