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
)

const (
	fetchCooldown = 20 * time.Millisecond
	// endless is River's limit of attempts, which must not count interruptions. judge decides when a job is dead.
	endless = math.MaxInt16
)

// laneArgs are the arguments of a River job; all other state is in the lane. A lane names its current job; any other
// job of it ends without doing anything.
type laneArgs struct {
	Lane string `json:"lane"`
}

// Kind implements river.JobArgs.
func (laneArgs) Kind() string { return "lane" }

func (q *Queue) config() *river.Config {
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker{q: q})
	return &river.Config{
		CancelledJobRetentionPeriod: keepEnded,
		CompletedJobRetentionPeriod: keepEnded, // runs have a separate table
		FetchCooldown:               min(fetchCooldown, q.options.Poll),
		FetchPollInterval:           q.options.Poll,
		JobTimeout:                  -1, // workers have their own timeout
		Logger:                      slog.New(quiet{q.options.Logger.Handler()}),
		Queues:                      map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: q.options.Workers}},
		RescueStuckJobsAfter:        q.options.Timeout + time.Hour, // a fallback: revive is faster
		Workers:                     workers,
	}
}

func (q *Queue) insertJobs(ctx context.Context, tx tx, lanes map[string]river.InsertOpts) (map[string]int64, error) {
	if len(lanes) == 0 {
		return nil, nil
	}
	var params []river.InsertManyParams
	for _, lane := range slices.Sorted(maps.Keys(lanes)) {
		options := lanes[lane]
		options.MaxAttempts = endless
		params = append(params, river.InsertManyParams{Args: laneArgs{Lane: lane}, InsertOpts: &options})
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

// quiet suppresses River's log below errors. This package logs failed runs.
type quiet struct{ slog.Handler }

// Enabled implements slog.Handler.
func (h quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError && h.Handler.Enabled(ctx, level)
}
