package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/api"
	"github.com/causaldocs/causal/review/finding"
)

// unreleased makes notes of what breaks nobody because no release has it: what came after the last one may change as it likes, and
// so may everything before 1.0. Where the repository has no tags at hand, nobody knows.
func (r *reviewing) unreleased(ctx context.Context, base, head *survey.Survey, found *review.Found) error {
	broken := func(f finding.Finding) bool { return f.Rule == api.Rule && f.Severity == finding.Error }
	if !slices.ContainsFunc(found.Findings, broken) {
		return nil
	}
	tag, at, err := r.release(ctx)
	if err != nil || tag == "" {
		return err
	}
	if m := versioned.FindStringSubmatch(tag); strings.HasPrefix(m[2], "0.") {
		for i := range found.Findings {
			if f := &found.Findings[i]; broken(*f) {
				f.Severity = finding.Note
			}
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
	for i := range found.Findings {
		f := &found.Findings[i]
		if !broken(*f) {
			continue
		}
		known, err := released.has(*f, facts{ctx, base}, facts{ctx, head})
		if err != nil {
			return err
		}
		if !known {
			f.Severity = finding.Note
			f.Message += ". " + tag + " does not have it otherwise: nobody who uses that is concerned"
		}
	}
	return nil
}

// mostTags is how many tags are looked up to find the newest release: one of each line, and those that came after the base.
const mostTags = 500

// release is the newest tag that the base is not older than, of those that are the highest version of their line; empty where
// there is none, or too many to tell.
func (r *reviewing) release(ctx context.Context) (tag string, at gitstore.Commit, err error) {
	names, err := r.workspace.Repo.Tags(ctx)
	if err != nil {
		return "", at, err
	}
	looks := 0
	for _, line := range versionLines(names) {
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
var versioned = regexp.MustCompile(`^(.*?)(\d+(?:[._]\d+)+)$`)

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

var prerelease = regexp.MustCompile(`(?i)(alpha|beta|rc|pre|dev|canary|next|nightly|snapshot)[-._]?$|\d-`)

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

// facts are those of one survey.
type facts struct {
	ctx context.Context
	*survey.Survey
}

// Read implements survey.Reader.
func (f facts) Read(of fact.Fact) (any, error) { return f.Value(f.ctx, of) }

// released is what a release declares, by what it is called by itself.
type released struct {
	reader   survey.Reader
	declared map[string][]*source.Declared
}

func newReleased(r survey.Reader) (*released, error) {
	modules, err := survey.Modules(r)
	if err != nil {
		return nil, err
	}
	out := &released{r, map[string][]*source.Declared{}}
	for _, m := range modules {
		read, err := survey.Read(r, m)
		if err != nil {
			return nil, err
		}
		for i := range read.Declared {
			d := &read.Declared[i]
			out.declared[own(d.Name)] = append(out.declared[own(d.Name)], d)
		}
	}
	return out, nil
}

func own(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// has reports whether the release may have what a finding is about, in whatever file, other than the head has it. What is not
// declared by itself, as the field of a struct, it has where the text of its owner's file names it; what is neither, as a package, where
// it has the file. Of what the change added to an owner, that one counts. What only the project itself could use then was never promised.
func (r *released) has(f finding.Finding, base, head survey.Reader) (bool, error) {
	was, err := namesIn(base, f)
	if err != nil {
		return false, err
	}
	name, owner := own(f.Symbol), ""
	if strings.Contains(f.Symbol, ".") {
		owner = own(strings.TrimSuffix(f.Symbol, "."+name))
	}
	if owner != "" && !was.words(name) {
		name, owner = owner, ""
	}
	if list := membersOf(r.declared[name], owner); len(list) > 0 {
		if !slices.ContainsFunc(list, isExported) && slices.ContainsFunc(was.named(name), isExported) {
			return false, nil
		}
		is, err := namesIn(head, f)
		i := slices.IndexFunc(list, func(d *source.Declared) bool { return d.Path == f.Path })
		return i < 0 || !is.takes(list[i]), err
	}
	for _, d := range r.declared[owner] {
		text, err := survey.Blob(r.reader, d.Path)
		if err != nil || strings.Contains(string(text), name) {
			return true, err
		}
	}
	if was.declares(name) || was.declares(owner) {
		return false, nil
	}
	return survey.Exists(r.reader, f.Path)
}

// around is what the directory of a finding declares in one version, with the text of the file that it is in.
type around struct {
	declared []source.Declared
	text     string
}

func namesIn(r survey.Reader, f finding.Finding) (around, error) {
	text, err := survey.Blob(r, f.Path)
	if err != nil {
		return around{}, err
	}
	m, err := survey.Read(r, path.Dir(f.Path))
	if errors.Is(err, survey.ErrNoModule) {
		return around{text: string(text)}, nil
	}
	if err != nil {
		return around{}, err
	}
	return around{m.Declared, string(text)}, nil
}

func (a around) words(name string) bool { return a.text == "" || strings.Contains(a.text, name) }

func (a around) declares(name string) bool { return len(a.named(name)) > 0 }

// named are the declarations that are called so by themselves.
func (a around) named(name string) (out []*source.Declared) {
	for i := range a.declared {
		if own(a.declared[i].Name) == name {
			out = append(out, &a.declared[i])
		}
	}
	return out
}

func isExported(d *source.Declared) bool { return d.Exported }

// membersOf are those declarations of one name that belong to an owner; all where none does, as it may have another by now.
func membersOf(list []*source.Declared, owner string) []*source.Declared {
	var out []*source.Declared
	for _, d := range list {
		if i := strings.LastIndexByte(d.Symbol.Name, '.'); i > 0 && own(d.Symbol.Name[:i]) == owner {
			out = append(out, d)
		}
	}
	if len(out) == 0 {
		return list
	}
	return out
}

// takes reports whether a function is there that takes all calls which were right as a release declares it.
func (a around) takes(release *source.Declared) bool {
	return slices.ContainsFunc(a.declared, func(d source.Declared) bool { return d.Name == release.Name && api.Fits(release, &d) })
}
