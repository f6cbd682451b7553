package webhooks

import (
	"context"
	"encoding/json"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/causaldocs/causal/knowledge/buildinfo"
	"github.com/causaldocs/causal/webhooks/queue"
)

// Operated is the part of the queue that operators use.
type Operated interface {
	Stats(ctx context.Context) (queue.Stats, error)
	Ping(ctx context.Context) error
	RestartAll(ctx context.Context) (int, error)
}

// Work is the part of an outcome's detail that becomes metrics.
type Work struct {
	Invalidated int `json:"invalidated"`
	Rerun       int `json:"rerun"`
	Updated     int `json:"updated"`
}

// Metrics counts the work of the server.
type Metrics struct {
	registry   *prometheus.Registry
	deliveries *prometheus.CounterVec
	runs       *prometheus.CounterVec
	seconds    prometheus.Histogram
	nodes      *prometheus.CounterVec
	rate       *prometheus.GaugeVec
	ends       *prometheus.CounterVec
	waits      prometheus.Histogram
	answers    *prometheus.HistogramVec
	swept      map[string]*atomic.Int64 // start of the last complete sweep in Unix milliseconds, by part
}

// The parts of a sweep.
const (
	SweepDeliveries = "deliveries"
	SweepHeads      = "heads"
)

// NewMetrics returns metrics with a separate registry.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		deliveries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "causal_deliveries_total", Help: "Webhook deliveries by event and by what became of them at the door.",
		}, []string{"event", "outcome"}),
		runs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "causal_runs_total", Help: "Ended runs of jobs by state and conclusion.",
		}, []string{"state", "conclusion"}),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "causal_run_seconds", Help: "How long runs took.", Buckets: prometheus.ExponentialBuckets(0.1, 2, 14),
		}),
		nodes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "causal_nodes_total", Help: "Knowledge nodes that runs invalidated, ran again and updated.",
		}, []string{"what"}),
		rate: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "causal_github_rate_remaining", Help: "Requests that GitHub's rate limit leaves to an installation.",
		}, []string{"installation", "resource"}),
		ends: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "causal_jobs_ended_total", Help: "Finished jobs, by result or failure class.",
		}, []string{"state", "reason"}),
		waits: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "causal_queue_wait_seconds", Help: "How long jobs waited for their first run.", Buckets: prometheus.ExponentialBuckets(0.05, 3, 11),
		}),
		answers: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "causal_github_request_seconds", Help: "How long GitHub took to answer, by method, endpoint and outcome.",
			Buckets: prometheus.ExponentialBuckets(0.05, 3, 7),
		}, []string{"method", "endpoint", "outcome"}),
	}
	build := buildinfo.Read()
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "causal_build_info", Help: "1, with the build of the program.", ConstLabels: prometheus.Labels{"version": build.Version, "commit": build.Commit},
	}, func() float64 { return 1 }))
	m.swept = map[string]*atomic.Int64{SweepDeliveries: {}, SweepHeads: {}}
	for part, at := range m.swept {
		at.Store(time.Now().UnixMilli())
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "causal_sweep_lag_seconds", Help: "Time since the last sweep began that has looked at everything.",
			ConstLabels: prometheus.Labels{"part": part},
		}, func() float64 { return time.Since(time.UnixMilli(at.Load())).Seconds() }))
	}
	m.registry.MustRegister(m.deliveries, m.runs, m.seconds, m.nodes, m.rate, m.ends, m.waits, m.answers,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Swept records a complete sweep.
func (m *Metrics) Swept(part string, began time.Time) { m.swept[part].Store(began.UnixMilli()) }

func (m *Metrics) delivery(event, outcome string) {
	// Unauthenticated senders must not create labels.
	if _, known := events[event]; !known {
		event = "other"
	}
	m.deliveries.WithLabelValues(event, outcome).Inc()
}

// RunFinished counts a run. It is meant for queue.Options.Finished.
func (m *Metrics) RunFinished(r queue.RunRow) {
	m.runs.WithLabelValues(string(r.State), r.Conclusion).Inc()
	m.seconds.Observe(r.Ended.Sub(r.Started).Seconds())
	switch r.State {
	case queue.Done:
		m.ends.WithLabelValues(string(r.State), r.Conclusion).Inc()
	case queue.Dead:
		m.ends.WithLabelValues(string(r.State), string(r.Class)).Inc()
	}
	if r.Attempt == 1 && !r.Asked.IsZero() {
		m.waits.Observe(max(r.Started.Sub(r.Asked).Seconds(), 0))
	}
	var w Work
	if len(r.Detail) == 0 || json.Unmarshal(r.Detail, &w) != nil {
		return
	}
	for what, n := range map[string]int{"invalidated": w.Invalidated, "rerun": w.Rerun, "updated": w.Updated} {
		m.nodes.WithLabelValues(what).Add(float64(max(n, 0)))
	}
}

// RateRemaining records the rate limit of an installation.
func (m *Metrics) RateRemaining(installation int64, resource string, remaining int) {
	if resource != "core" && resource != "graphql" {
		resource = "other" // bounds the number of labels
	}
	m.rate.WithLabelValues(strconv.FormatInt(installation, 10), resource).Set(float64(remaining))
}

// GitHubAnswered counts an answer of GitHub. Each argument must have few values, since it becomes a label.
func (m *Metrics) GitHubAnswered(method, endpoint, outcome string, took time.Duration) {
	m.answers.WithLabelValues(method, endpoint, outcome).Observe(took.Seconds())
}

var (
	jobsDesc   = prometheus.NewDesc("causal_queue_jobs", "Jobs by state.", []string{"state"}, nil)
	bytesDesc  = prometheus.NewDesc("causal_database_bytes", "Size of the database.", nil, nil)
	oldestDesc = prometheus.NewDesc("causal_queue_oldest_seconds", "Age of the oldest request that is not served and not parked.", nil, nil)
)

type queueCollector struct {
	counter Operated
	now     func() time.Time
}

// Describe implements prometheus.Collector.
func (queueCollector) Describe(out chan<- *prometheus.Desc) {
	out <- jobsDesc
	out <- oldestDesc
	out <- bytesDesc
}

// Collect implements prometheus.Collector. It leaves the metrics out when the database does not answer.
func (c queueCollector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), pingTime)
	defer cancel()
	s, err := c.counter.Stats(ctx)
	if err != nil {
		out <- prometheus.NewInvalidMetric(jobsDesc, err)
		return
	}
	for state, n := range map[string]int{"queued": s.Queued, "running": s.Running, "waiting": s.Waiting, "parked": s.Parked, "dead": s.Dead} {
		out <- prometheus.MustNewConstMetric(jobsDesc, prometheus.GaugeValue, float64(n), state)
	}
	var age float64
	if !s.Oldest.IsZero() {
		age = max(c.now().Sub(s.Oldest).Seconds(), 0)
	}
	out <- prometheus.MustNewConstMetric(oldestDesc, prometheus.GaugeValue, age)
	out <- prometheus.MustNewConstMetric(bytesDesc, prometheus.GaugeValue, float64(s.Bytes))
}
