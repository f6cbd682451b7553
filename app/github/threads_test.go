package github

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/githubsim"
)

// reviewed is a world with a pull request that changes lines 2 and 3 of a file of four.
func reviewed(t *testing.T) (*world, int) {
	w := newWorld(t)
	_, err := w.repo.Push("main", githubsim.Change{Message: "Begin", Write: map[string]string{"a.go": "1\n2\n3\n4\n"}})
	must(t, err)
	_, err = w.repo.Push("fix", githubsim.Change{Message: "Fix", Login: "mona", Write: map[string]string{"a.go": "1\ntwo\nthree\n4\n"}})
	must(t, err)
	number, err := w.repo.OpenPull("fix", "main", "Fix", "mona")
	must(t, err)
	return w, number
}

// said lists the comments in the threads of a pull request.
func (w *world) said(number int) []string {
	var out []string
	for _, thread := range w.repo.Threads(number) {
		for _, one := range thread.Comments {
			out = append(out, one.Author+": "+one.Body)
		}
	}
	return out
}

var twoRemarks = []Remark{
	{Path: "a.go", StartLine: 2, Line: 3, Body: "Both\n<!-- causal:f 1 -->"},
	{Path: "a.go", Line: 2, Left: true, Body: "It was better"},
}

func TestThreadsAreThoseOfTheApp(t *testing.T) {
	w, number := reviewed(t)
	ctx := t.Context()
	place := githubsim.Place{Path: "a.go", Line: 2}
	for _, login := range []string{"mona", "causal"} { // one who has the App's name
		_, err := w.repo.Remark(number, place, "Both\n<!-- causal:f 1 -->", login)
		must(t, err)
	}
	must(t, w.Review(ctx, number, w.repo.Head("fix"), "", twoRemarks))
	all := w.repo.Threads(number)
	if all[2].StartLine != 2 || all[2].Line != 3 || all[2].Side != "RIGHT" || all[3].Side != "LEFT" || all[3].Line != 2 {
		t.Errorf("placed at %+v", all)
	}
	threads, err := w.Threads(ctx, number)
	if err != nil || len(threads) != 2 || threads[0].ID != all[2].ID || threads[0].Body != twoRemarks[0].Body || threads[0].URL == "" || threads[0].Comment == "" ||
		threads[0].Resolved || threads[0].Spoken {
		t.Fatalf("threads %+v, %v", threads, err)
	}
	_, err = w.repo.Reply(all[2].ID, "No", "causal")
	must(t, err)
	must(t, w.repo.ResolveThread(all[3].ID, "mona"))
	_, err = w.repo.Push("fix", githubsim.Change{Message: "More", Login: "mona", Write: map[string]string{"a.go": "1\ntwo\nthree!\n4\n"}})
	must(t, err)
	threads, err = w.Threads(ctx, number)
	if err != nil || !threads[0].Spoken || threads[0].Resolved || threads[1].Spoken || !threads[1].Resolved || threads[1].ResolvedBy != "mona" {
		t.Errorf("threads %+v, %v", threads, err)
	}
	if _, err := w.Threads(ctx, 99); !errors.Is(err, ErrGone) {
		t.Error(problem(err, ErrGone))
	}
}

// TestThreadsMayTalkOfRateLimits checks that comments about rate limits are not taken for rate limits.
func TestThreadsMayTalkOfRateLimits(t *testing.T) {
	w, number := reviewed(t)
	_, err := w.repo.Remark(number, githubsim.Place{Path: "a.go", Line: 2}, `You have exceeded a secondary rate limit. "RATE_LIMITED"`, "mona")
	must(t, err)
	if threads, err := w.Threads(t.Context(), number); err != nil || len(threads) != 0 {
		t.Errorf("threads %+v, %v", threads, err)
	}
}

func TestManyThreadsAreAllFound(t *testing.T) {
	w, number := reviewed(t)
	for i := range 3 {
		var many []Remark
		for n := range 45 {
			many = append(many, Remark{Path: "a.go", Line: 2, Body: fmt.Sprint(i, " ", n)})
		}
		must(t, w.Review(t.Context(), number, w.repo.Head("fix"), "", many))
	}
	id := w.repo.Threads(number)[0].ID
	for range 100 {
		_, err := w.repo.Reply(id, "More", "causal[bot]")
		must(t, err)
	}
	_, err := w.repo.Reply(id, "Enough", "mona")
	must(t, err)
	threads, err := w.Threads(t.Context(), number)
	if err != nil || len(threads) != 135 || threads[134].Body != "2 44" || !threads[0].Spoken || threads[1].Spoken {
		t.Errorf("%d threads, %v", len(threads), err)
	}
}

