package webhooks

import (
	"context"
	"fmt"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

const pingTime = 2 * time.Second

// AdminConfig configures the operators' port, which exposes internals and must not be public.
type AdminConfig struct {
	Queue    Operated
	Metrics  *Metrics
	Draining func() bool // may be nil
	Now      func() time.Time
}

// Admin returns the handler of the operators' port: /healthz, /readyz, /metrics, /restart-dead and /debug/pprof.
func Admin(config AdminConfig) (http.Handler, error) {
	if config.Now == nil {
		config.Now = time.Now
	}
	if err := config.Metrics.registry.Register(queueCollector{config.Queue, config.Now}); err != nil {
		return nil, fmt.Errorf("register the metrics of the queue: %w", err)
	}
	router := chi.NewRouter()
	router.Get("/healthz", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "alive") })
	router.Get("/readyz", func(w http.ResponseWriter, r *http.Request) { ready(w, r, config) })
	router.Get("/metrics", promhttp.HandlerFor(config.Metrics.registry, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, // the other metrics matter most when the database is down
	}).ServeHTTP)
	// Keep web pages opened on the same machine from triggering this.
	router.With(http.NewCrossOriginProtection().Handler).Post("/restart-dead", func(w http.ResponseWriter, r *http.Request) { restartDead(w, r, config) })
	router.Get("/debug/pprof/cmdline", pprof.Cmdline)
	router.Get("/debug/pprof/profile", pprof.Profile)
	router.Get("/debug/pprof/symbol", pprof.Symbol)
	router.Get("/debug/pprof/trace", pprof.Trace)
	router.Get("/debug/pprof/*", pprof.Index)
	return router, nil
}

func ready(w http.ResponseWriter, r *http.Request, config AdminConfig) {
	if config.Draining != nil && config.Draining() {
		say(w, http.StatusServiceUnavailable, "stopping")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), pingTime)
	defer cancel()
	if err := config.Queue.Ping(ctx); err != nil {
		say(w, http.StatusServiceUnavailable, "the database does not work: "+err.Error())
		return
	}
	say(w, http.StatusOK, "ready")
}

func restartDead(w http.ResponseWriter, r *http.Request, config AdminConfig) {
	n, err := config.Queue.RestartAll(r.Context())
	if err != nil {
		say(w, http.StatusServiceUnavailable, "not all dead jobs could be restarted: "+err.Error())
		return
	}
	say(w, http.StatusOK, fmt.Sprintf("%d dead jobs are queued again", n))
}

func say(w http.ResponseWriter, status int, sentence string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintln(w, sentence)
}
