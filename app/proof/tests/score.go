package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"sync"
)

// verdict is what became of one mutant.
type verdict struct {
	mutant
	builds bool
	killed [suites]bool
}

// atOnce is how many mutants are built and run at one time.
const atOnce = 2

// score draws mutants until so many of them build, and has each suite look at each.
func (m *measurement) score(ctx context.Context, benches []*bench, want int) error {
	var all []mutant
	of := map[string]*bench{}
	for _, b := range benches {
		for _, file := range b.files {
			src, err := os.ReadFile(m.subject.at(file))
			if err != nil {
				return err
			}
			list, err := mutants(file, src)
			if err != nil {
				return fmt.Errorf("look for mutants: %w", err)
			}
			all, of[file] = append(all, list...), b
		}
	}
	m.result.possible = len(all)
	for left := shuffled(all, m.options.seed); len(left) > 0 && len(m.result.verdicts) < want; {
		batch := left[:min(len(left), want-len(m.result.verdicts))]
		left = left[len(batch):]
		verdicts := make([]verdict, len(batch))
		if err := m.judgeAll(ctx, of, batch, verdicts); err != nil {
			return err
		}
		for _, v := range verdicts {
			if v.builds {
				m.result.verdicts = append(m.result.verdicts, v)
			}
		}
	}
	return nil
}

// judgeAll judges some mutants, a few at a time.
func (m *measurement) judgeAll(ctx context.Context, of map[string]*bench, batch []mutant, into []verdict) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var workers sync.WaitGroup
	for worker := range atOnce {
		workers.Go(func() {
			for i := range next {
				var err error
				if into[i], err = m.judge(ctx, of[batch[i].file], batch[i], worker); err != nil {
					stop(err)
				}
			}
		})
	}
	for i := range batch {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	return context.Cause(ctx)
}

// judge builds the suites of a package with a mutant in it, and runs each that holds without. Whatever fails has noticed it, what does not
// end within the time as well.
func (m *measurement) judge(ctx context.Context, b *bench, one mutant, worker int) (v verdict, err error) {
	v.mutant = one
	src, err := os.ReadFile(m.subject.at(one.file))
	if err != nil {
		return v, err
	}
	name := filepath.Join(m.subject.dir, "worker-"+strconv.Itoa(worker))
	file := name + "-" + path.Base(one.file)
	if err := os.WriteFile(file, one.apply(src), 0o600); err != nil {
		return v, err
	}
	mistaken := layer{m.subject.at(one.file): file}
	ours, theirs := name+"-ours.test", name+"-theirs.test"
	for binary, l := range map[string]layer{ours: b.ours, theirs: b.theirs} {
		if _, ok, err := m.subject.build(ctx, b.unit, join(l, mistaken), binary); err != nil || !ok {
			return v, err
		}
	}
	v.builds = true
	for suite := range suites {
		if !b.usable[suite] {
			continue
		}
		binary := ours
		if suite == people {
			binary = theirs
		}
		_, ok, err := m.subject.test(ctx, b.unit, how(suite), binary, b.limit[suite], append(b.args(suite), "-test.failfast")...)
		if err != nil {
			return v, err
		}
		v.killed[suite] = !ok
	}
	return v, nil
}
