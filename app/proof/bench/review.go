package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	changedFiles = 50   // of the change that is reviewed
	perFile      = 20   // results that a linter tells of each of its files, from the first line on
	reviewLimit  = 5000 // milliseconds that a review may take
	trunk        = "main"
)

// reviews measures reviews of a change of many files in a tree: the first one there, later ones, and one with the log of a linter. Beside
// them stand git's own comparison, and all that a program does that shows on changed lines what a linter said.
func (b *bench) reviews(c corpus) ([]row, error) {
	dir, err := b.prepare(c)
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	changed, err := b.change(dir, changedFiles)
	if err != nil {
		return nil, err
	}
	results, log := linted(changed)
	told := filepath.Join(b.dir, "linter.sarif")
	if err := os.WriteFile(told, log, 0o644); err != nil {
		return nil, err
	}
	var found, matched int
	review := func(args ...string) func() (cost, error) {
		return func() (took cost, err error) {
			took, found, err = b.review(dir, args...)
			return took, err
		}
	}
	diff := func() (cost, error) {
		took, _, err := b.command(dir, "git", "diff", trunk)
		return took, err
	}
	filter := func() (took cost, err error) {
		took, matched, err = b.filter(dir, results)
		return took, err
	}
	first := func() (cost, error) {
		if err := b.forget(dir); err != nil {
			return cost{}, err
		}
		return review("--vet=false")()
	}
	what := fmt.Sprintf("review of %d files", len(changed))
	rows := []row{
		{where: c.name, what: what + ", the first", against: "git diff"},
		{where: c.name, what: what + " again", against: "git diff"},
		{where: c.name, what: fmt.Sprintf("%s with %d results", what, len(results)), against: "matching them with git diff"},
	}
	for i, race := range [][2]func() (cost, error){
		{first, diff}, {review("--vet=false"), diff}, {review("--vet=false", "--sarif", told), filter},
	} {
		r := &rows[i]
		if err := r.race(min(b.rounds, 5), race[0], race[1]); err != nil {
			return nil, err
		}
		r.note = fmt.Sprintf("%.0f ms of processors", r.cpu)
		if !c.real { // whose files are as many as is promised of
			r.broken, r.note = r.took > reviewLimit, fmt.Sprintf("at most %d ms; %s", reviewLimit, r.note)
		}
	}
	last := &rows[len(rows)-1]
	last.note += fmt.Sprintf("; results on changed lines: %d", matched)
	last.broken = last.broken || found != matched
	return rows, nil
}

// change makes a change of as many files, each of another package: a declaration is added to each, and one is edited where it can be.
func (b *bench) change(dir string, files int) (changed []string, err error) {
	packages := goPackages(dir)
	for i := range min(files, len(packages)) {
		name := packages[i*len(packages)/min(files, len(packages))].file
		at := filepath.Join(dir, filepath.FromSlash(name))
		text, err := os.ReadFile(at) //nolint:gosec // nobody else writes the tree that is measured
		if err != nil {
			return nil, err
		}
		edited := strings.Replace(string(text), "() int {", "(a ...int) int {", 1) + fmt.Sprintf("\nfunc benched%d() {}\n", i)
		if err := os.WriteFile(at, []byte(edited), 0o644); err != nil {
			return nil, err
		}
		changed = append(changed, name)
	}
	if _, _, err := b.command(dir, "git", "checkout", "-q", "-b", "change"); err != nil {
		return nil, err
	}
	return changed, b.commit(dir)
}

// review makes a review and counts what it tells of the linter's results.
func (b *bench) review(dir string, args ...string) (took cost, linter int, err error) {
	took, out, err := b.command(dir, b.causal, append([]string{"review", "--json", "--base", trunk, "--fail-on", "never"}, args...)...)
	if err != nil {
		return took, 0, err
	}
	var report struct {
		Findings []struct {
			Rule string `json:"rule"`
		} `json:"findings"`
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		return took, 0, fmt.Errorf("read the report of a review: %w", err)
	}
	for _, f := range report.Findings {
		if strings.HasPrefix(f.Rule, linterName+"/") {
			linter++
		}
	}
	return took, linter, nil
}

// linterName is what the made-up linter is called.
const linterName = "bench"

// result is what a linter says of one line.
type result struct {
	path string
	line int
}

// linted are results on the first lines of files, and the log that tells them.
func linted(files []string) (results []result, log []byte) {
	var told []any
	for _, name := range files {
		for line := 1; line <= perFile; line++ {
			results = append(results, result{name, line})
			told = append(told, map[string]any{
				"ruleId": fmt.Sprintf("line-%d", line), "level": "note", "message": map[string]any{"text": "said of a line"},
				"locations": []any{map[string]any{"physicalLocation": map[string]any{
					"artifactLocation": map[string]any{"uri": name}, "region": map[string]any{"startLine": line},
				}}},
			})
		}
	}
	log, _ = json.Marshal(map[string]any{"version": "2.1.0", "runs": []any{map[string]any{
		"tool": map[string]any{"driver": map[string]any{"name": linterName}}, "results": told,
	}}})
	return results, log
}

// filter counts the results on lines that git says were added, and what that takes with git.
func (b *bench) filter(dir string, results []result) (took cost, matched int, err error) {
	took, diff, err := b.command(dir, "git", "diff", "--unified=0", "--no-renames", trunk)
	if err != nil {
		return took, 0, err
	}
	start, began := time.Now(), cpu()
	added, err := addedLines(diff)
	for _, r := range results {
		if added[r] {
			matched++
		}
	}
	took.wall, took.cpu = took.wall+time.Since(start), took.cpu+cpu()-began
	return took, matched, err
}

// addedLines are the lines that a diff adds.
func addedLines(diff string) (map[result]bool, error) {
	added, name, line := map[result]bool{}, "", 0
	for text := range strings.Lines(diff) {
		text = strings.TrimSuffix(text, "\n")
		switch hunk, isHunk := strings.CutPrefix(text, "@@ "); {
		case isHunk:
			_, now, _ := strings.Cut(hunk, " +")
			now, _, _ = strings.Cut(now, " ")
			from, _, _ := strings.Cut(now, ",")
			var err error
			if line, err = strconv.Atoi(from); err != nil {
				return nil, fmt.Errorf("read a diff: %w", err)
			}
		case strings.HasPrefix(text, "+++ "):
			name = strings.TrimPrefix(text, "+++ b/")
		case strings.HasPrefix(text, "+"):
			added[result{name, line}] = true
			line++
		}
	}
	return added, nil
}
