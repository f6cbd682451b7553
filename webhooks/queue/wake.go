package queue

import (
	"context"
	"fmt"
)

// restore looks up the lanes whose obstacle may be gone: the rules of a branch have changed, or an installation is back for which lanes were
// parked or died. Its repositories that were known under another installation belong to this one now.
func (q *Queue) restore(ctx context.Context, tx tx, r *request) (err error) {
	r.restored = nil
	switch {
	case r.delivery == nil: // a sweep that finds a branch moved knows no delivery of that
		for _, s := range r.subjects {
			blocked, err := q.subjects(ctx, tx, "blocked = $1", s.Key())
			if err != nil {
				return err
			}
			r.restored = append(r.restored, blocked...)
		}
		return nil
	case r.delivery.Mends != "":
		// A run that has read the earlier rules may be refused only after this.
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

// subjects are those of the lanes for which a condition holds.
func (q *Queue) subjects(ctx context.Context, in statements, where string, args ...any) ([]Subject, error) {
	rows, err := in.QueryContext(ctx, q.db.q("SELECT "+subjectColumns+" FROM causal_lanes WHERE "+where+" ORDER BY lane"), args...)
	if err != nil {
		return nil, fmt.Errorf("look up lanes: %w", err)
	}
	defer rows.Close()
	var out []Subject
	for rows.Next() {
		var s Subject
		if err := rows.Scan(s.columns()...); err != nil {
			return nil, fmt.Errorf("look up lanes: %w", err)
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("look up lanes: %w", err)
	}
	return out, nil
}

// Wake has everything tried again that is parked for an installation: it works.
func (q *Queue) Wake(ctx context.Context, installation int64) error {
	parked, err := q.subjects(ctx, q.db.reader, "installation = $1 AND parked", installation)
	if err != nil || len(parked) == 0 {
		return err
	}
	return q.askAll(ctx, "back", parked)
}

// RestartAll puts all dead jobs back into the queue, and returns how many there were.
func (q *Queue) RestartAll(ctx context.Context) (int, error) {
	dead, err := q.subjects(ctx, q.db.reader, "dead_id IS NOT NULL")
	if err != nil {
		return 0, err
	}
	return len(dead), q.askAll(ctx, "restart", dead)
}

// askAll asks for many subjects, of which so many share a transaction that no delivery has to wait for long.
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
