package hostile_test

import (
	"bytes"
	"context"
	"fmt"

	"log/slog"

	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/githubsim"
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // validates every request with GitHub's OpenAPI description
	"github.com/causaldocs/causal/app/proof/hostile"
	"github.com/causaldocs/causal/app/web"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

// source is a status page source whose names and texts are all one hostile text.
type source struct{ text string }

func (s source) run() web.Run {
	return web.Run{
		RunRow: queue.RunRow{
			ID: 1, Outcome: queue.Outcome{Conclusion: s.text, Title: s.text, Session: s.text}, Error: s.text,
			Causes: []queue.Cause{{Event: s.text, Delivery: s.text}},
		},
		Subject: web.Subject{Repository: s.text, Branch: s.text, URL: "https://github.com/" + url.PathEscape(s.text)},
	}
}

func (s source) Counts(context.Context) (queue.Totals, error) {
	return queue.Totals{Repositories: 1}, nil
}

func (s source) Repositories(context.Context, string, int) ([]web.Repository, error) {
	return []web.Repository{{Name: s.text, URL: s.text, Last: []web.Run{s.run()}}}, nil
}

func (s source) Runs(context.Context, queue.Filter) ([]web.Run, error) {
	return []web.Run{s.run()}, nil
}

func (s source) Run(context.Context, int64) (*web.RunDetail, error) {
	one := frame.Frame{
		ID: s.text, Query: s.text, Status: frame.Status(s.text), Validity: frame.Validity(s.text), ValidityReason: s.text, Conclusion: s.text,
		Evidence: []string{s.text}, InvalidationCondition: s.text,
	}
	return &web.RunDetail{
		Run: s.run(), Head: web.Commit{SHA: s.text, Subject: s.text, URL: s.text}, Frames: []frame.Frame{one},
		Chain: []web.Step{{Kind: web.StepKind(s.text), Name: s.text, Because: s.text, File: s.text, Detail: s.text, URL: s.text}},
	}, nil
}

func (s source) Jobs(context.Context, queue.Filter) ([]web.Job, error) {
	return []web.Job{{JobRow: queue.JobRow{ID: 1, State: queue.Dead, Error: s.text}, Subject: s.run().Subject}}, nil
}

func (s source) Restart(context.Context, int64) error { return nil }

// TestStatusPageShowsText checks that pages have the same elements for every text, and no invisible characters.
func TestStatusPageShowsText(t *testing.T) {
	t.Parallel()
	const token = "a token that is long enough"
	targets := []string{"/", "/runs", "/runs/1", "/queue"}
	pages := func(text string) []string {
		p, err := web.New(web.Options{Source: source{text}, URL: "https://causal.example.com", Token: token, Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		login := httptest.NewRequest(http.MethodPost, "/login", strings.NewReader(url.Values{"token": {token}}.Encode()))
		login.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		answer := httptest.NewRecorder()
		p.ServeHTTP(answer, login)
		var out []string
		for _, target := range targets {
			request, shown := httptest.NewRequest(http.MethodGet, target, nil), httptest.NewRecorder()
			for _, cookie := range answer.Result().Cookies() {
				request.AddCookie(cookie)
			}
			p.ServeHTTP(shown, request)
			if shown.Code != http.StatusOK {
				t.Fatalf("%s is %d", target, shown.Code)
			}
			out = append(out, shown.Body.String())
		}
		return out
	}
	usual := pages("usual")
	for _, c := range hostile.Texts() {
		if strings.TrimSpace(c.Text) == "" {
			continue // empty texts are omitted from the page
		}
		for i, page := range pages(c.Text) {
			if problem := visible("", page); problem != "" {
				t.Errorf("%s: %s on %s", c.Label, problem, targets[i])
			}
			if got, want := shape(t, page), shape(t, usual[i]); got != want {
				t.Errorf("%s: %s has the elements\n%s\nand usually\n%s", c.Label, targets[i], got, want)
			}
		}
	}
}

// shape are the elements of a page, with their attributes by name, and where links lead that a browser would run.
func shape(t *testing.T, page string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.CommentNode {
			b.WriteString("<!-- ")
		}
		if n.Type != html.ElementNode {
			continue
		}
		b.WriteString(n.Data)
		for _, a := range n.Attr {
			b.WriteString("." + a.Key)
			if strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.Val)), "javascript:") {
				b.WriteString("!")
			}
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// inbox takes everything.
type inbox struct{}

func (inbox) Accept(context.Context, queue.Delivery, []queue.Subject) (queue.Acceptance, error) {
	return queue.Known, nil
}
func (inbox) Note(context.Context, queue.Delivery, string) error { return nil }
func (inbox) Stats(context.Context) (queue.Stats, error)         { return queue.Stats{}, nil }
func (inbox) Ping(context.Context) error                         { return nil }
func (inbox) RestartAll(context.Context) (int, error)            { return 0, nil }

// TestMetricsHaveNoLabelOfStrangers checks that a request, signed or not, creates no metric label.
func TestMetricsHaveNoLabelOfStrangers(t *testing.T) {
	t.Parallel()
	metrics := webhooks.NewMetrics()
	door, err := webhooks.New(webhooks.Config{Inbox: inbox{}, Secrets: []string{"secret"}, Metrics: metrics})
	if err != nil {
		t.Fatal(err)
	}
	admin, err := webhooks.Admin(webhooks.AdminConfig{Queue: inbox{}, Metrics: metrics})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range hostile.Texts() {
		body := fmt.Sprintf(`{"action": %q, "ref": %q}`, c.Text, c.Text)
		for _, event := range []string{c.Text, "push"} {
			r := httptest.NewRequest(http.MethodPost, webhooks.DefaultPath, strings.NewReader(body))
			r.Header["X-Github-Event"], r.Header["X-Github-Delivery"] = []string{event}, []string{c.Text}
			door.ServeHTTP(httptest.NewRecorder(), r)
		}
	}
	shown := httptest.NewRecorder()
	admin.ServeHTTP(shown, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	found := 0
	for line := range strings.SplitSeq(shown.Body.String(), "\n") {
		if strings.HasPrefix(line, "causal_deliveries_total{") {
			found++
			if !strings.Contains(line, `event="push"`) && !strings.Contains(line, `event="other"`) {
				t.Errorf("hostile text in the label of %s", line)
			}
		}
	}
	if found == 0 || found > 4 {
		t.Errorf("%d metrics of deliveries", found)
	}
}

// TestGitHubGetsText writes all of it into check runs and comments, as who does not escape would, and into annotations.
func TestGitHubGetsText(t *testing.T) {
	t.Parallel()
	sim, err := githubsim.New(githubsim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sim.Close() })
	repo, err := sim.CreateRepository("octo/shop", githubsim.FromFiles(map[string]string{"a.go": "package a\n"}))
	if err != nil {
		t.Fatal(err)
	}
	installation, err := sim.Install(repo)
	if err != nil {
		t.Fatal(err)
	}
	app, err := github.NewApp(github.Config{ID: sim.App().ID, PrivateKey: []byte(sim.App().PEM()), Options: github.Options{BaseURL: sim.URL()}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := app.Installation(t.Context(), installation, repo.ID(), github.Permissions{"checks": "write", "contents": "read", "metadata": "read"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, v := range sim.Violations() {
			t.Errorf("outside of GitHub's description: %s", v)
		}
	})
	for i, one := range hostile.Texts() {
		name := fmt.Sprint("check ", i)
		_, err := c.Check(t.Context(), github.CheckRun{
			Head: repo.Head("main"), Name: name, ExternalID: "x", Conclusion: "neutral", Title: "a" + one.Text, Summary: one.Text, Text: one.Text,
			Annotations: []github.Annotation{{Path: "a" + one.Text, Line: 1, Level: "notice", Title: one.Text, Message: "a" + one.Text, Details: one.Text}},
		})
		if err != nil {
			t.Errorf("%s: %v", one.Label, err)
			continue
		}
		at := slices.IndexFunc(repo.CheckRuns(repo.Head("main")), func(r githubsim.CheckRun) bool { return r.Name == name })
		run := repo.CheckRuns(repo.Head("main"))[at]
		a := run.Annotations[0]
		for what, text := range map[string]string{"title": run.Title, "title of the annotation": a.Title} {
			if problem := visible("", text) + oneLine("", text) + within(255)("", text); problem != "" {
				t.Errorf("%s: %s: %s", one.Label, what, problem)
			}
		}
		for what, text := range map[string]string{"summary": run.Summary, "text": run.Text, "message": a.Message} {
			if problem := visible("", text) + within(65_535)("", text); problem != "" {
				t.Errorf("%s: %s: %s", one.Label, what, problem)
			}
		}
	}
}

// TestRepositoryOfStrangeNames: every command speaks of files that are called all of it, and every page that is written is text.
func TestRepositoryOfStrangeNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(args ...string) {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	run("init", "-q", "-b", "main")
	run("config", "user.name", "A")
	run("config", "user.email", "a@example.com")
	made := 0
	for _, c := range hostile.Names() {
		place := filepath.Join(dir, c.Text)
		if len(c.Text) < 200 {
			if err := os.MkdirAll(place, 0o755); err != nil {
				t.Fatal(err)
			}
			place = filepath.Join(place, filepath.Base(c.Text)+".go")
		}
		text := fmt.Sprintf("// Package p is %s.\npackage p\n\n// F is %s.\nfunc F() {}\n", oneOf(c.Text), oneOf(c.Text))
		if err := os.WriteFile(place, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		made++
	}
	run("add", "-A")
	run("commit", "-q", "-m", "Begin")
	for _, args := range [][]string{{"update"}, {"check"}, {"trace"}, {"why", "."}, {"doctor"}, {"update", "--json", "--dry-run"}} {
		var out, told bytes.Buffer
		cli.Run(t.Context(), args, cli.IO{Out: &out, Err: &told, Getenv: os.Getenv, Now: time.Now, Dir: dir})
		for _, text := range []string{out.String(), told.String()} {
			if problem := visible("", text) + noCommand("", text) + linesWithin(10_000)("", text); problem != "" {
				t.Errorf("causal %v: %s in\n%.2000s", args, problem, text)
			}
		}
		if args[0] == "update" && strings.Count(out.String(), "\n") > made+50 {
			if args = args[1:]; len(args) == 0 {
				t.Errorf("%d lines for %d directories:\n%s", strings.Count(out.String(), "\n"), made, out.String())
			}
		}
	}
	pages := 0
	err := filepath.WalkDir(filepath.Join(dir, "docs/causal"), func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		pages++
		data, err := os.ReadFile(name)
		if problem := visible("", string(data)); problem != "" {
			t.Errorf("%s on %s", problem, name)
		}
		return err
	})
	if err != nil || pages < made/2 {
		t.Errorf("%d pages of %d directories: %v", pages, made, err)
	}
}

// oneOf is a text as a comment of one line may have it.
func oneOf(text string) string {
	return strings.NewReplacer("\n", " ", "\r", " ", "\x00", "").Replace(text)
}
