package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/webhooks/queue"
)

type counter struct {
	stats queue.Stats
	err   error
}

func (c counter) Stats(context.Context) (queue.Stats, error) { return c.stats, c.err }
func (c counter) Ping(context.Context) error                 { return c.err }
func (c counter) RestartAll(context.Context) (int, error)    { return c.stats.Dead, c.err }

var noon = time.Date(2026, 2, 18, 12, 0, 0, 0, time.UTC)

func admin(t *testing.T, c counter, m *Metrics, draining bool) http.Handler {
	t.Helper()
	h, err := Admin(AdminConfig{Queue: c, Metrics: m, Draining: func() bool { return draining }, Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func get(h http.Handler, path string) (int, string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Code, w.Body.String()
}

func TestAdmin(t *testing.T) {
	t.Parallel()
	down := counter{err: errors.New("disk is full")}
	tests := []struct {
		name, path string
		counter    counter
		draining   bool
		want       int
		says       string
	}{
		{name: "alive", path: "/healthz", want: 200, says: "alive"},
		{name: "alive without a database", path: "/healthz", counter: down, want: 200},
		{name: "alive while it stops", path: "/healthz", draining: true, want: 200},
		{name: "ready", path: "/readyz", want: 200, says: "ready"},
		{name: "not ready without a database", path: "/readyz", counter: down, want: 503, says: "disk is full"},
		{name: "not ready while it stops", path: "/readyz", draining: true, want: 503, says: "stopping"},
		{name: "profiles", path: "/debug/pprof/", want: 200, says: "goroutine"},
		{name: "profile", path: "/debug/pprof/goroutine?debug=1", want: 200, says: "goroutine profile"},
		{name: "command line", path: "/debug/pprof/cmdline", want: 200},
		{name: "metrics without a database", path: "/metrics", counter: down, want: 200, says: "go_goroutines"},
		{name: "nothing else", path: "/webhooks", want: 404},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if code, body := get(admin(t, tt.counter, NewMetrics(), tt.draining), tt.path); code != tt.want || !strings.Contains(body, tt.says) {
				t.Errorf("got %d %.200q, want %d and %q", code, body, tt.want, tt.says)
			}
		})
	}
}

func TestRestartDead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		method, origin string
		counter        counter
		want           int
		says           string
	}{
		"restarted":       {method: http.MethodPost, counter: counter{stats: queue.Stats{Dead: 3}}, want: 200, says: "3 dead jobs"},
		"no database":     {method: http.MethodPost, counter: counter{err: errors.New("disk is full")}, want: 503, says: "disk is full"},
		"by a link":       {method: http.MethodGet, want: 405},
		"by another page": {method: http.MethodPost, origin: "https://evil.example", want: 403},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(tt.method, "/restart-dead", nil)
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
			}
			w := httptest.NewRecorder()
			admin(t, tt.counter, NewMetrics(), false).ServeHTTP(w, r)
			if w.Code != tt.want || !strings.Contains(w.Body.String(), tt.says) {
				t.Errorf("got %d %q, want %d and %q", w.Code, w.Body, tt.want, tt.says)
			}
		})
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	m := NewMetrics()
	d := newDoor(t, &inbox{answer: queue.New}, func(c *Config) { c.Metrics = m })
	d.ServeHTTP(httptest.NewRecorder(), request("push", pushed))
	d.ServeHTTP(httptest.NewRecorder(), request("moon_phase", "{}"))
	unsigned := request("push", pushed)
	unsigned.Header.Del(signatureHeader)
	d.ServeHTTP(httptest.NewRecorder(), unsigned)
	m.RunFinished(queue.RunRow{
		State: queue.Done, Started: noon, Ended: noon.Add(3 * time.Second),
		Outcome: queue.Outcome{Conclusion: "updated", Detail: json.RawMessage(`{"invalidated": 5, "rerun": 4, "updated": 2, "pages": []}`)},
	})
	m.RunFinished(queue.RunRow{State: queue.Dead, Class: queue.Fatal, Attempt: 1, Asked: noon, Started: noon.Add(7 * time.Second), Ended: noon.Add(7 * time.Second)})
	m.RunFinished(queue.RunRow{State: queue.Failed, Outcome: queue.Outcome{Detail: json.RawMessage(`[`)}})
	m.RateRemaining(3, "core", 4987)
	m.RateRemaining(3, "scim", 7)
	m.GitHubAnswered("GET", "app", "ok", 40*time.Millisecond)
	stats := queue.Stats{Queued: 1, Running: 2, Waiting: 3, Parked: 5, Dead: 4, Bytes: 4096, Oldest: noon.Add(-90 * time.Second)}
	_, body := get(admin(t, counter{stats: stats}, m, false), "/metrics")
	for _, want := range []string{
		`causal_deliveries_total{event="push",outcome="new"} 1`,
		`causal_deliveries_total{event="other",outcome="ignored"} 1`,
		`causal_deliveries_total{event="push",outcome="unsigned"} 1`,
		`causal_runs_total{conclusion="updated",state="done"} 1`,
		`causal_runs_total{conclusion="",state="failed"} 1`,
		`causal_run_seconds_sum 3`,
		`causal_nodes_total{what="invalidated"} 5`,
		`causal_nodes_total{what="rerun"} 4`,
		`causal_nodes_total{what="updated"} 2`,
		`causal_github_rate_remaining{installation="3",resource="core"} 4987`,
		`causal_github_rate_remaining{installation="3",resource="other"} 7`,
		`causal_github_request_seconds_count{endpoint="app",method="GET",outcome="ok"} 1`,
		`causal_jobs_ended_total{reason="updated",state="done"} 1`,
		`causal_jobs_ended_total{reason="fatal",state="dead"} 1`,
		`causal_queue_wait_seconds_sum 7`,
		`causal_queue_wait_seconds_count 1`,
		`causal_database_bytes 4096`,
		`causal_queue_jobs{state="queued"} 1`,
		`causal_queue_jobs{state="running"} 2`,
		`causal_queue_jobs{state="waiting"} 3`,
		`causal_queue_jobs{state="parked"} 5`,
		`causal_queue_jobs{state="dead"} 4`,
		`causal_queue_oldest_seconds 90`,
		`# TYPE causal_build_info gauge`,
		`# TYPE causal_sweep_lag_seconds gauge`,
	} {
		if !strings.Contains(body, want+"\n") {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	if _, err := Admin(AdminConfig{Queue: counter{}, Metrics: m}); err == nil {
		t.Error("one set of metrics is shown twice")
	}
}
