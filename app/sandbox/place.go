package sandbox

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// place is what a child is at, for whoever has to say where it was stopped.
type place struct {
	mu    sync.Mutex
	files map[string]time.Time // that are being read, since when
	stage string
	told  string
}

// Something that goes on for longer than slow is worth telling, and looked for every so often.
const (
	slow      = 300 * time.Millisecond
	lookEvery = 200 * time.Millisecond
)

// tellPlace tells the parent what the child is at, where that takes longer than usual, until the context ends.
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
					// A parent that is gone is noticed where it is needed.
					_ = parent.tell(message{At: what})
				}
			}
		}
	}()
	return p
}

// reading notes that a file is being read, until the function is called that it returns.
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

// slowest returns what takes longest, as a part of a sentence, and whether there is something new to tell: a file that is being read
// or, where none takes long, the stage. Before the first stage there may be neither.
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
