package queue

import (
	"context"
	"fmt"

	"github.com/riverqueue/river/rivermigrate"
)

// versions are the migrations of this package's tables. Released ones never change. Times are milliseconds since 1970.
var versions = [][]string{{
	`CREATE TABLE causal_lanes (
		lane TEXT PRIMARY KEY,
		installation BIGINT NOT NULL, repository BIGINT NOT NULL, owner TEXT NOT NULL, name TEXT NOT NULL,
		ref TEXT NOT NULL, pull BIGINT NOT NULL,
		wanted BIGINT NOT NULL DEFAULT 0, -- raised by every ask
		served BIGINT NOT NULL DEFAULT 0, -- the wanted that the last ended run saw
		since BIGINT,                     -- of the oldest ask that is not served
		job_id BIGINT,                    -- the live job in river_job
		due BIGINT NOT NULL DEFAULT 0,    -- not to be worked before
		dead_id BIGINT,                   -- the last job that died, until a run succeeds
		seen BIGINT NOT NULL DEFAULT 0,   -- the wanted that the present run saw
		holder TEXT NOT NULL DEFAULT '', lease_until BIGINT NOT NULL DEFAULT 0,
		changed BIGINT NOT NULL DEFAULT 0)`,
	`CREATE INDEX causal_lanes_job ON causal_lanes (job_id) WHERE job_id IS NOT NULL`,
	`CREATE INDEX causal_lanes_dead ON causal_lanes (dead_id) WHERE dead_id IS NOT NULL`,
	`CREATE INDEX causal_lanes_holder ON causal_lanes (holder) WHERE holder <> ''`,
	`CREATE TABLE causal_deliveries (
		guid TEXT PRIMARY KEY, event TEXT NOT NULL, action TEXT NOT NULL,
		installation BIGINT NOT NULL, repository BIGINT NOT NULL,
		received BIGINT NOT NULL, state TEXT NOT NULL, outcome TEXT NOT NULL DEFAULT '')`,
	`CREATE INDEX causal_deliveries_received ON causal_deliveries (received)`,
	`CREATE TABLE causal_wants (
		lane TEXT NOT NULL, generation BIGINT NOT NULL, guid TEXT NOT NULL, cause TEXT NOT NULL,
		PRIMARY KEY (lane, generation))`,
	`CREATE INDEX causal_wants_guid ON causal_wants (guid)`,
	`CREATE TABLE causal_runs (
		id {id}, lane TEXT NOT NULL, job_id BIGINT NOT NULL, attempt BIGINT NOT NULL,
		installation BIGINT NOT NULL, repository BIGINT NOT NULL, owner TEXT NOT NULL, name TEXT NOT NULL,
		ref TEXT NOT NULL, pull BIGINT NOT NULL, deliveries TEXT NOT NULL, causes TEXT NOT NULL,
		started BIGINT NOT NULL, ended BIGINT, state TEXT NOT NULL, error TEXT NOT NULL DEFAULT '',
		conclusion TEXT NOT NULL DEFAULT '', title TEXT NOT NULL DEFAULT '', head TEXT NOT NULL DEFAULT '',
		session TEXT NOT NULL DEFAULT '', detail TEXT NOT NULL DEFAULT '')`,
	`CREATE INDEX causal_runs_lane ON causal_runs (lane, id)`,
	`CREATE INDEX causal_runs_repository ON causal_runs (repository, id)`,
	`CREATE INDEX causal_runs_session ON causal_runs (session)`,
	`CREATE TABLE causal_heads (lane TEXT PRIMARY KEY, head TEXT NOT NULL)`,
}, {
	// The presence of replicas replaces leases. Dead jobs are identified by their last run, created from River's data for
	// old ones.
	`DROP INDEX causal_lanes_holder`,
	`ALTER TABLE causal_lanes DROP COLUMN seen`,
	`ALTER TABLE causal_lanes DROP COLUMN lease_until`,
	`ALTER TABLE causal_lanes ADD COLUMN run_id BIGINT`, // the last run of the live job; running while holder is set
	`ALTER TABLE causal_runs DROP COLUMN deliveries`,    // included in causes
	`INSERT INTO causal_runs (lane, job_id, attempt, installation, repository, owner, name, ref, pull, causes, started, ended, state, error)
		SELECT l.lane, j.id, j.attempt, l.installation, l.repository, l.owner, l.name, l.ref, l.pull, '[]',
			coalesce({attempted}, {finalized}), {finalized}, 'dead', coalesce({problem}, '')
		FROM causal_lanes l JOIN river_job j ON j.id = l.dead_id WHERE NOT EXISTS
			(SELECT 1 FROM causal_runs r WHERE r.lane = l.lane AND r.job_id = l.dead_id AND r.state = 'dead')`,
	`UPDATE causal_lanes SET dead_id = (SELECT max(r.id) FROM causal_runs r
		WHERE r.lane = causal_lanes.lane AND r.job_id = causal_lanes.dead_id AND r.state = 'dead') WHERE dead_id IS NOT NULL`,
}, {
	`ALTER TABLE causal_lanes ADD COLUMN fork BIGINT NOT NULL DEFAULT 0`,
	`ALTER TABLE causal_lanes ADD COLUMN side BOOLEAN NOT NULL DEFAULT FALSE`,
	`ALTER TABLE causal_lanes ADD COLUMN class BIGINT NOT NULL DEFAULT 2`,
	`ALTER TABLE causal_lanes ADD COLUMN parked BOOLEAN NOT NULL DEFAULT FALSE`,
	`CREATE INDEX causal_lanes_repository ON causal_lanes (repository)`,
	`CREATE INDEX causal_lanes_installation ON causal_lanes (installation)`,
	`CREATE TABLE causal_pulse (id BIGINT PRIMARY KEY, beats BIGINT NOT NULL)`, // written by health checks
}, {
	// River's count of failures includes killed workers.
	`ALTER TABLE causal_lanes ADD COLUMN failed BIGINT NOT NULL DEFAULT 0`,
}, {
	`ALTER TABLE causal_lanes ADD COLUMN blocked TEXT NOT NULL DEFAULT ''`, // key of the branch whose rules blocked the last run
	`ALTER TABLE causal_lanes ADD COLUMN mended TEXT NOT NULL DEFAULT ''`,  // branches whose rules may have changed since the current run began
	`CREATE INDEX causal_lanes_blocked ON causal_lanes (blocked) WHERE blocked <> ''`,
}}

