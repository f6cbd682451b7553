package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// kinds are the Origin's errors that change the course of a run.
var kinds = map[string]error{
	"unknown object": gitstore.ErrUnknownObject, "gone": gitstore.ErrGone, "unavailable": gitstore.ErrUnavailable, "too large": gitstore.ErrTooLarge,
}

// asker is the Origin of a child: each call is a message to the parent.
type asker struct {
	in  io.Reader
	out io.Writer
	mu  sync.Mutex

	asks  model.Settings // identifies the parent's model; zero for none
	clock *clock         // of the current review; may be nil
}

type askedError struct{ answer }

func (e *askedError) Error() string { return e.answer.Error }

func (e *askedError) Is(target error) bool { return kinds[e.Kind] == target }

func (a *asker) call(ctx context.Context, call string, ids ...string) (answer, error) {
	return a.ask(ctx, ask{Call: call, IDs: ids})
}

func (a *asker) ask(ctx context.Context, what ask) (answer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return answer{}, err
	}
	if err := send(a.out, message{Ask: &what}); err != nil {
		return answer{}, fmt.Errorf("ask the parent: %w", err)
	}
	m, err := receive(a.in)
	if err == nil && m.Answer == nil {
		err = errMessage
	}
	if err != nil {
		return answer{}, fmt.Errorf("ask the parent: %w", err)
	}
	if m.Answer.Error != "" {
		return answer{}, &askedError{*m.Answer}
	}
	return *m.Answer, nil
}

// tell sends a message without a response. All messages of a child use the asker, so they do not interleave.
func (a *asker) tell(m message) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return send(a.out, m)
}

func (a *asker) Fetch(ctx context.Context, commits ...string) error {
	_, err := a.call(ctx, callFetch, commits...)
	return err
}

func (a *asker) FetchBlobs(ctx context.Context, ids ...string) error {
	_, err := a.call(ctx, callBlobs, ids...)
	return err
}

func (a *asker) Mend(ctx context.Context) error {
	_, err := a.call(ctx, callMend)
	return err
}

func (a *asker) MergeBase(ctx context.Context, x, y string) (string, error) {
	got, err := a.call(ctx, callMergeBase, x, y)
	return got.ID, err
}

func (a *asker) Contains(ctx context.Context, ref, commit string) (bool, error) {
	got, err := a.call(ctx, callContains, ref, commit)
	return got.Yes, err
}

func (a *asker) Tag(ctx context.Context, commit, name string) (gitstore.Tag, error) {
	got, err := a.ask(ctx, ask{Call: callTag, IDs: []string{commit}, Name: name})
	return got.Tag, err
}

// model returns a Run that uses the parent's model within the configuration's limits, nil if the parent has none. The
// clock of a review is paused during requests.
func (a *asker) model(c config.Model) *model.Run {
	if a.asks.Name == "" {
		return nil
	}
	return model.Through(a.asks, func(ctx context.Context, q prompt.Request) (model.Relayed, error) {
		if a.clock != nil {
			a.clock.pause()
			defer a.clock.resume()
		}
		got, err := a.ask(ctx, ask{Call: callModel, Request: &q})
		if err == nil && got.Relayed == nil {
			err = errMessage
		}
		if err != nil {
			return model.Relayed{}, err
		}
		return *got.Relayed, nil
	}, model.Options{Use: c.Use, Tokens: c.TokensPerRun})
}

// signer returns a signer that uses the parent's key, nil if there is none.
func (a *asker) signer(ctx context.Context, key string) (*ledger.Signer, error) {
	if key == "" {
		return nil, nil
	}
	return ledger.SignerElsewhere(key, func(text []byte) ([]byte, error) {
		got, err := a.ask(ctx, ask{Call: callSign, Text: text})
		return got.Signature, err
	})
}

