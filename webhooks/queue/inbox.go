package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Wanted reports whether GitHub should redeliver a GUID: it never arrived, or its jobs failed.
func (q *Queue) Wanted(ctx context.Context, guid string) (bool, error) {
	var state string
	err := q.db.reader.QueryRowContext(ctx, q.db.q("SELECT state FROM causal_deliveries WHERE guid = $1"), guid).Scan(&state)
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("look up delivery %s: %w", guid, err)
	}
	return state == deliveryFailed, nil
}

// Head returns the last processed commit of a lane; empty when there is none.
func (q *Queue) Head(ctx context.Context, key string) (string, error) {
	var head string
	err := q.db.reader.QueryRowContext(ctx, q.db.q("SELECT head FROM causal_heads WHERE lane = $1"), key).Scan(&head)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("read head of %s: %w", key, err)
	}
	return head, nil
}

func (q *Queue) remember(ctx context.Context, tx tx, key, head string) error {
	if head == "" {
		return nil
	}
	err := q.db.exec(ctx, tx, "INSERT INTO causal_heads (lane, head) VALUES ($1, $2) ON CONFLICT (lane) DO UPDATE SET head = excluded.head",
		key, head)
	if err != nil {
		return fmt.Errorf("remember head of %s: %w", key, err)
	}
	return nil
}
