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

// database is what differs between SQLite and PostgreSQL. Statements are written for PostgreSQL with the words of
// dialect in braces.
type database struct {
	db     *sql.DB
	reader *sql.DB // SQLite reads beside the one connection that writes
	alone  bool    // no other process has the database
	words  *strings.Replacer
	once   func(ctx context.Context, f func(tx tx) error) error // one try of a transaction
	gaveUp func(error) bool                                     // the database gave the transaction up for the sake of another
	intact func(ctx context.Context) error                      // reads all of it; nil where that is somebody else's to do

	id       string // of this replica, as River and other replicas know it
	presence presence
	engine   engine
	migrator migrator
	free     []func() error
}

// tx is a transaction, for the statements of this package and for River's.
type tx struct {
	statements

	insert   func(ctx context.Context, jobs []river.InsertManyParams) ([]*rivertype.JobInsertResult, error)
	complete func(ctx context.Context, job *river.Job[laneArgs]) error // ctx has to be that of a worker
	retry    func(ctx context.Context, job int64) error                // lets a job that waits be worked now
}

// retryJob lets a job be worked now, unless it runs. mend replaces one that is gone.
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

// presence tells replicas of each other.
type presence interface {
	// here reports whether others can tell that this replica lives. The channel is closed when they cannot any more.
	here() (gone <-chan struct{}, ok bool)
	// alive reports whether the replica of that id lives.
	alive(ctx context.Context, in statements, id string) (bool, error)
}

// engine is the part of a River client that does not depend on the type of transactions.
type engine interface {
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
	StopAndCancel(ctx context.Context) error
}

type migrator interface {
	Migrate(ctx context.Context, direction rivermigrate.Direction, opts *rivermigrate.MigrateOpts) (*rivermigrate.MigrateResult, error)
}

// openDatabase opens the database for a client that works as the configuration says.
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

// q is the statement in this database's words.
func (d *database) q(statement string) string { return d.words.Replace(statement) }

// tx runs f in a transaction, and again when the database gave it up for another.
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

// transaction is what *sql.Tx and pgx.Tx have in common but for contexts.
func transaction(f func() error, commit, rollback func() error) error {
	defer func() { _ = rollback() }() // says that it is over when it was committed
	if err := f(); err != nil {
		return err
	}
	if err := commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}
