package queue_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/causaldocs/causal/webhooks/queue"
	"github.com/causaldocs/causal/webhooks/queue/queuetest"
)

// BenchmarkAccept offers deliveries at a steady rate, independent of the answers, and reports the answer times. Workers process the jobs
// meanwhile.
func BenchmarkAccept(b *testing.B) {
	for name, backend := range map[string]func(testing.TB) queuetest.Backend{"sqlite": queuetest.SQLite, "postgres": queuetest.PostgreSQL} {
		for _, rate := range []int{100, 1000} {
			b.Run(fmt.Sprintf("%s/%d-a-second", name, rate), func(b *testing.B) {
				q := backend(b).Open(b, queue.Options{Poll: 100 * time.Millisecond})
				if err := q.Start(ctx, queue.HandlerFunc(nothing)); err != nil {
					b.Fatal(err)
				}
				took := make([]time.Duration, b.N)
				var answers sync.WaitGroup
				tick := time.NewTicker(time.Second / time.Duration(rate))
				defer tick.Stop()
				b.ResetTimer()
				for i := range b.N {
					<-tick.C
					answers.Go(func() {
						began := time.Now()
						_, err := q.Accept(ctx, queuetest.Push(fmt.Sprint("g", i)), []queue.Subject{queuetest.Branch(int64(i%200+1), "main")})
						took[i] = time.Since(began)
						if err != nil {
							b.Error(err)
						}
					})
				}
				answers.Wait()
				b.StopTimer()
				slices.Sort(took)
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "deliveries/s")
				for p, name := range map[int]string{50: "p50-ms", 99: "p99-ms", 100: "max-ms"} {
					b.ReportMetric(float64(took[min(b.N*p/100, b.N-1)].Microseconds())/1000, name)
				}
			})
		}
	}
}

// BenchmarkThroughput is how much the door takes in when callers wait for their answers, as many at a time as GitHub has
// connections.
func BenchmarkThroughput(b *testing.B) {
	for name, backend := range map[string]func(testing.TB) queuetest.Backend{"sqlite": queuetest.SQLite, "postgres": queuetest.PostgreSQL} {
		for _, callers := range []int{1, 64} {
			b.Run(fmt.Sprintf("%s/%d-callers", name, callers), func(b *testing.B) {
				q := backend(b).Open(b, queue.Options{})
				work := make(chan int)
				var done sync.WaitGroup
				for range callers {
					done.Go(func() {
						for i := range work {
							_, err := q.Accept(ctx, queuetest.Push(fmt.Sprint("g", i)), []queue.Subject{queuetest.Branch(int64(i%200+1), "main")})
							if err != nil {
								b.Error(err)
							}
						}
					})
				}
				b.ResetTimer()
				for i := range b.N {
					work <- i
				}
				close(work)
				done.Wait()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "deliveries/s")
			})
		}
	}
}

func nothing(context.Context, queue.Job) (queue.Outcome, error) { return queue.Outcome{}, nil }

// BenchmarkWork is how many lanes are brought up to date a second by a handler that has nothing to do.
func BenchmarkWork(b *testing.B) {
	for name, backend := range map[string]func(testing.TB) queuetest.Backend{"sqlite": queuetest.SQLite, "postgres": queuetest.PostgreSQL} {
		b.Run(name, func(b *testing.B) {
			q := backend(b).Open(b, queue.Options{Workers: 16})
			var asks sync.WaitGroup
			for i := range b.N {
				asks.Go(func() {
					if err := q.Ask(ctx, "bench", queuetest.Branch(int64(i+1), "main")); err != nil {
						b.Error(err)
					}
				})
			}
			asks.Wait()
			b.ResetTimer()
			if err := q.Start(ctx, queue.HandlerFunc(nothing)); err != nil {
				b.Fatal(err)
			}
			queuetest.Idle(b, q)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
		})
	}
}
