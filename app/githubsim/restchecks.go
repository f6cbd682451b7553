package githubsim

import (
	"fmt"
	"net/http"
	"slices"
	"time"
)

// CheckRun is a check run.
type CheckRun struct {
	ID                   int64
	Head                 string // commit
	Name                 string
	Status, Conclusion   string
	ExternalID           string
	DetailsURL           string
	Title, Summary, Text string
	Annotations          []Annotation
	Updates              int
	Author               string // login of the App's bot
	app                  *App
	suite                *suite
	started, completed   time.Time
}

// Annotation is a check run annotation.
type Annotation struct {
	Path        string `json:"path"`
	StartLine   int    `json:"start_line"`
	EndLine     int    `json:"end_line"`
	StartColumn *int   `json:"start_column"`
	EndColumn   *int   `json:"end_column"`
	Level       string `json:"annotation_level"`
	Title       string `json:"title"`
	Message     string `json:"message"`
	RawDetails  string `json:"raw_details"`
}

// suite is a check suite: all runs of one App on one commit.
type suite struct {
	id   int64
	head string
	app  *App
	made time.Time
}

// CheckRuns lists the check runs of a commit, oldest first.
func (r *Repository) CheckRuns(commit string) []CheckRun {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	var out []CheckRun
	for _, run := range r.runs {
		if run.Head == commit {
			v := *run
			v.Annotations = slices.Clone(run.Annotations)
			out = append(out, v)
		}
	}
	return out
}

type checkRequest struct {
	Name, Status, Conclusion *string
	Head                     string     `json:"head_sha"`
	DetailsURL               *string    `json:"details_url"`
	ExternalID               *string    `json:"external_id"`
	Started                  *time.Time `json:"started_at"`
	Completed                *time.Time `json:"completed_at"`
	Output                   *struct {
		Title, Summary, Text *string
		Annotations          []Annotation
	}
}

// apply updates a run from a request. Annotations are appended.
func (in checkRequest) apply(run *CheckRun, now time.Time) {
	type field struct{ to, from *string }
	fields := []field{
		{&run.Name, in.Name}, {&run.Status, in.Status}, {&run.Conclusion, in.Conclusion}, {&run.DetailsURL, in.DetailsURL}, {&run.ExternalID, in.ExternalID},
	}
	if in.Output != nil {
		fields = append(fields, field{&run.Title, in.Output.Title}, field{&run.Summary, in.Output.Summary}, field{&run.Text, in.Output.Text})
		run.Annotations = append(run.Annotations, in.Output.Annotations...)
	}
	for _, f := range fields {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	if in.Started != nil {
		run.started = *in.Started
	}
	if in.Conclusion != nil {
		run.Status, run.completed = "completed", now
	}
	if in.Completed != nil {
		run.completed = *in.Completed
	}
}

func createCheck(c *call) reply {
	var in checkRequest
	c.read(&in)
	if c.repo.git.resolve(in.Head, "commit") == "" {
		panic(fail(http.StatusUnprocessableEntity, "No commit found for SHA: %s", in.Head))
	}
	app := c.who.by
	if app == nil {
		panic(fail(http.StatusForbidden, "You must authenticate via a GitHub App."))
	}
	run := &CheckRun{ID: c.s.id(), Head: in.Head, Status: "queued", app: app, Author: c.who.login, suite: c.repo.suiteOf(in.Head, app), started: c.s.time()}
	in.apply(run, c.s.time())
	c.repo.runs = append(c.repo.runs, run)
	c.tellCheck(run, "created", "")
	return created(c.repo.viewCheck(run))
}

// suiteOf returns the check suite of an App on a commit and creates it if needed.
func (r *Repository) suiteOf(head string, app *App) *suite {
	for _, s := range r.suites {
		if s.head == head && s.app == app {
			return s
		}
	}
	s := &suite{id: r.s.id(), head: head, app: app, made: r.s.time()}
	r.suites = append(r.suites, s)
	return s
}

// tellCheck delivers an update of a run to the App that owns it. Runs of workflows have no webhooks.
func (c *call) tellCheck(run *CheckRun, action, before string) {
	if run.app != c.s.app {
		return
	}
	if action != "" {
		c.s.tellCheckRun(c.repo, run, action, c.who.login)
	}
	if run.Status == "completed" && before != "completed" {
		c.s.tellDone(c.repo, run, c.who.login)
	}
}

func (c *call) check() *CheckRun {
	return one(c.repo.runs, func(run *CheckRun) bool { return run.ID == c.number("check_run_id") })
}

func updateCheck(c *call) reply {
	run := c.check()
	var in checkRequest
	c.read(&in)
	before := run.Status
	in.apply(run, c.s.time())
	run.Updates++
	c.tellCheck(run, "", before)
	return ok(c.repo.viewCheck(run))
}

// listChecks lists the check runs of a commit: the newest of each name, or all with filter=all.
func listChecks(c *call) reply {
	query := c.query()
	at := c.repo.revision(c.params["ref"])
	var items []object
	seen := map[string]bool{}
	for _, run := range slices.Backward(c.repo.runs) {
		key := fmt.Sprint(run.suite.id, run.Name)
		if run.Head != at || !matches(query.Get("check_name"), run.Name) || !matches(query.Get("status"), run.Status) ||
			!matches(query.Get("app_id"), fmt.Sprint(run.app.ID)) || query.Get("filter") != "all" && seen[key] {
			continue
		}
		seen[key] = true
		items = append(items, c.repo.viewCheck(run))
	}
	return reply{status: http.StatusOK, items: items, under: "check_runs"}
}

func listAnnotations(c *call) reply {
	run := c.check()
	return list(views(run.Annotations, func(a Annotation) object {
		return object{
			"path": a.Path, "blob_href": c.repo.html() + "/blob/" + run.Head + "/" + escapePath(a.Path), "start_line": a.StartLine, "end_line": a.EndLine,
			"start_column": a.StartColumn, "end_column": a.EndColumn, "annotation_level": a.Level, "title": a.Title, "message": a.Message,
			"raw_details": a.RawDetails,
		}
	}))
}

func (r *Repository) pullsAt(commit string) []object {
	return views(only(r.pulls, func(p *pull) bool { return p.state == "open" && p.headID == commit && p.from == r }), r.viewPullMinimal)
}

func (r *Repository) viewCheck(run *CheckRun) object {
	api := fmt.Sprintf("%s/check-runs/%d", r.api(), run.ID)
	details := run.DetailsURL
	if details == "" {
		details = run.app.HomePage
	}
	return object{
		"id": run.ID, "node_id": node("CheckRun", run.ID), "head_sha": run.Head, "name": run.Name, "url": api, "external_id": run.ExternalID,
		"html_url": fmt.Sprintf("%s/runs/%d", r.html(), run.ID), "details_url": details, "status": run.Status, "conclusion": orNil(run.Conclusion),
		"started_at": stamp(run.started), "completed_at": stamp(run.completed), "check_suite": object{"id": run.suite.id}, "app": r.s.viewApp(run.app),
		"pull_requests": r.pullsAt(run.Head),
		"output": object{
			"title": orNil(run.Title), "summary": orNil(run.Summary), "text": orNil(run.Text), "annotations_count": len(run.Annotations),
			"annotations_url": api + "/annotations",
		},
	}
}

func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func (r *Repository) suiteAPI(v *suite) string {
	return fmt.Sprintf("%s/check-suites/%d", r.api(), v.id)
}
