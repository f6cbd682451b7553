package model

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"
)

// Quota bounds the daily tokens of each of several subjects. Each subject's count is in a file, which survives a
// restart.
type Quota struct {
	Tokens int // per day and subject
	Now    func() time.Time

	mu sync.Mutex
}

// Left returns the remaining tokens of today for a subject's file.
func (q *Quota) Left(file string) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return max(q.Tokens-q.used(file), 0)
}

// Use counts tokens in a subject's file.
func (q *Quota) Use(file string, tokens int) error {
	if tokens == 0 {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := os.WriteFile(file, fmt.Appendf(nil, "%s %d\n", q.today(), q.used(file)+tokens), 0o600); err != nil {
		return fmt.Errorf("count the tokens of a model: %w", err)
	}
	return nil
}

func (q *Quota) today() string { return q.Now().UTC().Format(time.DateOnly) }

// used returns today's count. An unreadable file counts as the whole quota.
func (q *Quota) used(file string) int {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	var day string
	var n int
	if err == nil {
		_, err = fmt.Sscanf(string(data), "%s %d", &day, &n)
	}
	switch {
	case err != nil:
		return q.Tokens
	case day != q.today():
		return 0
	}
	return n
}
