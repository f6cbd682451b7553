package github

import (
	"errors"
	"slices"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
)

func TestMayWrite(t *testing.T) {
	w := newWorld(t)
	w.repo.Invite("writer", true)
	w.repo.Invite("reader", false)
	w.push("fix", "mona")
	for _, private := range []bool{true, false} {
		w.repo.SetPrivate(private)
		for login, want := range map[string]bool{"octo": true, "writer": true, "reader": false, "mona": false, "nobody": false, "": false, "some[bot]": false, "../x": false} {
			if may, err := w.MayWrite(t.Context(), login); err != nil || may != want {
				t.Errorf("private %t: %q may write: %t, %v", private, login, may, err)
			}
		}
	}
	f := newFake(t)
	for level, want := range map[string]bool{"admin": true, "maintain": true, "write": true, "triage": false, "read": false, "none": false, "": false} {
		f.on("GET /repos/octo/shop/collaborators/mona/permission", says(200, object{"permission": level}))
		if may, err := f.client().MayWrite(t.Context(), "mona"); err != nil || may != want {
			t.Errorf("%q may write: %t, %v", level, may, err)
		}
	}
	f.on("GET /repos/octo/shop/collaborators/mona/permission", says(502, nil))
	if may, err := f.client().MayWrite(t.Context(), "mona"); may || !errors.Is(err, ErrUnavailable) {
		t.Errorf("%t, %s", may, problem(err, ErrUnavailable))
	}
}

func TestAcknowledge(t *testing.T) {
	for how, effect := range effects {
		t.Run(how, func(t *testing.T) {
			w, number := discussed(t)
			said := w.repo.AddComment(number, "/causal review", "mona")
			_, _, err := w.api.Reactions.CreateIssueCommentReaction(t.Context(), w.owner, w.name, said, "heart")
			must(t, err)
			for range 2 {
				w.sim.Faults(githubsim.Fault{Operation: "reactions/create-for-issue-comment", Effect: effect})
				must(t, w.Acknowledge(t.Context(), said))
			}
			if got := w.repo.Reactions(said); !slices.Equal(got, []string{"causal[bot] heart", "causal[bot] eyes"}) {
				t.Errorf("reactions %v", got)
			}
			must(t, w.repo.DeleteComment(said, "mona"))
			if err := w.Acknowledge(t.Context(), said); !errors.Is(err, ErrGone) {
				t.Error(problem(err, ErrGone))
			}
		})
	}
}

// TestLacks checks for permissions that the owner of an installation must accept again.
func TestLacks(t *testing.T) {
	w := newWorld(t)
	app := w.sim.App()
	w.sim.Ask(app.Permissions, []string{"push"})
	want := Setup{Permissions: Permissions{"contents": "write", "actions": "read"}, Events: []string{"push", "issue_comment", "installation"}}
	at := func(step string, permissions, events int, url string) {
		t.Helper()
		lack, err := w.app.Lacks(t.Context(), w.installation, want)
		if err != nil || len(lack.Permissions) != permissions || len(lack.Events) != events || lack.URL != url || lack.Nothing() != (url == "") {
			t.Errorf("%s: %+v, %v", step, lack, err)
		}
	}
	settings := w.sim.URL() + "/settings/"
	at("nobody asked", 1, 1, settings+"apps/causal/permissions")
	asked := map[string]string{"contents": "write", "actions": "read", "issues": "write", "metadata": "read"}
	w.sim.Ask(asked, []string{"push", "issue_comment"})
	installations, err := w.app.Installations(t.Context())
	must(t, err)
	at("not accepted", 1, 1, installations[0].URL)
	w.sim.Accept("octo")
	at("accepted", 0, 0, "")
	if _, err := w.app.Lacks(t.Context(), 1, want); !errors.Is(err, ErrGone) {
		t.Error(problem(err, ErrGone))
	}
}
