package github

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
)

func (w *world) run() CheckRun {
	return CheckRun{
		Head: w.repo.Head("main"), Name: "causal", ExternalID: "octo/shop@main", DetailsURL: "https://causal.example/runs/1",
		Conclusion: "success", Title: "3 pages updated", Summary: "All fresh.", Text: "Why.",
	}
}

func remarks(n int) []Annotation {
	var out []Annotation
	for i := range n {
		out = append(out, Annotation{Path: "main.go", Line: i + 1, Level: "notice", Message: fmt.Sprint("remark ", i)})
	}
	return out
}

func TestCheckRunIsUpserted(t *testing.T) {
	w := newWorld(t)
	steps := []struct {
		what   string
		change func(*CheckRun)
		writes int
		runs   int
		check  func(githubsim.CheckRun) bool
	}{
		{"begun", func(r *CheckRun) { r.Status, r.Conclusion = "in_progress", "" }, 1, 1, func(r githubsim.CheckRun) bool { return r.Status == "in_progress" }},
		{"ended", func(*CheckRun) {}, 1, 1, func(r githubsim.CheckRun) bool {
			return r.Status == "completed" && r.Conclusion == "success" && r.Summary == "All fresh." && r.Text == "Why."
		}},
		{"as it was", func(*CheckRun) {}, 0, 1, nil},
		{"annotated", func(r *CheckRun) { r.Annotations = remarks(2) }, 1, 1, func(r githubsim.CheckRun) bool { return len(r.Annotations) == 2 }},
		{"as annotated", func(r *CheckRun) { r.Annotations = remarks(2) }, 0, 1, nil},
		{"another text", func(r *CheckRun) { r.Annotations, r.Title = remarks(2), "New" }, 1, 1, func(r githubsim.CheckRun) bool { return len(r.Annotations) == 2 && r.Title == "New" }},
		{"one more", func(r *CheckRun) { r.Annotations = remarks(3) }, 1, 1, func(r githubsim.CheckRun) bool { return len(r.Annotations) == 3 }},
		{"in another order", func(r *CheckRun) { r.Annotations = remarks(3); slices.Reverse(r.Annotations) }, 0, 1, nil},
		{"one less", func(r *CheckRun) { r.Annotations = remarks(2) }, 1, 2, func(r githubsim.CheckRun) bool { return len(r.Annotations) == 2 }},
		{"no annotations", func(r *CheckRun) { r.Conclusion = "failure" }, 1, 3, func(r githubsim.CheckRun) bool { return len(r.Annotations) == 0 }},
		{"mended", func(*CheckRun) {}, 1, 3, func(r githubsim.CheckRun) bool { return r.Conclusion == "success" }},
		{"another subject", func(r *CheckRun) { r.ExternalID = "octo/shop#7" }, 1, 4, func(r githubsim.CheckRun) bool { return r.ExternalID == "octo/shop#7" }},
		{"another name", func(r *CheckRun) { r.Name = "causal review" }, 1, 5, func(r githubsim.CheckRun) bool { return r.Name == "causal review" }},
	}
	for _, step := range steps {
		run := w.run()
		step.change(&run)
		w.wrote()
		id, err := w.Check(t.Context(), run)
		if err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
		runs := w.repo.CheckRuns(run.Head)
		if got := w.wrote(); got != step.writes || len(runs) != step.runs {
			t.Errorf("%s: %d writes and %d check runs, want %d and %d", step.what, got, len(runs), step.writes, step.runs)
		}
		for _, r := range runs {
			if r.ID == id && step.check != nil && !step.check(r) {
				t.Errorf("%s: %+v", step.what, r)
			}
		}
	}
}

