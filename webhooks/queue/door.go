package queue

import (
	"context"
	"sync"
	"time"
)

// door lets callers share transactions: while one commits, the requests that come in wait for the next. A sync to disk
// is paid for once by all of them, however many there are, and a lone request never waits for company.
type door struct {
	requests chan *request
	closed   chan struct{}
	once     sync.Once
	done     sync.WaitGroup
}

const (
	batchSize    = 256              // requests of one transaction at most
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

// gather takes what is waiting already.
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

// writeBatch answers every request. Requests that cannot be written together are written one by one, so that none fails
// for the sake of another.
func (q *Queue) writeBatch(batch []*request) {
	ctx, cancel := context.WithTimeout(context.Background(), writeTimeout)
	defer cancel()
	err := q.write(ctx, batch)
	for _, r := range batch {
		own := err
		if err != nil && len(batch) > 1 {
			own = q.write(ctx, []*request{r})
		}
		if own != nil {
			r.result = ""
		}
		r.done <- answer{r.result, own}
	}
}

// submit waits until r is committed. A caller that gives up may find later that it was.
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
