package github

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
)

const marker = "causal:summary"

// discussed is a world with a pull request on which others have said something.
func discussed(t *testing.T) (*world, int) {
	w := newWorld(t)
	w.push("fix", "mona")
	number, err := w.repo.OpenPull("fix", "main", "Fix", "mona")
	must(t, err)
	w.repo.AddComment(number, "Nice", "hubot")
	w.repo.AddComment(number, stamp(marker)+"Copied", "mona")
	return w, number
}

// ours lists the App's comments.
func (w *world) ours(number int) []string {
	var out []string
	for _, c := range w.repo.Comments(number) {
		if c.Author == "causal[bot]" {
			out = append(out, c.Body)
		}
	}
	return out
}

func TestStickyComment(t *testing.T) {
	w, number := discussed(t)
	ctx := t.Context()
	if _, there, err := w.Sticky(ctx, number, marker); there || err != nil {
		t.Errorf("a copy by somebody else was taken for ours (%v)", err)
	}
	var first Comment
	for _, step := range []struct {
		body   string
		writes int
	}{{"One\n", 1}, {"One\n", 0}, {"Two\n", 1}} {
		w.wrote()
		said, err := w.Comment(ctx, number, marker, step.body)
		must(t, err)
		if first.ID == 0 {
			first = said
		}
		if got := w.ours(number); len(got) != 1 || got[0] != stamp(marker)+step.body || said.ID != first.ID || w.wrote() != step.writes {
			t.Errorf("%q: the App says %q in comment %d, first was %d", step.body, got, said.ID, first.ID)
		}
	}
	found, there, err := w.Sticky(ctx, number, marker)
	if err != nil || !there || found.ID != first.ID || found.Body != "Two\n" {
		t.Errorf("found %+v, %v, %v", found, there, err)
	}
	if _, err := w.Comment(ctx, number, "causal:other", "Three"); err != nil || len(w.ours(number)) != 2 {
		t.Errorf("another marker shares the comment: %q, %v", w.ours(number), err)
	}
	w.repo.AddComment(number, stamp(marker)+"Twice", "causal[bot]")
	_, err = w.Comment(ctx, number, marker, "Two\n")
	must(t, err)
	if got := strings.Join(w.ours(number), "|"); got != stamp(marker)+"Two\n|"+stamp("causal:other")+"Three" {
		t.Errorf("a second comment with the marker stays: %q", got)
	}
	_, err = w.Comment(ctx, number, marker, "")
	must(t, err)
	if got := w.ours(number); len(got) != 1 {
		t.Errorf("after the deletion the App says %q", got)
	}
	if all := w.repo.Comments(number); len(all) != 3 {
		t.Errorf("comments of others were touched: %+v", all)
	}
}

func TestCommentsWithLostAnswers(t *testing.T) {
	for _, operation := range []string{"issues/create-comment", "issues/update-comment", "issues/delete-comment"} {
		for how, effect := range effects {
			t.Run(operation+" "+how, func(t *testing.T) {
				w, number := discussed(t)
				w.sim.Faults(githubsim.Fault{Operation: operation, Effect: effect})
				for _, body := range []string{"One", "Two"} {
					_, err := w.Comment(t.Context(), number, marker, body)
					must(t, err)
					if got := w.ours(number); len(got) != 1 || got[0] != stamp(marker)+body {
						t.Errorf("the App says %q", got)
					}
				}
				_, err := w.Comment(t.Context(), number, marker, "")
				must(t, err)
				if got := w.ours(number); len(got) != 0 {
					t.Errorf("the App says %q", got)
				}
			})
		}
	}
}

// TestHiddenLineOfALongCommentIsKept checks that truncation keeps the hidden last line.
func TestHiddenLineOfALongCommentIsKept(t *testing.T) {
	w, number := discussed(t)
	const state = "\n<!-- causal:state abc -->"
	for _, body := range []string{"Short" + state, strings.Repeat("long line\n", 10_000) + state + "\n"} {
		for _, writes := range []int{1, 0} {
			w.wrote()
			_, err := w.Comment(t.Context(), number, marker, body)
			must(t, err)
			got := w.ours(number)[0]
			if n := w.wrote(); !strings.HasSuffix(strings.TrimSpace(got), state) || len(got) > largestText || n != writes {
				t.Errorf("%d writes, %d bytes that end in %q", n, len(got), got[max(0, len(got)-100):])
			}
		}
	}
}

func TestStickyCommentIsFoundAmongMany(t *testing.T) {
	w, number := discussed(t)
	for range 2 * perPage {
		w.repo.AddComment(number, "More", "hubot")
	}
	_, err := w.Comment(t.Context(), number, marker, strings.Repeat("long line\n", 10_000))
	must(t, err)
	w.repo.AddComment(number, "And more", "hubot")
	_, err = w.Comment(t.Context(), number, marker, "Short")
	must(t, err)
	if got := w.ours(number); len(got) != 1 || got[0] != stamp(marker)+"Short" {
		t.Errorf("the App says %d things", len(got))
	}
}

// Of what many people say, the newest is kept, and the App's own comment is found before it.
func TestConversationIsBounded(t *testing.T) {
	w, number := discussed(t)
	_, err := w.Comment(t.Context(), number, marker, "Own")
	must(t, err)
	for i := range mostSaid + 5 {
		w.repo.AddComment(number, fmt.Sprint("Comment ", i), "hubot")
	}
	own, found, said, err := w.Conversation(t.Context(), number, marker)
	if err != nil || !found || own.Body != "Own" {
		t.Errorf("its own is %+v, %v, %v", own, found, err)
	}
	if len(said) != mostSaid || said[0].Body != "Comment 5" || said[mostSaid-1].Body != fmt.Sprint("Comment ", mostSaid+4) {
		t.Errorf("%d comments, from %+v", len(said), said[0])
	}
}

func TestCommentOfAWorkflow(t *testing.T) {
	w, number := discussed(t)
	token := w.sim.ActionsToken(w.repo, map[string]string{"pull_requests": "write", "checks": "write", "metadata": "read"})
	c, err := NewTokenClient(TokenConfig{Token: token, Repository: "octo/shop", Options: Options{BaseURL: w.sim.APIURL()}})
	must(t, err)
	before := len(w.sim.Writes(w.repo))
	for range 2 {
		_, err = c.Comment(t.Context(), number, marker, "From a workflow")
		must(t, err)
		_, err = c.Check(t.Context(), w.run())
		must(t, err)
	}
	if n := len(w.sim.Writes(w.repo)) - before; n != 2 || len(w.repo.CheckRuns(w.repo.Head("main"))) != 1 {
		t.Errorf("%d writes, comments %+v", n, w.repo.Comments(number))
	}
}
