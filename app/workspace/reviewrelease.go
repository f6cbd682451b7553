package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/api"
	"github.com/causaldocs/causal/review/finding"
)

// unreleased makes notes of what breaks nobody because no release has it: what came after the last one may change as it likes, and
// so may everything before 1.0. Where the repository has no tags at hand, nobody knows.
func (r *reviewing) unreleased(ctx context.Context, base, head *survey.Survey, found *review.Found) error {
	of := map[string][]*finding.Finding{} // by the module that releases them
	for i := range found.Findings {
		f := &found.Findings[i]
		if f.Rule != api.Rule || f.Severity != finding.Error {
			continue
		}
		module, err := moduleOf(facts{ctx, head}, f.Path)
		if err != nil {
			return err
		}
		of[module] = append(of[module], f)
	}
	for _, module := range slices.Sorted(maps.Keys(of)) {
		if err := r.promised(ctx, base, head, module, of[module]); err != nil {
			return err
		}
	}
	return nil
}

// majorDir matches the end of a directory that holds another major version of a Go module. Its releases are called by the directory above.
var majorDir = lazyregexp.New(`(^|/)v[0-9]+$`)

// moduleOf is the directory by which the releases of the Go module are called that a file is in: they are tagged money/v1.2.3. Empty of
// the repository as a whole, and of other languages.
func moduleOf(r survey.Reader, file string) (string, error) {
	if path.Ext(file) != ".go" {
		return "", nil
	}
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		there, err := survey.Exists(r, path.Join(dir, "go.mod"))
		if err != nil || there {
			return majorDir.ReplaceAllString(dir, ""), err
		}
	}
	return "", nil
}

// promised makes notes of those findings of a module that no release of it has.
func (r *reviewing) promised(ctx context.Context, base, head *survey.Survey, module string, broken []*finding.Finding) error {
	names, err := r.workspace.Repo.Tags(ctx)
	if err != nil {
		return err
	}
	lines := versionLines(names)
	if len(lines) == 0 {
		return nil
	}
	if module != "" {
		lines = versionLines(slices.DeleteFunc(names, func(name string) bool { return path.Dir(name) != module }))
	}
	tag, at, err := r.release(ctx, lines)
	switch {
	case err != nil:
		return err
	case tag == "" && (module == "" || len(lines) > 0):
		return nil
	case tag == "" || strings.HasPrefix(versioned.FindStringSubmatch(tag)[2], "0."):
		for _, f := range broken {
			f.Severity = finding.Note
		}
		return nil
	}
	s, err := r.survey(ctx, worktree.AtCommit(r.workspace.Repo, at), releaseDir)
	if err != nil {
		return fmt.Errorf("look at %s: %w", tag, err)
	}
	released, err := newReleased(facts{ctx, s})
	if err != nil {
		return fmt.Errorf("look at %s: %w", tag, err)
	}
	for _, f := range broken {
		known, err := released.has(*f, facts{ctx, base}, facts{ctx, head})
		if err != nil {
			return err
		}
		if !known {
			f.Severity = finding.Note
			f.Message += ". " + tag + " does not have the old API, so its users are not affected"
		}
	}
	return nil
}

// mostTags is how many tags are looked up to find the newest release: one of each line, and those that came after the base.
const mostTags = 500

// release is the newest tag that the base is not older than, of those that are the highest version of their line; empty where
// there is none, or too many to tell.
func (r *reviewing) release(ctx context.Context, lines [][]string) (tag string, at gitstore.Commit, err error) {
	looks := 0
	for _, line := range lines {
		for _, name := range line {
			if looks++; looks > mostTags {
				return "", at, nil
			}
			c, err := r.workspace.Repo.Resolve(ctx, "refs/tags/"+name)
			if errors.Is(err, gitstore.ErrUnknownRevision) { // of a tree or a blob
				continue
			}
			if err != nil {
				return "", at, err
			}
			if c.When.After(r.Base.When) {
				continue
			}
			if tag == "" || c.When.After(at.When) || c.When.Equal(at.When) && name > tag {
				tag, at = name, c
			}
			break
		}
	}
	return tag, at, nil
}

// versioned matches a tag of a release: a line, as "v" or "pkg@", and at least two numbers.
var versioned = lazyregexp.New(`^(.*?)(\d+(?:[._]\d+)+)$`)

// versionLines sorts tags into the lines that a repository releases in, each with its highest version first. What comes before a
// release, as v2.0.0-rc.1, is none.
func versionLines(names []string) [][]string {
	type numbered struct {
		name    string
		numbers []int
	}
	lines := map[string][]numbered{}
	for _, name := range names {
		m := versioned.FindStringSubmatch(name)
		if m == nil || prerelease.MatchString(m[1]) {
			continue
		}
		if numbers := numbersOf(m[2]); numbers != nil {
			lines[m[1]] = append(lines[m[1]], numbered{name, numbers})
		}
	}
	var out [][]string
	for _, prefix := range slices.Sorted(maps.Keys(lines)) {
		slices.SortFunc(lines[prefix], func(a, b numbered) int {
			return cmp.Or(slices.Compare(b.numbers, a.numbers), cmp.Compare(a.name, b.name))
		})
		var line []string
		for _, one := range lines[prefix] {
			line = append(line, one.name)
		}
		out = append(out, line)
	}
	return out
}

var prerelease = lazyregexp.New(`(?i)(alpha|beta|rc|pre|dev|canary|next|nightly|snapshot)[-._]?$|\d-`)

// numbersOf are the numbers of a version; nil of one that nobody counts to.
func numbersOf(version string) (numbers []int) {
	for part := range strings.FieldsFuncSeq(version, func(c rune) bool { return c == '.' || c == '_' }) {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil
		}
		numbers = append(numbers, n)
	}
	return numbers
}
