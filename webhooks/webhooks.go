// Package webhooks is the door: what GitHub delivers is checked, understood as far as to know which branches and pull
// requests it wants to be brought up to date, and written down before it is answered. Nothing else happens here; the work is
// done from the queue.
//
// An answered delivery is never lost: 202 and 200 are sent after the transaction. Everything else asks GitHub, or the
// sweeper, to deliver once more.
//
// Anybody can knock. Who did is known when the signature of the last byte is, so that until then little may be spent: a body
// is hashed and sifted while it arrives, of which some kilobytes are held at a time; so many of them are read at once, and
// those that take their time make room for others; and the large ones wait for each other, so that the small ones, which nearly
// all deliveries are, wait for none of them.
package webhooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/causaldocs/causal/webhooks/logctx"
	"github.com/causaldocs/causal/webhooks/queue"
)

// DefaultPath is where deliveries are taken in, whatever other paths there are.
const DefaultPath = "/webhooks"

// writeTime is how long it may take to write a delivery down: GitHub waits for ten seconds.
const writeTime = 8 * time.Second

// Inbox is where deliveries are written down. The queue is one.
type Inbox interface {
	Accept(ctx context.Context, d queue.Delivery, subjects []queue.Subject) (queue.Acceptance, error)
	Note(ctx context.Context, d queue.Delivery, outcome string) error
}

// Config of a door.
type Config struct {
	Inbox   Inbox
	Secrets []string                      // any of them signs; at least one
	Paths   []string                      // where deliveries are taken in besides DefaultPath
	Bot     func() string                 // the login that the App commits with, "causal[bot]"; empty while it is not known
	Own     func(p string) bool           // whether the App alone writes a path
	Rules   string                        // the file of a branch whose rules count for pull requests to it
	Allowed func(owner, name string) bool // whether a repository is worked for
	Now     func() time.Time
	Logger  *slog.Logger // its lines say what they belong to through logctx.Handler
	Metrics *Metrics
}

// Door takes deliveries in. It is the handler of the public port.
type Door struct {
	config   Config
	handler  http.Handler
	small    *room
	large    *room
	turns    chan struct{} // a place for each large body that is worked on at this moment
	draining atomic.Bool
}

// New makes a door. It refuses to be one that anybody can open.
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
		config: config, turns: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
		small: &room{seats: smallSeats, fair: smallFair, patience: smallPatience},
		large: &room{seats: largeSeats, fair: largeFair, patience: largePatience},
	}
	router := chi.NewRouter()
	router.Use(d.recover)
	for _, path := range append([]string{DefaultPath}, config.Paths...) {
		router.Post(path, d.deliver)
	}
	d.handler = router
	return d, nil
}

// ServeHTTP takes a delivery in.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.handler.ServeHTTP(w, r) }

// Drain refuses deliveries from now on; they come again, to another replica or after the restart.
func (d *Door) Drain() { d.draining.Store(true) }

// Draining reports whether deliveries are refused.
func (d *Door) Draining() bool { return d.draining.Load() }

// reply is what GitHub is told, with a sentence for who looks at the delivery there.
type reply struct {
	status   int
	outcome  string // the label in the metrics
	sentence string
	unread   bool // some of the body was not read
}

func (d *Door) deliver(w http.ResponseWriter, r *http.Request) {
	began := d.config.Now()
	delivery := queue.Delivery{GUID: r.Header.Get("X-Github-Delivery"), Event: r.Header.Get("X-Github-Event"), Received: began}
	ctx := logctx.With(r.Context(), slog.String("delivery", clip(delivery.GUID)), slog.String("event", clip(delivery.Event)))
	answer, ctx, err := d.receive(ctx, w, r, &delivery)
	attrs := []slog.Attr{slog.String("outcome", answer.outcome), slog.Int("status", answer.status), slog.Duration("took", d.config.Now().Sub(began))}
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
		w.Header().Set("Connection", "close") // or net/http would read on, to use the connection again
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(answer.status)
	_, _ = io.WriteString(w, answer.sentence+"\n") // whoever went away without the answer gets it when it delivers again
}

// clip bounds what strangers can write into the log.
func clip(s string) string { return s[:min(len(s), 100)] }

// receive does everything up to the answer. The context that it returns knows more of the delivery; the error is for the
// log, not for the answer.
func (d *Door) receive(ctx context.Context, w http.ResponseWriter, r *http.Request, delivery *queue.Delivery) (reply, context.Context, error) {
	kept, refusal, err := d.read(w, r, *delivery)
	if refusal.status != 0 {
		return refusal, ctx, err
	}
	p, err := kept.payload(delivery.Event)
	if err != nil {
		return d.refuse(ctx, *delivery, err)
	}
	delivery.Action, delivery.Installation, delivery.Repository, delivery.Told = p.Action, p.Installation.ID, p.Repository.ID, p.told()
	ctx = logctx.With(ctx, slog.String("action", clip(p.Action)), slog.String("repository", clip(p.Repository.FullName)))
	if kept.cut {
		d.config.Logger.WarnContext(ctx, "a list in the payload is longer than the limit; a sweep handles the rest")
	}
	want := d.wants(delivery.Event, p)
	if want.outcome == NotAllowed { // whoever installs the App must not be able to fill the database
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

// refuse answers what was signed and makes no sense. It is noted, because nothing would become of it if it came again, which
// sweeps would ask for.
func (d *Door) refuse(ctx context.Context, delivery queue.Delivery, problem error) (reply, context.Context, error) {
	if _, err := d.keep(ctx, delivery, nothing("malformed")); err != nil {
		return unavailable, ctx, errors.Join(problem, err)
	}
	return reply{status: http.StatusBadRequest, outcome: "malformed", sentence: "The payload is no JSON object of GitHub's form."}, ctx, problem
}

// keep writes the delivery down. All of it has come and it is signed: it is done whether or not anybody waits for the answer, and
// whoever was told to make room just then has its connection for gone.
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
		status: http.StatusAccepted, outcome: string(accepted), sentence: fmt.Sprintf("Accepted: %d updates.", len(want.subjects)),
	}, nil
}

// recover keeps a fault in here from taking the connection down without a word.
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
