package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

const (
	fetchCooldown = 20 * time.Millisecond
	// stuckAfter is how old a run has to be before River looks whether it is stuck. Whether it is, worker.Timeout knows.
	stuckAfter = time.Millisecond
	// endless is how often River tries a job, so that it gives none up for having been interrupted. How often a run may fail
	// is a matter of judge.
	endless = math.MaxInt16
)

// live are the states of a job of which a lane has at most one.
var live = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
}

// laneArgs is all that a job in River's table says: what there is to do stands in its lane.
type laneArgs struct {
	Lane string `json:"lane"`

	class int
	due   time.Time // of the next attempt, once a run has failed
}

// Kind names these jobs in River's table.
func (laneArgs) Kind() string { return "lane" }

// InsertOpts implements [river.JobArgsWithInsertOpts].
func (a laneArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: endless, Priority: a.class, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: live}}
}

// upkeepArgs is the job that looks after the tables of this package.
type upkeepArgs struct{}

// Kind names these jobs in River's table.
func (upkeepArgs) Kind() string { return "upkeep" }

// InsertOpts implements [river.JobArgsWithInsertOpts].
func (upkeepArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByState: live}}
}

// config is how River works for this queue.
func (q *Queue) config() *river.Config {
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker{q: q})
	river.AddWorker(workers, river.WorkFunc(q.upkeep))
	return &river.Config{
		CancelledJobRetentionPeriod: keepEnded,
		CompletedJobRetentionPeriod: keepEnded, // runs have a table of their own
		FetchCooldown:               min(fetchCooldown, q.options.Poll),
		FetchPollInterval:           q.options.Poll,
		JobTimeout:                  -1, // workers have their own
		Logger:                      slog.New(quiet{q.options.Logger.Handler()}),
		PeriodicJobs: []*river.PeriodicJob{river.NewPeriodicJob(river.PeriodicInterval(time.Hour),
			func() (river.JobArgs, *river.InsertOpts) { return upkeepArgs{}, nil }, &river.PeriodicJobOpts{RunOnStart: true})},
		Queues:               map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: q.options.Workers}},
		RescueStuckJobsAfter: stuckAfter,
		Workers:              workers,
	}
}

// insertJobs gives every lane a job of its class, unless River knows of one that is live, and returns their ids by lane.
func (q *Queue) insertJobs(ctx context.Context, tx tx, lanes map[string]int) (map[string]int64, error) {
	if len(lanes) == 0 {
		return nil, nil
	}
	var params []river.InsertManyParams
	for _, lane := range slices.Sorted(maps.Keys(lanes)) {
		params = append(params, river.InsertManyParams{Args: laneArgs{Lane: lane, class: lanes[lane]}})
	}
	results, err := tx.insert(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("insert jobs: %w", err)
	}
	ids := make(map[string]int64, len(results))
	for _, result := range results {
		var args laneArgs
		if err := json.Unmarshal(result.Job.EncodedArgs, &args); err != nil {
			return nil, fmt.Errorf("insert jobs: %w", err)
		}
		ids[args.Lane] = result.Job.ID
	}
	return ids, nil
}

// quiet turns down River, which reports every failed attempt; runs are reported by this package.
type quiet struct{ slog.Handler }

// Enabled lets errors through.
func (h quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError && h.Handler.Enabled(ctx, level)
}
