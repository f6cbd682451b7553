package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/webhooks/queue"
)

type spans struct{ tracer trace.Tracer }

func newSpans(p trace.TracerProvider) spans {
	if p == nil {
		return spans{}
	}
	return spans{p.Tracer("github.com/causaldocs/causal")}
}

func fail(span trace.Span, kind string) {
	if kind != "" {
		span.SetStatus(codes.Error, kind)
	}
}

type answer struct {
	http.ResponseWriter
	status int
}

func (a *answer) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

// Unwrap gives http.ResponseController access to the connection.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// door traces accepted deliveries. Others are only logged, because anyone can send them.
func (s spans) door(h http.Handler, now func() time.Time) http.Handler {
	if s.tracer == nil {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, got := now(), &answer{ResponseWriter: w}
		h.ServeHTTP(got, r)
		if got.status != http.StatusAccepted {
			return
		}
		_, span := s.tracer.Start(r.Context(), "delivery", trace.WithTimestamp(began), trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
			attribute.String("github.event", r.Header.Get("X-Github-Event")), attribute.String("github.delivery", r.Header.Get("X-Github-Delivery")),
			attribute.Int("http.response.status_code", got.status)))
		span.End(trace.WithTimestamp(now()))
	})
}

func (s spans) work(h queue.Handler) queue.Handler {
	if s.tracer == nil {
		return h
	}
	return queue.HandlerFunc(func(ctx context.Context, j queue.Job) (queue.Outcome, error) {
		ctx, span := s.tracer.Start(ctx, "job", trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(
			attribute.String("causal.lane", j.Key()), attribute.String("causal.repository", j.Owner+"/"+j.Name),
			attribute.Int64("causal.run", j.Run), attribute.Int("causal.attempt", j.Attempt), attribute.StringSlice("github.deliveries", j.Deliveries())))
		defer span.End()
		kind := string(queue.Doubtful) // remains set if the handler panics
		defer func() { fail(span, kind) }()
		out, err := h.Handle(ctx, j)
		if kind = ""; err != nil {
			kind = string(queue.ClassOf(err))
		}
		span.SetAttributes(attribute.String("causal.conclusion", out.Conclusion))
		return out, err
	})
}

// analysed is the type of sandbox.Runner's Run.
type analysed = func(context.Context, sandbox.Task, sandbox.Origin) (*sandbox.Result, error)

func (s spans) run(do analysed) analysed {
	if s.tracer == nil {
		return do
	}
	return func(ctx context.Context, t sandbox.Task, origin sandbox.Origin) (*sandbox.Result, error) {
		ctx, span := s.tracer.Start(ctx, "analysis", trace.WithAttributes(attribute.String("causal.commit", t.Commit)))
		defer span.End()
		r, err := do(ctx, t, fetching{origin, s})
		fail(span, kindOf(err))
		return r, err
	}
}

func kindOf(err error) string {
	switch {
	case err == nil:
		return ""
	case isA[*sandbox.RefusedError](err):
		return "refused"
	case isA[*sandbox.StoppedError](err):
		return "stopped"
	}
	return string(queue.ClassOf(err))
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

type fetching struct {
	sandbox.Origin
	spans spans
}

func (f fetching) Fetch(ctx context.Context, commits ...string) error {
	return f.tell(ctx, "commits", len(commits), func(ctx context.Context) error { return f.Origin.Fetch(ctx, commits...) })
}

func (f fetching) FetchBlobs(ctx context.Context, ids ...string) error {
	return f.tell(ctx, "blobs", len(ids), func(ctx context.Context) error { return f.Origin.FetchBlobs(ctx, ids...) })
}

func (f fetching) tell(ctx context.Context, what string, n int, do func(context.Context) error) error {
	ctx, span := f.spans.tracer.Start(ctx, "git fetch", trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("git.objects", what), attribute.Int("git.count", n)))
	defer span.End()
	err := do(ctx)
	fail(span, kindOf(err))
	return err
}

type opened = func(context.Context, int64, int64, github.Permissions) (bot.Client, error)

func (s spans) open(do opened) opened {
	if s.tracer == nil {
		return do
	}
	return func(ctx context.Context, installation, repository int64, p github.Permissions) (bot.Client, error) {
		c, err := do(ctx, installation, repository, p)
		if err != nil {
			return nil, err
		}
		return publishing{c, s}, nil
	}
}

type publishing struct {
	bot.Client
	spans spans
}

func (p publishing) Publish(ctx context.Context, c github.Commit) (string, error) {
	ctx, span := p.spans.tracer.Start(ctx, "publish", published("commit", c))
	defer span.End()
	id, err := p.Client.Publish(ctx, c)
	span.SetAttributes(attribute.String("causal.commit", id))
	fail(span, kindOf(err))
	return id, err
}

func (p publishing) Propose(ctx context.Context, o github.Proposal) (github.Pull, error) {
	ctx, span := p.spans.tracer.Start(ctx, "publish", published("pull request", o.Commit))
	defer span.End()
	pull, err := p.Client.Propose(ctx, o)
	fail(span, kindOf(err))
	return pull, err
}

func published(how string, c github.Commit) trace.SpanStartEventOption {
	return trace.WithAttributes(attribute.String("causal.how", how), attribute.Int("causal.files", len(c.Write)+len(c.Delete)))
}

// answered traces a GitHub request of a job.
func (s spans) answered(ctx context.Context, a github.Answer, now time.Time) {
	if s.tracer == nil || !trace.SpanFromContext(ctx).IsRecording() {
		return
	}
	_, span := s.tracer.Start(ctx, a.Method+" "+a.Endpoint, trace.WithTimestamp(now.Add(-a.Took)), trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(attribute.String("github.endpoint", a.Endpoint), attribute.String("github.outcome", a.Outcome),
			attribute.Int("http.response.status_code", a.Status)))
	span.End(trace.WithTimestamp(now))
}
