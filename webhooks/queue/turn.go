package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
)

// UnknownFork is the fork of a pull request whose fork was deleted.
const UnknownFork int64 = math.MaxInt64

// Work is done by turns: a repository has one worker at a time for its own branches and pull requests, and each of its forks one
// for those that come from there. So nobody can have all workers by pushing to many branches, and nobody outside can hold up
// what a repository does itself.
//
// Who has no turn to wait for is taken by class: default branches first, then other branches and pull requests of the
// repository, then those of forks, which leave one worker to the others in any case. What a sweep asks for goes with the next class,
// until somebody else asks for it. What has waited for long is taken before all of them, so that a class that is always busy does
// not starve the next.
const (
	classDefault = iota + 1
	classOther
	classFork
)

func (s Subject) class() int {
	switch {
	case s.Fork != 0:
		return classFork
	case s.Pull != 0 || s.Side:
		return classOther
	}
	return classDefault
}

// turn names what has one worker at a time.
func (s Subject) turn() string { return fmt.Sprintf("%d/%d", s.Repository, s.Fork) }

// subjectColumns are those of a lane that make a Subject.
const subjectColumns = "installation, repository, owner, name, ref, pull, fork, side"

func (s *Subject) columns() []any {
	return []any{&s.Installation, &s.Repository, &s.Owner, &s.Name, &s.Ref, &s.Pull, &s.Fork, &s.Side}
}

// priority is River's for a class. The first is for what has waited for long.
func priority(class int) int { return class + 1 }

const firstPriority = 1

// passOn lets the lane run that has waited longest for the turn which has ended.
func (q *Queue) passOn(ctx context.Context, tx tx, s Subject) error {
	var job int64
	err := tx.QueryRowContext(ctx, q.db.q(`SELECT job_id FROM causal_lanes
		WHERE repository = $1 AND fork = $2 AND lane <> $3 AND holder = '' AND job_id IS NOT NULL AND due <= {now}
		ORDER BY class, since, lane LIMIT 1`), s.Repository, s.Fork, s.Key()).Scan(&job)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look whose turn is after %s: %w", s.Key(), err)
	}
	return tx.retry(ctx, job)
}
