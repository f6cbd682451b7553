package queue

import (
	"context"
	"sync"
	"time"
)

// door batches requests: while one transaction commits, new requests wait for the next. They share its sync to disk,
// and a single request never waits for others.
type door struct {
	requests chan *request
	closed   chan struct{}
	once     sync.Once
	done     sync.WaitGroup
}

const (
	batchSize    = 256              // maximum requests of one transaction
	writeTimeout = 30 * time.Second // of one transaction
)

func newDoor(q *Queue) *door {
	d := &door{requests: make(chan *request, batchSize), closed: make(chan struct{})}
	d.done.Go(func() {
		for {
			select {
			case r := <-d.requests:
				q.writeBatch(d.gather(r))
			case <-d.closed:
				return
			}
		}
	})
	return d
}

func (d *door) gather(first *request) []*request {
	batch := []*request{first}
	for len(batch) < batchSize {
		select {
		case r := <-d.requests:
			batch = append(batch, r)
		default:
			return batch
		}
	}
	return batch
}

// writeBatch answers all requests. If the batch fails, it writes them one by one, so none fails because of another.
func (q *Queue) writeBatch(batch []*request) {
	ctx, cancel := context.WithTimeout(context.Background(), writeTimeout)
	defer cancel()
	err := q.write(ctx, batch)
	for _, r := range batch {
		if err != nil && len(batch) > 1 {
			r.answer(q.write(ctx, []*request{r}))
		} else {
			r.answer(err)
		}
	}
}

func (r *request) answer(err error) {
	if err != nil {
		r.result = ""
	}
	r.done <- answer{r.result, err}
}

// submit waits until r is committed. After an error, r may still be committed.
func (d *door) submit(ctx context.Context, r *request) answer {
	if err := r.validate(); err != nil {
		return answer{err: err}
	}
	r.done = make(chan answer, 1)
	select {
	case <-d.closed:
		return answer{err: ErrClosed}
	default:
	}
	select {
	case d.requests <- r:
	case <-d.closed:
		return answer{err: ErrClosed}
	case <-ctx.Done():
		return answer{err: context.Cause(ctx)}
	}
	select {
	case a := <-r.done:
		return a
	case <-d.closed:
		return answer{err: ErrClosed}
	case <-ctx.Done():
		return answer{err: context.Cause(ctx)}
	}
}

func (d *door) close() {
	d.once.Do(func() { close(d.closed) })
	d.done.Wait()
}
