package github

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/githubsim"
)

// settled is a world with two threads and their intended states.
func settled(t *testing.T) (*world, int, []Settling) {
	w, number := reviewed(t)
	must(t, w.Review(t.Context(), number, w.repo.Head("fix"), "", twoRemarks))
	threads, err := w.Threads(t.Context(), number)
	must(t, err)
	return w, number, []Settling{
		{Thread: threads[0], Resolve: true, Reply: "Fixed in abc"}, {Thread: threads[1], Edit: "It was better before"},
	}
}

func (w *world) settledAs(number int) string {
	var out []string
	for _, thread := range w.repo.Threads(number) {
		for _, one := range thread.Comments {
			out = append(out, fmt.Sprintf("%s (%d)", strings.ReplaceAll(one.Body, "\n", " "), one.Edits))
		}
		out = append(out, "by "+thread.ResolvedBy)
	}
	return strings.Join(out, "; ")
}

const asAsked = "Both <!-- causal:f 1 --> (0); Fixed in abc (0); by causal[bot]; It was better before (1); by "

func TestThreadsAreSettledByOneRequest(t *testing.T) {
	w, number, list := settled(t)
	ctx := t.Context()
	before := slices.Clone(list)
	for _, writes := range []int{1, 0, 0} {
		w.wrote()
		must(t, w.SettleThreads(ctx, list))
		if got, n := w.settledAs(number), w.wrote(); got != asAsked || n != writes {
			t.Errorf("%d writes: %s", n, got)
		}
	}
	if !slices.Equal(list, before) {
		t.Errorf("the list was changed: %+v", list)
	}
	threads, err := w.Threads(ctx, number)
	must(t, err)
	if threads[0].ResolvedBy != "causal[bot]" || threads[0].Spoken {
		t.Errorf("the App's own reply counts: %+v", threads[0])
	}
	// The finding returns and is fixed again: replies before the last one may be repeated.
	for _, step := range []Settling{{Unresolve: true, Reply: "It is back"}, {Resolve: true, Reply: "Fixed in abc"}} {
		threads, err := w.Threads(ctx, number)
		must(t, err)
		step.Thread = threads[0]
		must(t, w.SettleThreads(ctx, []Settling{step}))
	}
	if got := w.repo.Threads(number)[0]; len(got.Comments) != 4 || got.ResolvedBy == "" {
		t.Errorf("thread %+v", got)
	}
	w.wrote()
	if err := w.SettleThreads(ctx, nil); err != nil || w.wrote() != 0 {
		t.Errorf("nothing to settle: %v", err)
	}
}

// Whatever answer is lost, everything is done once.
func TestSettlingWithLostAnswers(t *testing.T) {
	for how, effect := range effects {
		t.Run(how, func(t *testing.T) {
			w, number, list := settled(t)
			w.sim.Faults(githubsim.Fault{Operation: "graphql/addPullRequestReviewThreadReply", Effect: effect})
			must(t, w.SettleThreads(t.Context(), list))
			if got := w.settledAs(number); got != asAsked {
				t.Error(got)
			}
		})
	}
}

func TestSettlingWaitsForALimit(t *testing.T) {
	w, number, list := settled(t)
	w.sim.Faults(githubsim.Fault{Operation: "graphql/addPullRequestReviewThreadReply", Effect: githubsim.SecondaryLimit(time.Minute)})
	limited := RateLimited{}
	if err := w.SettleThreads(t.Context(), list); !errors.As(err, &limited) {
		t.Error(problem(err, limited))
	}
	if got := w.repo.Threads(number); len(got[0].Comments) != 1 {
		t.Errorf("threads %+v", got)
	}
}

// TestPartOfASettlingFails checks that a failure does not affect the other threads, and is returned.
func TestPartOfASettlingFails(t *testing.T) {
	w, number, list := settled(t)
	ctx := t.Context()
	must(t, w.repo.DeleteComment(w.repo.Threads(number)[1].Comments[0].ID, "octo"))
	err := w.SettleThreads(ctx, list)
	if !errors.Is(err, ErrGone) || !strings.Contains(err.Error(), "edit "+list[1].Thread.URL) {
		t.Error(problem(err, ErrGone))
	}
	if got := w.settledAs(number); got != "Both <!-- causal:f 1 --> (0); Fixed in abc (0); by causal[bot]" {
		t.Error(got)
	}
}

// Without the permission to resolve a thread all else is done, once, and the error names it.
func TestSettlingWithoutContents(t *testing.T) {
	w, number, list := settled(t)
	weak := w.open(Permissions{"contents": "read", "pull_requests": "write", "metadata": "read"})
	for range 2 {
		err := weak.SettleThreads(t.Context(), list)
		if failed := (*Error)(nil); !errors.As(err, &failed) || !errors.Is(failed, ErrForbidden) || failed.Needs != "contents=write" {
			t.Error(problem(err, ErrForbidden))
		}
		if got := w.settledAs(number); got != strings.Replace(asAsked, "causal[bot]", "", 1) {
			t.Error(got)
		}
	}
}

// Answers that a well-behaved GitHub does not give.
func TestSettlingOfOddAnswers(t *testing.T) {
	list := []Settling{{Thread: Thread{ID: "T", URL: "https://gh/1"}, Resolve: true}}
	open := says(200, object{"data": object{"nodes": []any{object{"id": "T", "comments": object{"nodes": []any{}}}}}})
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		want   error
	}{
		"no GraphQL":    {says(404, message("Not Found")), ErrRefused},
		"no mutation":   {says(200, object{"errors": []any{object{"type": "undefinedField", "message": "Field 'resolveReviewThread' doesn't exist on type 'Mutation'"}}}), ErrRefused},
		"no such part":  {says(200, object{"data": object{"c0": nil}, "errors": []any{object{"message": "Something odd"}}}), ErrRefused},
		"nothing":       {says(200, object{}), ErrUnavailable},
		"a bad gateway": {says(502, nil), ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.on("POST /graphql", func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(f.last().body, "mutation") {
					test.answer(w, r)
					return
				}
				open(w, r)
			})
			if err := f.client().SettleThreads(t.Context(), list); !errors.Is(err, test.want) {
				t.Error(problem(err, test.want))
			}
		})
	}
}

func TestManyThreadsAreSettled(t *testing.T) {
	w, number := reviewed(t)
	var many []Remark
	for n := range 2*settledAtOnce + 1 {
		many = append(many, Remark{Path: "a.go", Line: 2, Body: fmt.Sprint(n)})
	}
	must(t, w.Review(t.Context(), number, w.repo.Head("fix"), "", many))
	threads, err := w.Threads(t.Context(), number)
	must(t, err)
	var list []Settling
	for _, thread := range threads {
		list = append(list, Settling{Thread: thread, Resolve: true})
	}
	w.wrote()
	must(t, w.SettleThreads(t.Context(), list))
	if n := w.wrote(); n != 3 || slices.ContainsFunc(w.repo.Threads(number), func(t githubsim.Thread) bool { return t.ResolvedBy == "" }) {
		t.Errorf("%d writes", n)
	}
}
