package queue

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/riverqueue/river"
)

const (
	// lookEvery is the interval of checks for jobs that River would not run in time. Tickers are not affected by clock
	// changes.
	lookEvery   = 5 * time.Second
	upkeepEvery = time.Hour
)

// waiting is the SQL condition of a River job that will run now or later.
const waiting = "state IN ('available', 'scheduled', 'retryable')"

const laneJobs = "FROM causal_lanes l JOIN river_job j ON j.id = l.job_id WHERE "

const (
	orphaned = "j.state = 'running' AND {by} = $1"
	// starving are jobs that have waited ten minutes behind other classes.
	starving = "j.state = 'available' AND j.priority > 1 AND j.created_at < {riverOld}"
	// late are due jobs that River does not fetch: it has no leader, the clock was set back, or a request arrived while
	// River was snoozing the job.
	late = "l.holder = '' AND l.due <= {now} AND j." + waiting + " AND (j.scheduled_at > {riverFuture} OR j.state <> 'available' AND j.scheduled_at < {riverLate})"
	// endlessly matches lanes that wait longer than any retry: the clock was set back.
	endlessly = "holder = '' AND due > {now} + CASE WHEN parked THEN {parkedFor} ELSE {longestWait} END"
)

// limits fills in durations, with a minute added for clock differences between machines.
var limits = strings.NewReplacer(
	"{parkedFor}", strconv.FormatInt((parkedFor+time.Minute).Milliseconds(), 10),
	"{longestWait}", strconv.FormatInt((longestWait+time.Minute).Milliseconds(), 10),
)

func (q *Queue) look(ctx context.Context) {
	every, seldom := time.NewTicker(q.options.Look), time.NewTicker(upkeepEvery)
	defer every.Stop()
	defer seldom.Stop()
	for {
		var err error
		select {
		case <-every.C:
			err = q.remedy(ctx)
		case <-seldom.C:
			err = q.upkeep(ctx)
		case <-ctx.Done():
			return
		}
		if err != nil && ctx.Err() == nil {
			q.options.Logger.WarnContext(ctx, "the jobs that wait could not be looked at", "err", err)
		}
	}
}

// remedy fixes stuck jobs. It writes only if there are any.
func (q *Queue) remedy(ctx context.Context) error {
	stuck, err := q.laneKeys(ctx, "FROM causal_lanes l WHERE "+limits.Replace(endlessly))
	if err == nil && len(stuck) > 0 {
		err = q.work(ctx, func(ctx context.Context, tx tx) error {
			return q.db.exec(ctx, tx, "UPDATE causal_lanes SET due = 0 WHERE "+limits.Replace(endlessly))
		})
	}
	if err == nil {
		err = q.retryLate(ctx)
	}
	if err == nil {
		err = q.revive(ctx)
	}
	if err != nil {
		return err
	}
	old, err := q.laneKeys(ctx, laneJobs+starving)
	if err != nil {
		return err
	}
	for _, key := range old {
		if err := q.replace(ctx, key, "EXISTS (SELECT 1 FROM river_job j WHERE j.id = l.job_id AND "+starving+")", replacement{first: true}); err != nil {
			return err
		}
	}
	return nil
}

func (q *Queue) retryLate(ctx context.Context) error {
	keys, err := q.laneKeys(ctx, laneJobs+late)
	if err != nil || len(keys) == 0 {
		return err
	}
	return q.work(ctx, func(ctx context.Context, tx tx) error {
		for _, key := range keys {
			var job int64
			if err := tx.QueryRowContext(ctx, q.db.q("SELECT coalesce(job_id, 0) FROM causal_lanes WHERE lane = $1 {lock}"), key).Scan(&job); err != nil {
				return fmt.Errorf("lock lane %s: %w", key, err)
			}
			if err := tx.retry(ctx, job); err != nil {
				return err
			}
		}
		return nil
	})
}