// migrateLock is the advisory lock that serializes migrations of replicas that start together.
const migrateLock = 0x63617573616c // "causal"

func (d *database) migrate(ctx context.Context) error {
	if !d.alone {
		conn, err := d.db.Conn(ctx)
		if err != nil {
			return fmt.Errorf("connect to the database: %w", err)
		}
		defer conn.Close()
		if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", int64(migrateLock)); err != nil {
			return fmt.Errorf("lock the tables: %w", err)
		}
		defer func() { _, _ = conn.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", int64(migrateLock)) }()
	}
	if _, err := d.migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("bring River's tables up to date: %w", err)
	}
	return d.tx(ctx, func(tx tx) error { return d.migrateOwn(ctx, tx) })
}

func (d *database) migrateOwn(ctx context.Context, tx tx) error {
	if err := d.exec(ctx, tx, "CREATE TABLE IF NOT EXISTS causal_schema (version BIGINT NOT NULL)"); err != nil {
		return fmt.Errorf("make the table of versions: %w", err)
	}
	var version int
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(version), 0) FROM causal_schema").Scan(&version); err != nil {
		return fmt.Errorf("read the version of the tables: %w", err)
	}
	if version > len(versions) {
		return fmt.Errorf("the database is of a newer version (%d) than this program (%d)", version, len(versions))
	}
	for ; version < len(versions); version++ {
		for _, statement := range versions[version] {
			if err := d.exec(ctx, tx, statement); err != nil {
				return fmt.Errorf("bring the tables to version %d: %w", version+1, err)
			}
		}
		if err := d.exec(ctx, tx, "INSERT INTO causal_schema (version) VALUES ($1)", version+1); err != nil {
			return fmt.Errorf("note version %d of the tables: %w", version+1, err)
		}
	}
	return nil
}
