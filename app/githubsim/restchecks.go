package githubsim

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// CheckRun is a check run. The tagged fields are those that a request sets.
type CheckRun struct {
	ID                 int64  `json:"-"`
	Head               string `json:"head_sha"`
	Name               string `json:"name"`
	Status, Conclusion string
	ExternalID         string    `json:"external_id"`
	DetailsURL         string    `json:"details_url"`
	Started            time.Time `json:"started_at"`
	Completed          time.Time `json:"completed_at"`
	Output             `json:"output"`
	Updates            int    `json:"-"`
	Author             string `json:"-"` // login of the App's bot
	app                *App
	suite              *suite
}

// Output is the report of a check run.
type Output struct {
	Title, Summary, Text string
	Annotations          []Annotation
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

// apply updates a run from a request. Annotations are appended.
func (c *call) apply(run *CheckRun) {
	conclusion, annotations := run.Conclusion, run.Annotations
	run.Conclusion, run.Annotations = "", nil
	c.read(run)
	run.Annotations = append(annotations, run.Annotations...)
	if run.Conclusion == "" {
		run.Conclusion = conclusion
		return
	}
	run.Status = "completed"
	if run.Completed.IsZero() {
		run.Completed = c.s.time()
	}
}

func createCheck(c *call) reply {
	app := c.who.by
	if app == nil {
		panic(fail(http.StatusForbidden, "You must authenticate via a GitHub App."))
	}
	run := &CheckRun{ID: c.s.id(), Status: "queued", app: app, Author: c.who.login, Started: c.s.time()}
	c.apply(run)
	if c.repo.git.resolve(run.Head, "commit") == "" {
		panic(fail(http.StatusUnprocessableEntity, "No commit found for SHA: %s", run.Head))
	}
	run.suite = c.repo.suiteOf(run.Head, app)
	c.repo.runs = append(c.repo.runs, run)
	c.tellCheck(run, "created", "")
	return created(c.repo.viewCheck(run))
}

// suiteOf returns the check suite of an App on a commit and creates it if needed.
func (r *Repository) suiteOf(head string, app *App) *suite {
	if s := first(r.suites, func(s *suite) bool { return s.head == head && s.app == app }); s != nil {
		return s
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
	before := run.Status
	c.apply(run)
	run.Updates++
	c.tellCheck(run, "", before)
	return ok(c.repo.viewCheck(run))
}

// listChecks lists the check runs of a commit: the newest of each name, or all with filter=all.
func listChecks(c *call) reply {
	query := c.query()
	at := c.repo.revision(c.r.PathValue("ref"))
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
	return views(only(r.pulls, func(p *pull) bool { return p.State == "open" && p.HeadID == commit && p.from == r }), r.viewPullMinimal)
}

func (r *Repository) viewCheck(run *CheckRun) object {
	api := fmt.Sprintf("%s/check-runs/%d", r.api(), run.ID)
	return object{
		"id": run.ID, "node_id": node("CheckRun", run.ID), "head_sha": run.Head, "name": run.Name, "url": api, "external_id": run.ExternalID,
		"html_url": fmt.Sprintf("%s/runs/%d", r.html(), run.ID), "details_url": cmp.Or(run.DetailsURL, run.app.HomePage), "status": run.Status, "conclusion": orNil(run.Conclusion),
		"started_at": stamp(run.Started), "completed_at": stamp(run.Completed), "check_suite": object{"id": run.suite.id}, "app": r.s.viewApp(run.app),
		"pull_requests": r.pullsAt(run.Head),
		"output": object{
			"title": orNil(run.Title), "summary": orNil(run.Summary), "text": orNil(run.Text), "annotations_count": len(run.Annotations),
			"annotations_url": api + "/annotations",
		},
	}
}

// orNil returns a value, or nil for the zero value.
func orNil[T comparable](value T) any {
	var zero T
	if value == zero {
		return nil
	}
	return value
}

func (r *Repository) suiteAPI(v *suite) string {
	return fmt.Sprintf("%s/check-suites/%d", r.api(), v.id)
}
