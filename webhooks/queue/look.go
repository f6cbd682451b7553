package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// lookEvery is how often the times in the database are looked at. Tickers do not follow the clock when it is set.
const lookEvery = 5 * time.Second

// remedy is something that should not be, and what ends it. Times in the database are those of a clock that may have been set
// since, back or forth, and those that others gave; what a job waits for stands in its lane, and River has to follow.
type remedy struct {
	where string // of causal_lanes or river_job, what should not be
	table string
	then  string
}

const waiting = "state IN ('available', 'scheduled', 'retryable')"

var remedies = []remedy{
	{"holder = '' AND due > {now} + CASE WHEN parked THEN {parkedFor} ELSE {longestWait} END", "causal_lanes", "due = 0"},
	{
		waiting + " AND scheduled_at > {riverFuture} AND id IN (SELECT job_id FROM causal_lanes WHERE holder = '' AND due <= {now})",
		"river_job", "state = 'available', scheduled_at = {riverNow}",
	},
	{"state = 'running' AND attempted_at > {riverFuture}", "river_job", "attempted_at = {riverNow}"},
	// What has waited for ten minutes goes before everything that has not, so that nothing starves.
	{"kind = 'lane' AND state = 'available' AND priority > 1 AND created_at < {riverOld}", "river_job", "priority = 1"},
}

// limits are the words of remedies that do not depend on the database. A minute more is for clocks of several machines.
var limits = strings.NewReplacer(
	"{parkedFor}", strconv.FormatInt((parkedFor+time.Minute).Milliseconds(), 10),
	"{longestWait}", strconv.FormatInt((longestWait+time.Minute).Milliseconds(), 10),
)

// look applies remedies until ctx ends.
func (q *Queue) look(ctx context.Context) {
	every := time.NewTicker(q.options.Look)
	defer every.Stop()
	for {
		if err := q.remedy(ctx); err != nil && ctx.Err() == nil {
			q.options.Logger.WarnContext(ctx, "the times of jobs could not be looked at", "err", err)
		}
		select {
		case <-every.C:
		case <-ctx.Done():
			return
		}
	}
}

// remedy writes only where there is something to mend.
func (q *Queue) remedy(ctx context.Context) error {
	for _, r := range remedies {
		where := limits.Replace(r.where)
		var one int
		err := q.db.reader.QueryRowContext(ctx, q.db.q("SELECT 1 FROM "+r.table+" WHERE "+where+" LIMIT 1")).Scan(&one)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err == nil {
			err = q.work(ctx, func(ctx context.Context, tx tx) error {
				return q.db.exec(ctx, tx, "UPDATE "+r.table+" SET "+r.then+" WHERE "+where)
			})
		}
		if err != nil {
			return fmt.Errorf("mend the times of %s: %w", r.table, err)
		}
	}
	return q.unseat(ctx)
}

// unseat ends the leadership of a replica that is gone where a clock that was set has made it last: River gives it for a quarter
// of a minute.
func (q *Queue) unseat(ctx context.Context) error {
	var id string
	err := q.db.reader.QueryRowContext(ctx, q.db.q("SELECT leader_id FROM river_leader WHERE expires_at > {riverFuture}")).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = q.work(ctx, func(ctx context.Context, tx tx) error {
			return q.db.exec(ctx, tx, "DELETE FROM river_leader WHERE leader_id = $1", id)
		})
	}
	if err != nil {
		return fmt.Errorf("end a leadership that lasts too long: %w", err)
	}
	return nil
}
