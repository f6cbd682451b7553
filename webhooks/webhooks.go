// Package webhooks receives GitHub's webhook deliveries: it authenticates them, determines which branches and pull
// requests to update, and stores them in the queue before answering. The queue does the work.
//
// An answered delivery is never lost: 200 and 202 are sent after the transaction. Any other status makes GitHub or the
// sweeper deliver again.
//
// A sender is authenticated only by the signature over the whole body, so little may be spent before: the number of bodies
// read at once is limited, slow ones are evicted, and large ones wait for each other, never delaying small ones.
package webhooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/causaldocs/causal/webhooks/logctx"
	"github.com/causaldocs/causal/webhooks/queue"
)

// DefaultPath receives deliveries.
const DefaultPath = "/webhooks"

// writeTime limits storing a delivery: GitHub waits ten seconds.
const writeTime = 8 * time.Second

// Inbox stores deliveries. The queue is one.
type Inbox interface {
	Accept(ctx context.Context, d queue.Delivery, subjects []queue.Subject) (queue.Acceptance, error)
	Note(ctx context.Context, d queue.Delivery, outcome string) error
}

// Config configures a Door.
type Config struct {
	Inbox   Inbox
	Secrets []string                      // at least one; any of them may sign
	Bot     func() string                 // login of the App, such as "causal[bot]"; empty if unknown
	Own     func(p string) bool           // reports whether only the App writes a path
	Rules   string                        // path of the file whose rules apply to pull requests to a branch
	Allowed func(owner, name string) bool // reports whether the server works for a repository
	Now     func() time.Time
	Logger  *slog.Logger // should use logctx.Handler
	Metrics *Metrics
}

// Door receives deliveries. It is the handler of the public port.
type Door struct {
	config   Config
	handler  http.Handler
	small    *room
	large    *room
	draining atomic.Bool
}

// New returns a door. It rejects an insecure configuration.
func New(config Config) (*Door, error) {
	if err := checkSecrets(config.Secrets); err != nil {
		return nil, err
	}
	if config.Inbox == nil {
		return nil, errors.New("the door needs an inbox")
	}
	config.Logger = cmp.Or(config.Logger, slog.New(slog.DiscardHandler))
	config.Metrics = cmp.Or(config.Metrics, NewMetrics())
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Bot == nil {
		config.Bot = func() string { return "" }
	}
	if config.Allowed == nil {
		config.Allowed = func(string, string) bool { return true }
	}
	if config.Own == nil {
		config.Own = func(string) bool { return false }
	}
	d := &Door{
		config: config,
		small:  &room{seats: smallSeats, fair: smallFair, patience: smallPatience},
		large:  &room{seats: largeSeats, fair: largeFair, patience: largePatience},
	}
	router := chi.NewRouter()
	router.Use(d.recover)
	router.Post(DefaultPath, d.deliver)
	d.handler = router
	return d, nil
}

// ServeHTTP implements http.Handler.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.handler.ServeHTTP(w, r) }

// Drain refuses all further deliveries. GitHub delivers them again, to another replica or after the restart.
func (d *Door) Drain() { d.draining.Store(true) }

// Draining reports whether deliveries are refused.
func (d *Door) Draining() bool { return d.draining.Load() }

// reply is the answer to a delivery, with a sentence for readers of GitHub's delivery log.
type reply struct {
	status   int
	outcome  string // metrics label
	sentence string
	unread   bool // part of the body was not read
}

func (d *Door) deliver(w http.ResponseWriter, r *http.Request) {
	began := d.config.Now()
	delivery := queue.Delivery{GUID: r.Header.Get("X-Github-Delivery"), Event: r.Header.Get("X-Github-Event"), Received: began}
	ctx := logctx.With(r.Context(), slog.String("delivery", clip(delivery.GUID)), slog.String("event", clip(delivery.Event)))
	answer, ctx, err := d.receive(ctx, w, r, &delivery)
	attrs := []slog.Attr{slog.String("outcome", answer.outcome), slog.Int("status", answer.status), slog.Int64("took_ms", d.config.Now().Sub(began).Milliseconds())}
	level := slog.LevelInfo
	if answer.status >= http.StatusBadRequest {
		level = slog.LevelWarn
	}
	if err != nil {
		attrs = append(attrs, slog.Any("err", err))
	}
	d.config.Logger.LogAttrs(ctx, level, "delivery", attrs...)
	d.config.Metrics.delivery(delivery.Event, answer.outcome)
	if answer.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "30")
	}
	if answer.unread {
		w.Header().Set("Connection", "close") // otherwise net/http would read the rest to reuse the connection
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(answer.status)
	_, _ = io.WriteString(w, answer.sentence+"\n") // if the client is gone, it delivers again
}

