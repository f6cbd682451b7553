package queue

import (
	"context"
	"fmt"
)

// restore finds the lanes that a request may unblock: the rules of a branch changed, or an installation is back. It
// also moves repositories to the installation of the delivery.
func (q *Queue) restore(ctx context.Context, tx tx, r *request) (err error) {
	r.restored = nil
	switch {
	case r.delivery == nil: // a sweep that finds a moved branch has no delivery
		for _, s := range r.subjects {
			blocked, err := q.subjects(ctx, tx, "blocked = $1", s.Key())
			if err != nil {
				return err
			}
			r.restored = append(r.restored, blocked...)
		}
		return nil
	case r.delivery.Mends != "":
		// A run that read the old rules may be blocked after this.
		err = q.db.exec(ctx, tx, "UPDATE causal_lanes SET mended = mended || $1 WHERE repository = $2 AND holder <> ''", " "+r.delivery.Mends, r.delivery.Repository)
		if err != nil {
			return fmt.Errorf("tell runs of %s: %w", r.delivery.Mends, err)
		}
		r.restored, err = q.subjects(ctx, tx, "blocked = $1", r.delivery.Mends)
		return err
	case !r.delivery.Restores:
		return nil
	}
	for _, s := range r.subjects {
		err := q.db.exec(ctx, tx, "UPDATE causal_lanes SET installation = $1 WHERE repository = $2 AND installation <> $1", s.Installation, s.Repository)
		if err != nil {
			return fmt.Errorf("take over repository %d: %w", s.Repository, err)
		}
	}
	r.restored, err = q.subjects(ctx, tx, "installation = $1 AND (parked OR dead_id IS NOT NULL)", r.delivery.Installation)
	return err
}

func (q *Queue) subjects(ctx context.Context, in statements, where string, args ...any) ([]Subject, error) {
	statement := q.db.q("SELECT " + subjectColumns + " FROM causal_lanes WHERE " + where + " ORDER BY lane")
	return query(ctx, in, "look up lanes", statement, func(scan func(...any) error) (s Subject, err error) {
		err = scan(s.columns()...)
		return s, err
	}, args...)
}

// Wake retries everything parked for an installation, because it works again.
func (q *Queue) Wake(ctx context.Context, installation int64) error {
	parked, err := q.subjects(ctx, q.db.reader, "installation = $1 AND parked", installation)
	if err != nil || len(parked) == 0 {
		return err
	}
	return q.askAll(ctx, "back", parked)
}

// RestartAll requeues all dead jobs and returns their number.
func (q *Queue) RestartAll(ctx context.Context) (int, error) {
	dead, err := q.subjects(ctx, q.db.reader, "dead_id IS NOT NULL")
	if err != nil {
		return 0, err
	}
	return len(dead), q.askAll(ctx, "restart", dead)
}

// askAll asks for many subjects in small transactions, so deliveries do not wait long.
func (q *Queue) askAll(ctx context.Context, cause string, subjects []Subject) error {
	const together = 50
	for len(subjects) > 0 {
		n := min(together, len(subjects))
		if err := q.door.submit(ctx, &request{cause: cause, subjects: subjects[:n]}).err; err != nil {
			return fmt.Errorf("ask for what %s wants: %w", cause, err)
		}
		subjects = subjects[n:]
	}
	return nil
}