// What failed before and has annotations that are wanted no more does not stay as a failure, whatever answer is lost.
func TestFormerCheckRunIsSuperseded(t *testing.T) {
	well := githubsim.Fault{Operation: "none"}
	trials := map[string]struct {
		fault githubsim.Fault
		begun string // conclusion of the former one
	}{"failure": {well, "failure"}, "in progress": {well, ""}}
	for how, effect := range effects {
		for _, operation := range []string{"checks/create", "checks/update"} {
			trial := trials["failure"]
			trial.fault = githubsim.Fault{Operation: operation, Effect: effect}
			trials[operation+" "+how] = trial
		}
	}
	for name, trial := range trials {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			former := w.run()
			former.Annotations, former.Conclusion = remarks(2), trial.begun
			if trial.begun == "" {
				former.Status = "in_progress"
			}
			first, err := w.Check(t.Context(), former)
			must(t, err)
			w.sim.Faults(trial.fault)
			w.wrote()
			second, err := w.Check(t.Context(), w.run())
			must(t, err)
			if n := w.wrote(); trial.fault.Operation == well.Operation && n != 2 {
				t.Errorf("%d writes", n)
			}
			runs := w.repo.CheckRuns(former.Head)
			if len(runs) != 2 || first == second || runs[0].Conclusion != "neutral" || runs[0].Title != "superseded" ||
				runs[1].ID != second || runs[1].Conclusion != "success" || len(runs[1].Annotations) != 0 {
				t.Errorf("check runs %d and %d: %+v", first, second, runs)
			}
			if again, err := w.Check(t.Context(), w.run()); err != nil || again != second || w.wrote() != 0 {
				t.Errorf("once more: %d, %v", again, err)
			}
		})
	}
}

// A run that was killed before it could end the former check run is made up for by the next one.
func TestFormerCheckRunIsSupersededLater(t *testing.T) {
	w := newWorld(t)
	former := w.run()
	former.Annotations, former.Conclusion = remarks(2), "failure"
	_, err := w.Check(t.Context(), former)
	must(t, err)
	w.sim.Faults(githubsim.Fault{Operation: "checks/update", Effect: githubsim.Refuse(http.StatusNotFound, "Not Found")})
	if _, err := w.Check(t.Context(), w.run()); !errors.Is(err, ErrGone) {
		t.Error(problem(err, ErrGone))
	}
	_, err = w.Check(t.Context(), w.run())
	must(t, err)
	if runs := w.repo.CheckRuns(former.Head); len(runs) != 2 || runs[0].Conclusion != "neutral" || runs[1].Conclusion != "success" {
		t.Errorf("check runs %+v", runs)
	}
}

func TestCheckRunWithLostAnswers(t *testing.T) {
	for _, operation := range []string{"checks/create", "checks/update"} {
		for how, effect := range effects {
			t.Run(operation+" "+how, func(t *testing.T) {
				w := newWorld(t)
				w.sim.Faults(githubsim.Fault{Operation: operation, Effect: effect})
				begun := w.run()
				begun.Status, begun.Conclusion = "in_progress", ""
				first, err := w.Check(t.Context(), begun)
				must(t, err)
				ended := w.run()
				ended.Annotations = remarks(50)
				second, err := w.Check(t.Context(), ended)
				must(t, err)
				runs := w.repo.CheckRuns(ended.Head)
				if len(runs) != 1 || first != second || runs[0].ID != second || runs[0].Status != "completed" || len(runs[0].Annotations) != 50 {
					t.Errorf("check runs %d and %d: %+v", first, second, runs)
				}
			})
		}
	}
}

func TestCheckRunKeepsToTheLimits(t *testing.T) {
	w := newWorld(t)
	run := w.run()
	run.Summary, run.Text = strings.Repeat("summary\n", 20_000), strings.Repeat("text\n", 20_000)
	run.Annotations, run.Title = remarks(120), strings.Repeat("é", 300)
	run.Annotations[0] = Annotation{Path: "main.go", Level: "warning", Title: strings.Repeat("é", 300), Message: strings.Repeat("m", 70_000)}
	_, err := w.Check(t.Context(), run)
	must(t, err)
	got := w.repo.CheckRuns(run.Head)[0]
	if len(got.Annotations) != 50 || !strings.HasSuffix(got.Summary, "_… 70 more annotations than GitHub shows._\n") ||
		!strings.Contains(got.Summary, "more lines: too long") || !strings.Contains(got.Text, "more lines: too long") {
		t.Errorf("%d annotations, summary ends in %q", len(got.Annotations), got.Summary[len(got.Summary)-100:])
	}
	if len(got.Title) > 255 || !strings.HasSuffix(got.Title, "é…") {
		t.Errorf("title of %d bytes", len(got.Title))
	}
	if a := got.Annotations[0]; a.StartLine != 1 || a.EndLine != 1 || len(a.Title) > 255 || len(a.Message) > 64<<10 {
		t.Errorf("annotation at %d-%d with %d and %d bytes", a.StartLine, a.EndLine, len(a.Title), len(a.Message))
	}
	w.wrote()
	if _, err := w.Check(t.Context(), run); err != nil || w.wrote() != 0 {
		t.Errorf("what was cut short is not known again: %v", err)
	}
}
