package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"
)

// database abstracts over SQLite and PostgreSQL. Statements are written for PostgreSQL, with placeholders in braces for
// dialects.
type database struct {
	db     *sql.DB
	reader *sql.DB // separate for SQLite, which has one writing connection
	alone  bool    // this process has exclusive access
	words  *strings.Replacer
	once   func(ctx context.Context, f func(tx tx) error) error // runs a transaction once
	gaveUp func(error) bool                                     // the database aborted the transaction because of another one
	intact func(ctx context.Context) error                      // checks the whole database; may be nil

	id       string // of this replica, as known to River and other replicas
	presence presence
	engine   engine
	migrator migrator
	free     []func() error
}

// tx is a transaction for statements of this package and for River's.
type tx struct {
	statements

	insert   func(ctx context.Context, jobs []river.InsertManyParams) ([]*rivertype.JobInsertResult, error)
	complete func(ctx context.Context, job *river.Job[laneArgs]) error // ctx must be that of a worker
	retry    func(ctx context.Context, job int64) error                // makes a waiting job available now
}

// retryJob makes a job available now unless it is running. A missing job is no error: mend replaces it.
func retryJob[TTx any](ctx context.Context, c *river.Client[TTx], under TTx, job int64) error {
	if _, err := c.JobRetryTx(ctx, under, job); err != nil && !errors.Is(err, rivertype.ErrNotFound) {
		return fmt.Errorf("retry job %d: %w", job, err)
	}
	return nil
}

type statements interface {
	ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, statement string, args ...any) *sql.Row
}

// presence reports which replicas are alive.
type presence interface {
	// here reports whether others see this replica as alive. The channel is closed when they no longer do.
	here() (gone <-chan struct{}, ok bool)
	alive(ctx context.Context, in statements, id string) (bool, error)
}

type engine interface {
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
	StopAndCancel(ctx context.Context) error
}

type migrator interface {
	Migrate(ctx context.Context, direction rivermigrate.Direction, opts *rivermigrate.MigrateOpts) (*rivermigrate.MigrateResult, error)
}

func openDatabase(ctx context.Context, address string, options Options, config *river.Config) (*database, error) {
	scheme, _, _ := strings.Cut(address, "://")
	var d *database
	var err error
	switch scheme {
	case "sqlite":
		d, err = openSQLite(address, config)
	case "postgres", "postgresql":
		d, err = openPostgres(ctx, address, options, config)
	default:
		return nil, errors.New("the database URL must begin with sqlite:// or postgres://")
	}
	if err != nil {
		return nil, err
	}
	if err := d.migrate(ctx); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

func (d *database) close() error {
	var errs []error
	for _, free := range d.free {
		errs = append(errs, free())
	}
	return errors.Join(errs...)
}

func (d *database) q(statement string) string { return d.words.Replace(statement) }

// tx runs f in a transaction, and retries if the database aborted it because of another one.
func (d *database) tx(ctx context.Context, f func(tx tx) error) error {
	for try := 1; ; try++ {
		err := d.once(ctx, f)
		if try < 5 && d.gaveUp(err) {
			continue
		}
		return err
	}
}

func (d *database) exec(ctx context.Context, tx tx, statement string, args ...any) error {
	_, err := tx.ExecContext(ctx, d.q(statement), args...)
	return err
}

// transaction unifies *sql.Tx and pgx.Tx.
func transaction(f func() error, commit, rollback func() error) error {
	defer func() { _ = rollback() }() // fails after a commit
	if err := f(); err != nil {
		return err
	}
	if err := commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}