func TestReviewIsAllOrNothing(t *testing.T) {
	w, number := reviewed(t)
	ctx, head := t.Context(), w.repo.Head("fix")
	outside := append(slices.Clone(twoRemarks), Remark{Path: "main.go", Line: 1, Body: "Elsewhere"})
	if err := w.Review(ctx, number, head, "", outside); !errors.Is(err, ErrOutsideDiff) {
		t.Error(problem(err, ErrOutsideDiff))
	}
	if err := w.Review(ctx, number, w.repo.Head("main"), "", twoRemarks); !errors.Is(err, ErrHeadMoved) {
		t.Error(problem(err, ErrHeadMoved))
	}
	w.wrote()
	if err := w.Review(ctx, number, head, "", nil); err != nil || w.wrote() != 0 {
		t.Errorf("nothing to say: %v", err)
	}
	if got := w.said(number); len(got) != 0 {
		t.Errorf("said %q", got)
	}
	const state = "\n<!-- causal:state abc -->"
	long := Remark{Path: "a.go", StartLine: 3, Line: 3, Body: strings.Repeat("long line\n", 10_000) + state}
	must(t, w.Review(ctx, number, head, "Text\u202e", []Remark{long}))
	body := w.repo.Threads(number)[0].Comments[0].Body
	if len(body) > largestText || !strings.HasSuffix(body, state) || w.repo.Threads(number)[0].StartLine != 0 {
		t.Errorf("%d bytes that end in %q", len(body), body[len(body)-100:])
	}
}

// TestReviewIsRefused checks that every refusal of a review's content has the kind that makes callers fall back, for all of GitHub's
// messages.
func TestReviewIsRefused(t *testing.T) {
	for said, want := range map[string]error{
		`Line could not be resolved`: ErrOutsideDiff,
		`Path could not be resolved`: ErrOutsideDiff,
		`Pull request review thread line must be part of the diff and Pull request review thread diff hunk can't be blank`: ErrOutsideDiff,
		`Review comments is invalid and Review threads is invalid`:                                                         ErrOutsideDiff,
		`The commitOID is not part of the pull request`:                                                                    ErrHeadMoved,
	} {
		f := newFake(t)
		f.on("POST /repos/octo/shop/pulls/7/reviews", says(422, object{"message": "Unprocessable Entity", "errors": []string{said}}))
		err := f.client().Review(t.Context(), 7, "abc", "", twoRemarks)
		if !errors.Is(err, want) || !strings.Contains(err.Error(), said) {
			t.Error(problem(err, want))
		}
	}
	f := newFake(t)
	f.on("POST /repos/octo/shop/pulls/7/reviews", says(403, message("Resource not accessible by integration")))
	if err := f.client().Review(t.Context(), 7, "abc", "", twoRemarks); !errors.Is(err, ErrForbidden) {
		t.Error(problem(err, ErrForbidden))
	}
}

// Whatever answer is lost, a review is there once.
func TestReviewWithLostAnswers(t *testing.T) {
	for how, effect := range effects {
		t.Run(how, func(t *testing.T) {
			w, number := reviewed(t)
			ctx, head := t.Context(), w.repo.Head("fix")
			must(t, w.Review(ctx, number, head, "Again", twoRemarks[:1])) // another one that reads alike
			w.sim.Faults(githubsim.Fault{Operation: "pulls/create-review", Effect: effect})
			must(t, w.Review(ctx, number, head, "Again", twoRemarks))
			if got := w.said(number); len(got) != 3 {
				t.Errorf("said %q", got)
			}
		})
	}
}

func TestReviewWaitsForALimit(t *testing.T) {
	w, number := reviewed(t)
	w.sim.Faults(githubsim.Fault{Operation: "pulls/create-review", Effect: githubsim.SecondaryLimit(time.Minute)})
	limited := RateLimited{}
	if err := w.Review(t.Context(), number, w.repo.Head("fix"), "", twoRemarks); !errors.As(err, &limited) {
		t.Error(problem(err, limited))
	}
	if got := w.said(number); len(got) != 0 {
		t.Errorf("said %q", got)
	}
}
