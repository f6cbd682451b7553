package workspace

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/api"
	"github.com/causaldocs/causal/review/finding"
)

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