// clip limits untrusted text in the log.
func clip(s string) string { return s[:min(len(s), 100)] }

// receive processes a delivery up to the answer. The returned context has more log attributes; the error is for the log
// only.
func (d *Door) receive(ctx context.Context, w http.ResponseWriter, r *http.Request, delivery *queue.Delivery) (reply, context.Context, error) {
	body, refusal, err := d.read(w, r, *delivery)
	if refusal.status != 0 {
		return refusal, ctx, err
	}
	p, err := parse(delivery.Event, body)
	if err != nil {
		return d.refuse(ctx, *delivery, err)
	}
	delivery.Action, delivery.Installation, delivery.Repository, delivery.Told = p.Action, p.Installation.ID, p.Repository.ID, p.told()
	ctx = logctx.With(ctx, slog.String("action", clip(p.Action)), slog.String("repository", clip(p.Repository.FullName)))
	if n := len(p.Repositories) + len(p.RepositoriesAdded); n > mostRepositories {
		d.config.Logger.WarnContext(ctx, "a sweep handles the repositories beyond the limit", "repositories", n, "limit", mostRepositories)
	}
	want := d.wants(delivery.Event, p)
	if want.outcome == NotAllowed { // otherwise anyone who installs the App could fill the database
		return reply{status: http.StatusAccepted, outcome: NotAllowed, sentence: "This server does not work for this repository."}, ctx, nil
	}
	delivery.Restores, delivery.Mends = want.restores, want.mends
	answer, err := d.keep(ctx, *delivery, want)
	if err != nil {
		return unavailable, ctx, err
	}
	return answer, ctx, nil
}

var unavailable = reply{status: http.StatusServiceUnavailable, outcome: "unavailable", sentence: "The delivery could not be written down. Please deliver it again."}

// refuse answers a signed delivery that makes no sense. It is recorded, or sweeps would request it again.
func (d *Door) refuse(ctx context.Context, delivery queue.Delivery, problem error) (reply, context.Context, error) {
	if _, err := d.keep(ctx, delivery, nothing("malformed")); err != nil {
		return unavailable, ctx, errors.Join(problem, err)
	}
	return reply{status: http.StatusBadRequest, outcome: "malformed", sentence: "The payload is no JSON object of GitHub's form."}, ctx, problem
}

// keep stores a delivery. The body is complete and signed, so it is stored even if the client is gone, or its
// connection was interrupted by an eviction.
func (d *Door) keep(ctx context.Context, delivery queue.Delivery, want want) (reply, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTime)
	defer cancel()
	if len(want.subjects) == 0 {
		if err := d.config.Inbox.Note(ctx, delivery, want.outcome); err != nil {
			return reply{}, fmt.Errorf("note delivery: %w", err)
		}
		return reply{status: http.StatusOK, outcome: want.outcome, sentence: "There is nothing to do: " + want.outcome + "."}, nil
	}
	accepted, err := d.config.Inbox.Accept(ctx, delivery, want.subjects)
	if err != nil {
		return reply{}, fmt.Errorf("accept delivery: %w", err)
	}
	if accepted == queue.Known {
		return reply{status: http.StatusOK, outcome: string(accepted), sentence: "This delivery is known, and done or about to be."}, nil
	}
	return reply{
		status: http.StatusAccepted, outcome: string(accepted), sentence: "Accepted. Updates asked for: " + strconv.Itoa(len(want.subjects)) + ".",
	}, nil
}

func (d *Door) recover(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				d.config.Logger.ErrorContext(r.Context(), "panic at the door", "panic", p, "stack", string(debug.Stack()))
				d.config.Metrics.delivery("", "panic")
				http.Error(w, "The delivery could not be read. This is a fault of the server.", http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r)
	})
}