// revive replaces the jobs of dead replicas. River alone would wait for the timeout of a run.
func (q *Queue) revive(ctx context.Context) error {
	replicas, err := q.list(ctx, "SELECT DISTINCT {by} "+laneJobs+"j.state = 'running'")
	if err != nil {
		return err
	}
	for _, id := range replicas {
		if id == q.db.id {
			continue
		}
		if alive, err := q.db.presence.alive(ctx, q.db.reader, id); err != nil || alive {
			if err != nil {
				return err
			}
			continue
		}
		keys, err := q.laneKeys(ctx, laneJobs+orphaned, id)
		if err != nil {
			return err
		}
		for _, key := range keys {
			if err := q.replace(ctx, key, "EXISTS (SELECT 1 FROM river_job j WHERE j.id = l.job_id AND "+orphaned+")", replacement{lost: true}, id); err != nil {
				return err
			}
		}
	}
	return nil
}

type replacement struct {
	first bool // runs before all others
	lost  bool // the worker of the old job is gone
}

// replace gives a lane a new job if condition still holds. args are the values of its placeholders.
func (q *Queue) replace(ctx context.Context, key, condition string, how replacement, args ...any) error {
	return q.work(ctx, func(ctx context.Context, tx tx) error {
		var class int
		var due int64
		err := tx.QueryRowContext(ctx, q.db.q("SELECT class, due FROM causal_lanes WHERE lane = $1 {lock}"), key).Scan(&class, &due)
		if err != nil {
			return fmt.Errorf("lock lane %s: %w", key, err)
		}
		var holds bool
		args := append(slices.Clone(args), key)
		err = tx.QueryRowContext(ctx, q.db.q(fmt.Sprintf("SELECT count(*) > 0 FROM causal_lanes l WHERE %s AND lane = $%d", condition, len(args))), args...).Scan(&holds)
		if err != nil || !holds {
			return err
		}
		options := river.InsertOpts{Priority: priority(class)}
		if how.first {
			options.Priority = firstPriority
		}
		if how.lost {
			again, err := q.afterLoss(ctx, tx, key)
			if err != nil {
				return err
			}
			due = max(due, again.UnixMilli())
		}
		if at := time.UnixMilli(due); at.After(time.Now()) {
			options.ScheduledAt = at.UTC()
		}
		jobs, err := q.insertJobs(ctx, tx, map[string]river.InsertOpts{key: options})
		if err != nil {
			return err
		}
		return q.db.exec(ctx, tx, "UPDATE causal_lanes SET job_id = $2, due = $3, holder = CASE WHEN $4 THEN '' ELSE holder END WHERE lane = $1",
			key, jobs[key], due, how.lost)
	})
}

// afterLoss ends lost runs and returns when the lane may run again. Being killed is no failure, but work that
// repeatedly kills its server is delayed.
func (q *Queue) afterLoss(ctx context.Context, tx tx, key string) (time.Time, error) {
	if err := q.loseRuns(ctx, tx, key); err != nil {
		return time.Time{}, err
	}
	var lost int
	err := tx.QueryRowContext(ctx, q.db.q(`SELECT count(*) FROM causal_runs WHERE lane = $1 AND id >
		(SELECT coalesce(max(id), 0) FROM causal_runs WHERE lane = $1 AND state <> $2)`), key, Lost).Scan(&lost)
	if err != nil {
		return time.Time{}, fmt.Errorf("count the runs that were lost: %w", err)
	}
	const often = 2
	if lost <= often {
		return time.Time{}, nil
	}
	return time.Now().Add(q.options.Backoff(lost-often, q.options.Random())), nil
}

func (q *Queue) laneKeys(ctx context.Context, from string, args ...any) ([]string, error) {
	return q.list(ctx, "SELECT l.lane "+from+" ORDER BY l.lane", args...)
}

func (q *Queue) list(ctx context.Context, statement string, args ...any) ([]string, error) {
	return query(ctx, q.db.reader, "look for jobs that wait", q.db.q(statement), func(scan func(...any) error) (out string, err error) {
		err = scan(&out)
		return out, err
	}, args...)
}
