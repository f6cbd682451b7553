package github_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/githubsim"
)

const callback = "https://causal.example.com/login/github/callback"

// people are those of a simulated GitHub with three repositories, of which guest reads one and pushes to another.
func people(t *testing.T) (*githubsim.Server, *github.People, []*githubsim.Repository) {
	t.Helper()
	sim, err := githubsim.New(githubsim.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, v := range sim.Violations() {
			t.Errorf("outside of GitHub's description: %s", v)
		}
		_ = sim.Close()
	})
	var repos []*githubsim.Repository
	for _, name := range []string{"octo/a", "octo/b", "octo/c"} {
		r, err := sim.CreateRepository(name, githubsim.Empty())
		if err != nil {
			t.Fatal(err)
		}
		repos = append(repos, r)
	}
	if _, err := sim.Install(repos...); err != nil {
		t.Fatal(err)
	}
	repos[0].Invite("guest", false)
	repos[1].Invite("guest", true)
	p, err := github.NewPeople(sim.App().ClientID, sim.App().ClientSecret, github.Options{BaseURL: sim.URL()})
	if err != nil {
		t.Fatal(err)
	}
	return sim, p, repos
}

// agree is the code that a person comes back with.
func agree(t *testing.T, p *github.People) string {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := client.Get(p.Authorize(callback, "a state"))
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Body.Close()
	to, err := url.Parse(r.Header.Get("Location"))
	if err != nil || !strings.HasPrefix(to.String(), callback+"?") || to.Query().Get("state") != "a state" {
		t.Fatalf("GitHub sends back to %s, %v", to, err)
	}
	return to.Query().Get("code")
}

func TestPeople(t *testing.T) {
	t.Parallel()
	sim, p, repos := people(t)
	sim.SetPerson("guest")
	code := agree(t, p)
	token, err := p.Exchange(t.Context(), code, callback)
	if err != nil {
		t.Fatal(err)
	}
	sees, err := p.Visible(t.Context(), token)
	if err != nil || !slices.Equal(sees.Reads, []int64{repos[0].ID(), repos[1].ID()}) || !slices.Equal(sees.Pushes, []int64{repos[1].ID()}) {
		t.Errorf("guest sees %+v, %v", sees, err)
	}
	if _, err := p.Exchange(t.Context(), code, callback); !errors.Is(err, github.ErrCredentials) || !strings.Contains(err.Error(), "incorrect or expired") {
		t.Errorf("a code counts twice: %v", err)
	}
	sim.SetPerson("stranger")
	if token, err = p.Exchange(t.Context(), agree(t, p), callback); err != nil {
		t.Fatal(err)
	}
	if sees, err := p.Visible(t.Context(), token); err != nil || sees.Reads == nil || len(sees.Reads) != 0 {
		t.Errorf("a stranger sees %+v, %v", sees, err)
	}
	if _, err := p.Exchange(t.Context(), agree(t, p), callback+"x"); !errors.Is(err, github.ErrCredentials) {
		t.Errorf("a code of another address: %v", err)
	}
	sim.Revoke()
	if _, err := p.Visible(t.Context(), token); !errors.Is(err, github.ErrCredentials) {
		t.Errorf("a revoked token: %v", err)
	}
}

func TestPeopleWithoutSecret(t *testing.T) {
	t.Parallel()
	if _, err := github.NewPeople("id", "", github.Options{}); err == nil {
		t.Error("there is no secret, and nobody minds")
	}
}

// answering answers requests without a network.
type answering func(*http.Request) *http.Response

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) { return a(r), nil }

// TestManyVisible checks that no further pages are requested after the limit.
func TestManyVisible(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	p, err := github.NewPeople("id", "secret", github.Options{Transport: answering(func(r *http.Request) *http.Response {
		answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Request: r}
		page, _ := strconv.Atoi(r.URL.Query().Get("page")) // none for the first
		page = max(page, 1)
		body := `{"installations": [{"id": 1}, {"id": 2}]}`
		if strings.HasSuffix(r.URL.Path, "/repositories") {
			asked.Add(1)
			answer.Header.Set("Link", fmt.Sprintf(`<https://api.github.com%s?page=%d>; rel="next"`, r.URL.Path, page+1))
			var list []string
			for i := range 100 {
				list = append(list, fmt.Sprintf(`{"id": %d}`, 100*page+i))
			}
			body = `{"repositories": [` + strings.Join(list, ", ") + `]}`
		}
		answer.Body = io.NopCloser(strings.NewReader(body))
		return answer
	})})
	if err != nil {
		t.Fatal(err)
	}
	sees, err := p.Visible(t.Context(), "token")
	if n := asked.Load(); err != nil || len(sees.Reads) != 10_000 || n != 100 {
		t.Errorf("%d repositories with %d requests, %v", len(sees.Reads), n, err)
	}
}
