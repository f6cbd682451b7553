package gitstore

import (
	"slices"
	"sync"
)

// mostAnswered bounds the items of answers: about 30 MB of tree entries.
const mostAnswered = 200_000

// answers caches results for full object ids, which are immutable: a job asks for the same few trees and differences
// repeatedly. It serves following mirrors, which live as long as a job.
type answers[T any] struct {
	mu    sync.Mutex
	known map[string][]T
	items int
}

// of returns a copy of the answer, which the caller may change.
func (a *answers[T]) of(question string, ask func() ([]T, error)) ([]T, error) {
	a.mu.Lock()
	answer, ok := a.known[question]
	a.mu.Unlock()
	if !ok {
		var err error
		if answer, err = ask(); err != nil {
			return nil, err
		}
		a.keep(question, answer)
	}
	return slices.Clone(answer), nil
}

func (a *answers[T]) keep(question string, answer []T) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(answer) > mostAnswered {
		return
	}
	if a.items+len(answer) > mostAnswered || a.known == nil {
		a.known, a.items = map[string][]T{}, 0
	}
	a.known[question] = answer
	a.items += len(answer)
}
