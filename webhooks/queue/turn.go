package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
)

// UnknownFork is the Fork of a pull request from a deleted or unknown fork.
const UnknownFork int64 = math.MaxInt64

// Work is done in turns: a repository has one worker at a time for its own branches and pull requests, and one for
// those of each fork. So one repository cannot occupy all workers, and forks cannot delay a repository's own work.
//
// The class is the priority across turns: default branches, then other branches and own pull requests, then forks,
// which always leave one worker to the others. Requests of sweeps use the next class. Jobs that have waited long go
// first, so no class starves.
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

func (s Subject) turn() string { return fmt.Sprintf("%d/%d", s.Repository, s.Fork) }

const subjectColumns = "installation, repository, owner, name, ref, pull, fork, side"

func (s *Subject) columns() []any {
	return []any{&s.Installation, &s.Repository, &s.Owner, &s.Name, &s.Ref, &s.Pull, &s.Fork, &s.Side}
}

// priority returns River's priority of a class. The highest, firstPriority, is for jobs that have waited long.
func priority(class int) int { return class + 1 }

const firstPriority = 1

// passOn makes the lane available that has waited longest for the turn.
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
