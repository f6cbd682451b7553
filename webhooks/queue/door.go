package queue

import (
	"context"
	"sync"
	"time"
)

// door lets callers share transactions: while one commits, what comes in waits for the next. A sync to disk is paid for
// once by all of them, however many there are, and a lone request never waits for company. Where one connection writes,
// workers share them too: a commit of their own would be one that deliveries wait for.
type door struct {
	requests chan *request
	errands  chan *errand // without a buffer: what was sent is being run, and will be answered
	closed   chan struct{}
	once     sync.Once
	done     sync.WaitGroup
}

const (
	batchSize    = 256              // requests of one transaction at most
	batchErrands = 4                // errands of one transaction at most: deliveries wait until they are run
	writeTimeout = 30 * time.Second // of one transaction
)

// batch is what shares a transaction.
type batch struct {
	requests []*request
	errands  []*errand
}

func newDoor(q *Queue) *door {
	d := &door{requests: make(chan *request, batchSize), errands: make(chan *errand), closed: make(chan struct{})}
	d.done.Go(func() {
		for {
			var b batch
			select {
			case r := <-d.requests:
				b.requests = append(b.requests, r)
			case e := <-d.errands:
				b.errands = append(b.errands, e)
			case <-d.closed:
				return
			}
			d.gather(&b)
			q.writeBatch(b)
		}
	})
	return d
}

// gather takes what is waiting already.
func (d *door) gather(b *batch) {
	for waiting := true; waiting && len(b.requests) < batchSize; {
		select {
		case r := <-d.requests:
			b.requests = append(b.requests, r)
		default:
			waiting = false
		}
	}
	for len(b.errands) < batchErrands {
		select {
		case e := <-d.errands:
			b.errands = append(b.errands, e)
		default:
			return
		}
	}
}

// writeBatch answers everybody. Those who cannot be written together are written one by one, so that none fails for the
// sake of another.
func (q *Queue) writeBatch(b batch) {
	ctx, cancel := context.WithTimeout(context.Background(), writeTimeout)
	defer cancel()
	err := q.write(ctx, b)
	if err == nil || len(b.requests)+len(b.errands) == 1 {
		b.answer(err)
		return
	}
	for _, r := range b.requests {
		one := batch{requests: []*request{r}}
		one.answer(q.write(ctx, one))
	}
	for _, e := range b.errands {
		one := batch{errands: []*errand{e}}
		one.answer(q.write(ctx, one))
	}
}

// answer tells everybody what became of the transaction.
func (b batch) answer(err error) {
	for _, r := range b.requests {
		if err != nil {
			r.result = ""
		}
		r.done <- answer{r.result, err}
	}
	for _, e := range b.errands {
		if err != nil {
			e.err = err
		}
		e.done <- e.err
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