// Limits of a child's requests in one run.
const (
	mostAsks = 10_000
	mostIDs  = 2_000_000 // objects of one call; a first run asks for all sources at once
	mostMend = 3
	mostTags = 1000 // one for each tag that the skills of a repository name
	mostSign = 4    // one for comments, and one for the consequences of a push
	// mostModel limits the requests to a model, and mostWaiting the time for them. The next run continues.
	mostModel   = 500
	mostWaiting = 8 * time.Minute // a job has 15
	// mostAsking is mostWaiting for a run that answers questions: another run of the job may follow.
	mostAsking = 4 * time.Minute
)

type server struct {
	origin Origin
	signer *ledger.Signer // may be nil
	model  *model.Run     // may be nil
	asks   int
	mends  int
	tags   int
	signs  int
	models int
	waited time.Duration // for the model
	most   time.Duration // limit of waited
	failed error         // the last error of the Origin
}

func newServer(t Task, origin Origin) server {
	s := server{origin: origin, signer: t.Signer, model: t.Model, most: mostWaiting}
	if len(t.Questions) > 0 {
		s.most = mostAsking
	}
	return s
}

// serve answers one request. The Origin validates the arguments.
func (s *server) serve(ctx context.Context, a ask) (answer, error) {
	s.asks++
	switch a.Call {
	case callMend:
		s.mends++
	case callTag:
		s.tags++
	case callSign:
		return s.sign(a.Text)
	case callModel:
		return s.complete(ctx, a.Request)
	}
	exactly, fixed := map[string]int{callMergeBase: 2, callContains: 2, callTag: 1}[a.Call]
	if s.asks > mostAsks || s.mends > mostMend || s.tags > mostTags || len(a.IDs) > mostIDs || fixed && len(a.IDs) != exactly {
		return answer{}, fmt.Errorf("%w: it asks %s for %d objects", errMessage, a.Call, len(a.IDs))
	}
	var out answer
	var err error
	switch a.Call {
	case callFetch:
		err = s.origin.Fetch(ctx, a.IDs...)
	case callBlobs:
		err = s.origin.FetchBlobs(ctx, a.IDs...)
	case callMend:
		err = s.origin.Mend(ctx)
	case callMergeBase:
		out.ID, err = s.origin.MergeBase(ctx, a.IDs[0], a.IDs[1])
	case callContains:
		out.Yes, err = s.origin.Contains(ctx, a.IDs[0], a.IDs[1])
	case callTag:
		out.Tag, err = s.origin.Tag(ctx, a.IDs[0], a.Name)
	default:
		return answer{}, fmt.Errorf("%w: it asks for %q", errMessage, a.Call)
	}
	if err != nil {
		s.failed, out.Error = err, err.Error()
		for kind, known := range kinds {
			if errors.Is(err, known) {
				out.Kind = kind
			}
		}
	}
	return out, nil
}

// complete asks the model. The Run of the model limits the cost and redacts the request.
func (s *server) complete(ctx context.Context, q *prompt.Request) (answer, error) {
	if q == nil || s.model == nil {
		return answer{}, fmt.Errorf("%w: it asks a model", errMessage)
	}
	if s.models++; s.models > mostModel || s.waited > s.most {
		return answer{Relayed: &model.Relayed{Reason: prompt.Budget, Error: "the run has used its requests or its time for a model; the next run continues"}}, nil
	}
	began := time.Now()
	got := s.model.Relay(ctx, *q)
	s.waited += time.Since(began)
	if err := ctx.Err(); err != nil {
		return answer{}, context.Cause(ctx)
	}
	return answer{Relayed: &got}, nil
}

// sign signs only checkpoints, which are all that the parent attests. Each repository has a separate key.
func (s *server) sign(text []byte) (answer, error) {
	if s.signs++; s.signer == nil || s.signs > mostSign || len(text) > ledger.MostCheckpoint {
		return answer{}, fmt.Errorf("%w: it asks for a signature of %d bytes", errMessage, len(text))
	}
	signature, err := s.signer.SignCheckpoint(text)
	if err != nil {
		return answer{}, fmt.Errorf("%w: %w", errMessage, err)
	}
	return answer{Signature: signature}, nil
}
