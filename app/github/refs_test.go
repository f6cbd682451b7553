package github

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
)

// before does something right before the first request of a kind is sent.
type before struct {
	body string // in the request
	do   func()
}

func (b *before) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPost && b.do != nil {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(bytes.NewReader(text))
		if do := b.do; strings.Contains(string(text), b.body) {
			b.do = nil
			do()
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestPushInBetweenIsKept pushes between the last read of the branch and its update.
func TestPushInBetweenIsKept(t *testing.T) {
	for name, act := range map[string]func(*world) error{
		"rolled":    func(w *world) error { _, err := w.Propose(w.t.Context(), w.proposal("two\n")); return err },
		"withdrawn": func(w *world) error { return w.Withdraw(w.t.Context(), "main", docsBranch) },
	} {
		for login, want := range map[string]error{"mona": ErrForeign, "causal[bot]": ErrHeadMoved} {
			t.Run(name+" by "+login, func(t *testing.T) {
				w := newWorld(t)
				_, err := w.Propose(t.Context(), w.proposal("one\n"))
				must(t, err)
				w.through(&before{body: "updateRefs", do: func() { w.push(docsBranch, login) }})
				if err := act(w); !errors.Is(err, want) {
					t.Error(problem(err, want))
				}
				history, err := w.repo.Log(docsBranch)
				if err != nil || len(history) != 3 || history[0][1] != "Work" {
					t.Errorf("the push is lost: %q, %v", history, err)
				}
				if pulls := w.repo.Pulls(); len(pulls) != 1 || pulls[0].State != "open" {
					t.Errorf("pull requests %+v", pulls)
				}
			})
		}
	}
}

// A server that does not know updateRefs is asked over REST.
func TestRollingWithoutUpdateRefs(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	_, err := w.Propose(ctx, w.proposal("one\n"))
	must(t, err)
	w.sim.Faults(githubsim.Fault{Operation: "graphql/updateRefs", Times: -1, Effect: githubsim.Refuse(http.StatusNotFound, "Not Found")})
	w.push("main", "mona")
	_, err = w.Propose(ctx, w.proposal("two\n"))
	must(t, err)
	w.rolled("two\n")
	must(t, w.Withdraw(ctx, "main", docsBranch))
	if pulls := w.repo.Pulls(); len(pulls) != 1 || pulls[0].State != "closed" || w.repo.Head(docsBranch) != "" {
		t.Errorf("pull requests %+v, branch at %q", pulls, w.repo.Head(docsBranch))
	}
}

func TestRefusedSwapIsToldAsItIs(t *testing.T) {
	w := newWorld(t)
	_, err := w.Propose(t.Context(), w.proposal("one\n"))
	must(t, err)
	w.repo.Protect(docsBranch)
	theirs := w.repo.Head(docsBranch)
	if err := w.Withdraw(t.Context(), "main", docsBranch); !errors.Is(err, ErrProtected) || w.repo.Head(docsBranch) != theirs {
		t.Error(problem(err, ErrProtected))
	}
}
