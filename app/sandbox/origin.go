package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/ledger"
)

// kinds are the errors of the Origin by which a run goes on otherwise than it would.
var kinds = map[string]error{
	"unknown object": gitstore.ErrUnknownObject, "gone": gitstore.ErrGone, "unavailable": gitstore.ErrUnavailable, "too large": gitstore.ErrTooLarge,
}

// asker is the Origin as a child sees it: each call is a message to the parent.
type asker struct {
	in  io.Reader
	out io.Writer
	mu  sync.Mutex
}

// askedError is an error of the Origin.
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

// tell sends what needs no answer. Whatever a child says goes through the asker: two messages must not mingle.
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

// signer is the parent's, which has the key; nil where there is none.
func (a *asker) signer(ctx context.Context, key string) (*ledger.Signer, error) {
	if key == "" {
		return nil, nil
	}
	return ledger.SignerElsewhere(key, func(text []byte) ([]byte, error) {
		got, err := a.ask(ctx, ask{Call: callSign, Text: text})
		return got.Signature, err
	})
}

// Bounds of what a child may ask for in one run.
const (
	mostAsks = 10_000
	mostIDs  = 2_000_000 // objects of one call; a first run asks for all sources at once
	mostMend = 3
	mostSign = 4 // one for what people say, and one for what a push caused
)

// server serves a child's asks from the Origin, and counts them.
type server struct {
	origin Origin
	signer *ledger.Signer // nil where nothing is signed
	asks   int
	mends  int
	signs  int
	failed error // the last error of the Origin
}

// serve answers one ask. What comes from a child is checked where the Origin checks it: an id is an id.
func (s *server) serve(ctx context.Context, a ask) (answer, error) {
	s.asks++
	switch a.Call {
	case callMend:
		s.mends++
	case callSign:
		return s.sign(a.Text)
	}
	pair := a.Call == callMergeBase || a.Call == callContains
	if s.asks > mostAsks || s.mends > mostMend || len(a.IDs) > mostIDs || pair && len(a.IDs) != 2 {
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

// sign signs a checkpoint. A child knows of what: nothing else in the repository is the parent's to vouch for, and no other repository has the
// key.
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
