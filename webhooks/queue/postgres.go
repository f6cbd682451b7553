package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"
)

var postgresWords = strings.NewReplacer(
	"{lock}", "FOR UPDATE", "{id}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
	"{turn}", "SELECT pg_advisory_xact_lock(1668052851, hashtext($1))", "{riverNow}", "now()", "{riverFuture}", "now() + interval '1 minute'",
	"{riverOld}", "now() - interval '10 minutes'", "{riverLate}", "now() - interval '5 seconds'", "{by}", "j.attempted_by[array_upper(j.attempted_by, 1)]", "{bytes}", "SELECT pg_database_size(current_database())",
	"{greatest}", "greatest", "{now}", "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
	"{attempted}", "CAST(extract(epoch FROM j.attempted_at) * 1000 AS BIGINT)",
	"{finalized}", "CAST(extract(epoch FROM j.finalized_at) * 1000 AS BIGINT)",
	"{problem}", "j.errors[array_upper(j.errors, 1)] ->> 'error'",
)

// openPostgres opens one pool, which River uses directly for LISTEN and this package through database/sql.
func openPostgres(ctx context.Context, address string, options Options, config *river.Config) (*database, error) {
	settings, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, errors.New("the database URL cannot be read") // the cause may contain the password
	}
	// One connection for River's listener, one for each run that ends, and one for the door.
	settings.MaxConns = max(settings.MaxConns, int32(options.Workers)+6)
	pool, err := pgxpool.NewWithConfig(ctx, settings)
	if err != nil {
		return nil, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	present, err := appear(ctx, settings.ConnConfig)
	if err != nil {
		pool.Close()
		return nil, err
	}
	db := stdlib.OpenDBFromPool(pool)
	d := &database{
		db: db, reader: db, words: postgresWords, gaveUp: gaveUp, id: present.id(), presence: present,
		// Closing the pool waits for River's listener, which ends later, but refuses new users at once.
		free: []func() error{func() error { go pool.Close(); return nil }, db.Close, present.leave},
	}
	config.ID = d.id
	driver := riverpgxv5.New(pool)
	client, err := river.NewClient(driver, config)
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	d.engine = client
	d.once = func(ctx context.Context, f func(tx) error) error { return postgresOnce(ctx, db, client, f) }
	d.migrator, err = rivermigrate.New(driver, &rivermigrate.Config{Logger: config.Logger})
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// postgresOnce runs f in a pgx transaction, as River needs, on a database/sql connection, as this package needs. River
// may use the connection only while database/sql does not.
func postgresOnce(ctx context.Context, db *sql.DB, client *river.Client[pgx.Tx], f func(tx) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close()
	var under pgx.Tx
	direct := func(do func() error) error { return conn.Raw(func(any) error { return do() }) }
	err = conn.Raw(func(driver any) (err error) {
		under, err = driver.(*stdlib.Conn).Conn().Begin(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	t := tx{
		statements: conn,
		insert: func(ctx context.Context, jobs []river.InsertManyParams) (results []*rivertype.JobInsertResult, err error) {
			err = direct(func() (err error) { results, err = client.InsertManyTx(ctx, under, jobs); return err })
			return results, err
		},
		complete: func(ctx context.Context, job *river.Job[laneArgs]) error {
			return direct(func() error { _, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, under, job); return err })
		},
		retry: func(ctx context.Context, job int64) error {
			return direct(func() error { return retryJob(ctx, client, under, job) })
		},
	}
	return transaction(func() error { return f(t) },
		func() error { return direct(func() error { return under.Commit(ctx) }) },
		func() error { return direct(func() error { return under.Rollback(context.WithoutCancel(ctx)) }) })
}

var transient = map[string]bool{"40001": true, "40P01": true}

func gaveUp(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && transient[pg.Code]
}
