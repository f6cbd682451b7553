package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// database is what differs between SQLite and PostgreSQL. Statements are written for PostgreSQL with the words of
// dialect in braces.
type database struct {
	db     *sql.DB
	reader *sql.DB // SQLite reads beside the one connection that writes
	alone  bool    // no other process has the database
	words  *strings.Replacer
	driver riverdriver.Driver[*sql.Tx]
	insert *river.Client[*sql.Tx] // a client that works nothing
	start  func(*river.Config) (engine, error)
	free   []func() error
}

// engine is the part of a River client that works jobs; its type parameter differs between the databases.
type engine interface {
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
	StopAndCancel(ctx context.Context) error
}

var (
	sqliteWords = strings.NewReplacer(
		"$", "?", "{lock}", "", "{id}", "INTEGER PRIMARY KEY AUTOINCREMENT",
		"{now}", "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
		"{attempted}", "CAST(unixepoch(j.attempted_at, 'subsec') * 1000 AS INTEGER)",
	)
	postgresWords = strings.NewReplacer(
		"{lock}", "FOR UPDATE", "{id}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
		"{now}", "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
		"{attempted}", "CAST(extract(epoch FROM j.attempted_at) * 1000 AS BIGINT)",
	)
)

func openDatabase(ctx context.Context, address string, options Options) (*database, error) {
	scheme, _, _ := strings.Cut(address, "://")
	var d *database
	var err error
	switch scheme {
	case "sqlite":
		d, err = openSQLite(address)
	case "postgres", "postgresql":
		d, err = openPostgres(ctx, address, options)
	default:
		return nil, errors.New("the database URL must begin with sqlite:// or postgres://")
	}
	if err != nil {
		return nil, err
	}
	d.insert, err = river.NewClient(d.driver, &river.Config{Logger: options.Logger, FetchCooldown: fetchCooldown})
	if err == nil {
		err = d.migrate(ctx, options)
	}
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// openPostgres opens one pool that River uses directly, to be woken by LISTEN, and this package through database/sql.
func openPostgres(ctx context.Context, address string, options Options) (*database, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, errors.New("the database URL cannot be read") // the cause may show the password
	}
	// River's listener keeps one connection, every run may want one when it ends, and the door one more.
	config.MaxConns = max(config.MaxConns, int32(options.Workers)+6)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	db := stdlib.OpenDBFromPool(pool)
	driver := riverdatabasesql.New(db)
	return &database{
		db: db, reader: db, words: postgresWords,
		driver: driver,
		start:  func(c *river.Config) (engine, error) { return river.NewClient(riverpgxv5.New(pool), c) },
		// Closing the pool refuses whoever asks from now on, and waits for River's listener, which ends after it.
		free: []func() error{func() error { go pool.Close(); return nil }, db.Close},
	}, nil
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

// transient lists what PostgreSQL gives up for the sake of others: a serialization failure, a deadlock.
var transient = map[string]bool{"40001": true, "40P01": true}

// tx runs f in a transaction, and again when the database gave it up for another.
func (d *database) tx(ctx context.Context, f func(tx *sql.Tx) error) error {
	for try := 1; ; try++ {
		err := d.once(ctx, f)
		var pg *pgconn.PgError
		if try < 5 && errors.As(err, &pg) && transient[pg.Code] {
			continue
		}
		return err
	}
}

func (d *database) once(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	if err := f(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

func (d *database) exec(ctx context.Context, tx *sql.Tx, statement string, args ...any) error {
	_, err := tx.ExecContext(ctx, d.q(statement), args...)
	return err
}
