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
	// endless is how often River tries a job, so that it gives none up for having been interrupted. How often a run may fail
	// is decided by judge.
	endless = math.MaxInt16
)

// laneArgs is all that a job in River's table says: what there is to do is in its lane. A lane names its job; any other that
// River has of the lane ends without doing anything.
type laneArgs struct {
	Lane string `json:"lane"`
}

// Kind names these jobs in River's table.
func (laneArgs) Kind() string { return "lane" }

// config is how River works for this queue.
func (q *Queue) config() *river.Config {
	workers := river.NewWorkers()
	river.AddWorker(workers, &worker{q: q})
	return &river.Config{
		CancelledJobRetentionPeriod: keepEnded,
		CompletedJobRetentionPeriod: keepEnded, // runs have a table of their own
		FetchCooldown:               min(fetchCooldown, q.options.Poll),
		FetchPollInterval:           q.options.Poll,
		JobTimeout:                  -1, // workers have their own
		Logger:                      slog.New(quiet{q.options.Logger.Handler()}),
		Queues:                      map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: q.options.Workers}},
		RescueStuckJobsAfter:        q.options.Timeout + time.Hour, // revive is earlier
		Workers:                     workers,
	}
}

// insertJobs inserts a job for each lane, and returns their ids by lane.
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

// quiet turns down River, which reports every failed attempt; runs are reported by this package.
type quiet struct{ slog.Handler }

// Enabled lets errors through.
func (h quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError && h.Handler.Enabled(ctx, level)
}
