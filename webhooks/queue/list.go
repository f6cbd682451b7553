package queue

import (
	"context"
	"fmt"
)

// Totals is a summary of some repositories.
type Totals struct {
	Stats

	Runs         int // stored runs
	Repositories int // repositories with stored runs
}

// Totals counts the jobs and runs of some repositories.
func (q *Queue) Totals(ctx context.Context, s Scope) (Totals, error) {
	stats, err := q.stats(ctx, s)
	if err != nil {
		return Totals{}, err
	}
	out := Totals{Stats: stats}
	var t terms
	t.scope(s)
	err = q.db.reader.QueryRowContext(ctx, q.db.q("SELECT count(*), count(DISTINCT repository) FROM causal_runs"+t.where()), t.args...).
		Scan(&out.Runs, &out.Repositories)
	if err != nil {
		return Totals{}, fmt.Errorf("count runs: %w", err)
	}
	return out, nil
}

// Last returns the last run of each lane, newest first, without details, and at most most runs of each repository. Runs
// that only resolved a branch or pull request are left out.
func (q *Queue) Last(ctx context.Context, repositories []int64, most int) ([]RunRow, error) {
	return q.runs(ctx, fmt.Sprintf(`SELECT %s FROM causal_runs WHERE id IN (SELECT id FROM
		(SELECT max(id) AS id, row_number() OVER (PARTITION BY repository ORDER BY max(id) DESC) AS place
			FROM causal_runs WHERE repository IN (%s) AND (pull <> 0 OR ref LIKE 'refs/heads/%%') GROUP BY repository, lane) AS lanes
		WHERE place <= %d) ORDER BY id DESC`, briefColumns, numbers(repositories), most))
}

// Repositories returns the repositories with stored runs, with the names of their last run. Only the repository fields
// are set.
func (q *Queue) Repositories(ctx context.Context, s Scope) ([]Subject, error) {
	var t terms
	t.scope(s)
	return query(ctx, q.db.reader, "list repositories", q.db.q(`SELECT installation, repository, owner, name FROM causal_runs WHERE id IN
		(SELECT max(id) FROM causal_runs`+t.where()+` GROUP BY repository) ORDER BY repository`), func(scan func(...any) error) (out Subject, err error) {
		err = scan(&out.Installation, &out.Repository, &out.Owner, &out.Name)
		return out, err
	}, t.args...)
}

func (q *Queue) runs(ctx context.Context, statement string, args ...any) ([]RunRow, error) {
	return query(ctx, q.db.reader, "list runs", q.db.q(statement), scanRun, args...)
}

// query reads all rows of a statement. Errors begin with the text what.
func query[T any](ctx context.Context, in statements, what, statement string, read func(scan func(...any) error) (T, error), args ...any) ([]T, error) {
	rows, err := in.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		one, err := read(rows.Scan)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", what, err)
		}
		out = append(out, one)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return out, nil
}
