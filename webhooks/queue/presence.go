package queue

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// heartbeat is the interval and the timeout of checks that PostgreSQL still knows this replica.
	heartbeat = 5 * time.Second
	// goodbye is how long PostgreSQL keeps an unresponsive connection. It is longer than a replica needs to notice the
	// loss, so runs stop before others may begin them.
	goodbye = 30 * time.Second
)

// connected is the presence of a replica on PostgreSQL: an advisory lock on a separate connection. PostgreSQL releases
// it when the process ends for any reason, without comparing clocks.
type connected struct {
	config *pgx.ConnConfig
	key    int64
	stop   context.CancelFunc
	done   sync.WaitGroup

	mu   sync.Mutex
	conn *pgx.Conn     // nil while there is none
	gone chan struct{} // closed when conn is lost
}

func appear(ctx context.Context, config *pgx.ConnConfig) (*connected, error) {
	c := &connected{config: config.Copy(), key: rand.Int64()} //nolint:gosec // a name, no secret
	if err := c.connect(ctx); err != nil {
		return nil, err
	}
	keeping, stop := context.WithCancel(context.Background())
	c.stop = stop
	c.done.Go(func() { c.keep(keeping) })
	return c, nil
}

func (c *connected) id() string { return strconv.FormatInt(c.key, 36) }

func (c *connected) connect(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, c.config)
	if err != nil {
		return fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	var locked bool
	err = conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1), set_config('tcp_user_timeout', $2, false), set_config('tcp_keepalives_idle', $3, false),
		set_config('tcp_keepalives_interval', $3, false), set_config('tcp_keepalives_count', '2', false)`,
		c.key, strconv.FormatInt(goodbye.Milliseconds(), 10), strconv.Itoa(int(goodbye.Seconds())/3)).Scan(&locked, nil, nil, nil, nil)
	if err == nil && !locked {
		// PostgreSQL has not yet noticed the loss of the old connection.
		err = errors.New("another connection holds it")
	}
	if err != nil {
		_ = conn.Close(ctx)
		return fmt.Errorf("take the lock of this replica: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn, c.gone = conn, make(chan struct{})
	return nil
}

func (c *connected) keep(ctx context.Context) {
	defer c.lose()
	for ctx.Err() == nil {
		waiting, cancel := context.WithTimeout(ctx, heartbeat)
		if c.conn == nil {
			<-waiting.Done()
			_ = c.ask(ctx, c.connect) // the error is dropped: no jobs run meanwhile, and other users of the database report it
		} else if _, err := c.conn.WaitForNotification(waiting); waiting.Err() == nil && err != nil {
			c.lose() // there are no notifications, so an early return means that the connection is lost
		} else if c.ask(ctx, c.conn.Ping) != nil {
			c.lose()
		}
		cancel()
	}
}

func (c *connected) ask(ctx context.Context, question func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, heartbeat)
	defer cancel()
	return question(ctx)
}

// lose announces that others see this replica as dead, and closes the connection.
func (c *connected) lose() {
	c.mu.Lock()
	conn := c.conn
	if c.conn = nil; conn != nil {
		close(c.gone)
	}
	c.mu.Unlock()
	if conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), heartbeat)
		defer cancel()
		_ = conn.Close(ctx)
	}
}

func (c *connected) leave() error {
	c.stop()
	c.done.Wait()
	return nil
}

func (c *connected) here() (<-chan struct{}, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gone, c.conn != nil
}

func (*connected) alive(ctx context.Context, in statements, id string) (bool, error) {
	key, err := strconv.ParseInt(id, 36, 64)
	if err != nil {
		return false, nil //nolint:nilerr // it is an id of an older version, which held no lock
	}
	var held bool
	err = in.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND classid::bigint = $1 AND objid::bigint = $2)`, key>>32, key&math.MaxUint32).Scan(&held)
	if err != nil {
		return false, fmt.Errorf("ask whether replica %s lives: %w", id, err)
	}
	return held, nil
}
