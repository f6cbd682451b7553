package main

import (
	"fmt"
	"strings"
	"sync"
)

// foundBy is the smallest amount of knowledge that detects a change.
type foundBy int

const (
	byFiles foundBy = iota
	byHistory
	byCopy
	byNobody
)

// tally counts changes by result.
type tally struct {
	mu    sync.Mutex
	found map[string]*row
}

type row struct {
	change
	n, named int
	by       [byNobody + 1]int
}

func (t *tally) add(c change, by foundBy, named bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.found[c.name]
	if r == nil {
		if t.found == nil {
			t.found = map[string]*row{}
		}
		r = &row{change: c}
		t.found[c.name] = r
	}
	r.n++
	r.by[by]++
	if named {
		r.named++
	}
}

// holds reports whether each change was found and named, and nothing honest was.
func (r *row) holds() bool {
	if r.honest {
		return r.by[byNobody] == r.n
	}
	return r.by[byNobody] == 0 && r.named == r.n
}

func (t *tally) holds() bool {
	for _, r := range t.found {
		if !r.holds() {
			return false
		}
	}
	return true
}

func (t *tally) text() string {
	var b strings.Builder
	b.WriteString("| Change | Times | Found by the files | by git's history | by a checkpoint kept elsewhere | Not found | Named |\n|---|---|---|---|---|---|---|\n")
	var sum row
	for _, c := range append(append([]change{}, changes...), cloneChanges()...) {
		r := t.found[c.name]
		if r == nil {
			continue
		}
		name := r.name
		if r.honest {
			name = "honest: " + name
		} else {
			sum.n, sum.named = sum.n+r.n, sum.named+r.named
			for i, n := range r.by {
				sum.by[i] += n
			}
		}
		b.WriteString(r.line(name))
	}
	b.WriteString(sum.line("all manipulations"))
	return b.String()
}

func (r *row) line(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d |\n", name, r.n, r.by[byFiles], r.by[byHistory], r.by[byCopy], r.by[byNobody], r.named)
}
