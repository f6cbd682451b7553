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
	"unicode"

	"golang.org/x/mod/modfile"
	gomodule "golang.org/x/mod/module"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
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

type facts struct {
	ctx context.Context
	of  *survey.Survey
}

// Read implements survey.Reader.
func (f facts) Read(a fact.Fact) (any, error) { return f.of.Value(f.ctx, a) }

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

// has reports whether the release may have the subject of a finding, in any file, other than as the head has it. A
// member without a declaration, such as a struct field, counts if its owner's file names it; a package counts if the
// file exists. Symbols that were internal to the project then were never promised, and equal names elsewhere are
// something else.
func (r *released) has(f finding.Finding, base, head survey.Reader) (bool, error) {
	was, err := namesIn(base, f)
	if err != nil {
		return false, err
	}
	name, owner := own(f.Symbol), ""
	if strings.Contains(f.Symbol, ".") {
		owner = own(strings.TrimSuffix(f.Symbol, "."+name))
	}
	if owner != "" && !was.words(name) && !slices.ContainsFunc(r.declared[name], func(d *source.Declared) bool { return ownerOf(d) == owner }) {
		name, owner = owner, ""
	}
	if owner != "" && r.embeds(f, owner, name) {
		return true, nil
	}
	list, err := r.others(membersOf(r.declared[name], owner), f, head)
	if err != nil {
		return false, err
	}
	if len(list) > 0 {
		if !slices.ContainsFunc(list, isExported) && slices.ContainsFunc(was.named(name), isExported) {
			return false, nil
		}
		is, err := namesIn(head, f)
		i := slices.IndexFunc(list, func(d *source.Declared) bool { return d.Path == f.Path })
		// what the base keeps too does not show the change, such as a trait's default
		return i < 0 || !is.keeps(list[i]) || was.keeps(list[i]), err
	}
	owners, err := r.others(r.declared[owner], f, head)
	if err != nil {
		return false, err
	}
	for _, d := range owners {
		text, err := survey.Blob(r.reader, d.Path)
		if err != nil || hasWord(string(text), name) {
			return true, err
		}
	}
	if was.declares(name) || was.declares(owner) {
		return false, nil
	}
	return survey.Exists(r.reader, f.Path)
}

// embeds reports whether a Go type has a member through embedding in the release: an embedded field, or a promoted
// field or method.
func (r *released) embeds(f finding.Finding, owner, name string) bool {
	members := r.declared[name]
	of := func(owner string) bool {
		return slices.ContainsFunc(members, func(d *source.Declared) bool { return ownerOf(d) == owner })
	}
	return path.Ext(f.Path) == ".go" && !of(owner) && slices.ContainsFunc(r.declared[owner], func(o *source.Declared) bool {
		return path.Dir(o.Path) == path.Dir(f.Path) && slices.ContainsFunc(o.Bases, func(base string) bool { return own(base) == name || of(own(base)) })
	})
}

func ownerOf(d *source.Declared) string {
	if i := strings.LastIndexByte(d.Symbol.Name, '.'); i > 0 {
		return own(d.Symbol.Name[:i])
	}
	return ""
}

// others drops declarations of the release that the head still has in the same place. The finding's symbol may be one
// of the rest, before it moved.
func (r *released) others(list []*source.Declared, f finding.Finding, head survey.Reader) (out []*source.Declared, err error) {
	for _, d := range list {
		if dir := path.Dir(d.Path); d.Path != f.Path && (dir != path.Dir(f.Path) || d.Name != f.Symbol) {
			m, err := survey.Find(head, dir)
			if err != nil {
				return nil, err
			}
			if m != nil && slices.ContainsFunc(m.Declared, func(is source.Declared) bool { return is.Name == d.Name && is.Path == d.Path }) {
				continue
			}
		}
		out = append(out, d)
	}
	return out, nil
}

type around struct {
	declared []source.Declared
	text     string
}

func namesIn(r survey.Reader, f finding.Finding) (around, error) {
	text, err := survey.Blob(r, f.Path)
	if err != nil {
		return around{}, err
	}
	m, err := survey.Find(r, path.Dir(f.Path))
	if m == nil {
		return around{text: string(text)}, err
	}
	return around{m.Declared, string(text)}, nil
}

func (a around) words(name string) bool { return a.text == "" || hasWord(a.text, name) }

func hasWord(text, name string) bool {
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return c != '_' && c != '$' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		if word == name {
			return true
		}
	}
	return false
}

func (a around) declares(name string) bool { return len(a.named(name)) > 0 }

func (a around) named(name string) (out []*source.Declared) {
	for i := range a.declared {
		if own(a.declared[i].Name) == name {
			out = append(out, &a.declared[i])
		}
	}
	return out
}

func isExported(d *source.Declared) bool { return d.Exported }

// isPublic reports whether a declaration and the types around it are exported.
func (a around) isPublic(d *source.Declared) bool {
	return d.Exported && !slices.ContainsFunc(a.declared, func(o source.Declared) bool {
		return !o.Exported && o.Path == d.Path && strings.HasPrefix(d.Name, o.Name+".")
	})
}

// membersOf returns the declarations that belong to an owner, or all if none does: the owner may have been renamed.
func membersOf(list []*source.Declared, owner string) []*source.Declared {
	var out []*source.Declared
	for _, d := range list {
		if owner != "" && ownerOf(d) == owner {
			out = append(out, d)
		}
	}
	if len(out) == 0 {
		return list
	}
	return out
}

// keeps reports whether a declaration is as in the release, or a function that accepts all calls that were valid then.
func (a around) keeps(release *source.Declared) bool {
	return slices.ContainsFunc(a.declared, func(d source.Declared) bool {
		same := d.Kind == release.Kind && d.Interface == release.Interface
		return d.Name == release.Name && a.isPublic(&d) && (same || api.Fits(release, &d))
	})
}
