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

	"golang.org/x/mod/modfile"
	gomodule "golang.org/x/mod/module"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/api"
	"github.com/causaldocs/causal/review/finding"
)

// unreleased turns breaking changes into notes if no release has the symbol or the last release is before 1.0. Without
// tags, findings stay errors.
func (r *reviewing) unreleased(ctx context.Context, base, head *survey.Survey, found *review.Found) error {
	of := map[module][]*finding.Finding{}
	for i := range found.Findings {
		f := &found.Findings[i]
		if f.Rule != api.Rule || f.Severity != finding.Error {
			continue
		}
		in, err := moduleOf(facts{ctx, head}, f.Path)
		if err != nil {
			return err
		}
		of[in] = append(of[in], f)
	}
	for _, in := range slices.SortedFunc(maps.Keys(of), func(a, b module) int { return cmp.Compare(a.prefix, b.prefix) }) {
		if err := r.promised(ctx, base, head, in, of[in]); err != nil {
			return err
		}
	}
	return nil
}

// majorDir matches the end of a directory with another major version of a Go module. Its tags have the directory above
// as prefix.
var majorDir = lazyregexp.New(`(^|/)v[0-9]+$`)

// module identifies the release tags of a Go module.
type module struct {
	prefix string // directory before the tags, as in money/v1.2.3; empty for the root module and for other languages
	major  string // version in the module's path: "2"; empty without one
}

// moduleOf returns the module that contains a file.
func moduleOf(r survey.Reader, file string) (m module, err error) {
	for dir := path.Dir(file); path.Ext(file) == ".go"; dir = path.Dir(dir) {
		text, err := survey.Blob(r, path.Join(dir, "go.mod"))
		if err == nil && text == nil && dir != "." {
			continue
		}
		_, version, _ := gomodule.SplitPathVersion(modfile.ModulePath(text))
		if m.major = strings.TrimLeft(version, "/.v"); dir != "." {
			m.prefix = majorDir.ReplaceAllString(dir, "")
		}
		return m, err
	}
	return module{}, nil
}

// ofMajor returns the tags of one major version. Those of others are of other modules.
func ofMajor(lines [][]string, major string) (out [][]string) {
	for _, line := range lines {
		line = slices.DeleteFunc(slices.Clone(line), func(name string) bool {
			return !strings.HasPrefix(strings.ReplaceAll(versioned.FindStringSubmatch(name)[2], "_", "."), major+".")
		})
		if len(line) > 0 {
			out = append(out, line)
		}
	}
	return out
}

func (r *reviewing) promised(ctx context.Context, base, head *survey.Survey, in module, broken []*finding.Finding) error {
	names, err := r.workspace.Repo.Tags(ctx)
	if err != nil {
		return err
	}
	lines := versionLines(names)
	if len(lines) == 0 {
		return nil
	}
	if in.prefix != "" {
		lines = versionLines(slices.DeleteFunc(names, func(name string) bool { return path.Dir(name) != in.prefix }))
	}
	if in.major != "" {
		lines = ofMajor(lines, in.major)
	}
	tag, at, err := r.release(ctx, lines)
	switch {
	case err != nil:
		return err
	case tag == "" && (in == module{} || len(lines) > 0):
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

// mostTags limits the tag look-ups for the newest release: one for each line, and those after the base.
const mostTags = 500

// release returns the newest tag, of the highest versions in each line, that is not after the base. It is empty if
// there is none, or if there are too many tags.
func (r *reviewing) release(ctx context.Context, lines [][]string) (tag string, at gitstore.Commit, err error) {
	looks := 0
	for _, line := range lines {
		for _, name := range line {
			if looks++; looks > mostTags {
				return "", at, nil
			}
			c, err := r.workspace.Repo.Resolve(ctx, "refs/tags/"+name)
			if errors.Is(err, gitstore.ErrUnknownRevision) { // the tag of a tree or a blob
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

// versioned matches a release tag: a prefix such as "v" or "pkg@", and at least two numbers.
var versioned = lazyregexp.New(`^(.*?)(\d+(?:[._]\d+)+)$`)

// versionLines groups release tags by prefix, each with the highest version first. Prereleases such as v2.0.0-rc.1 are
// left out.
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

// numbersOf parses a version. It returns nil if a number overflows.
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
