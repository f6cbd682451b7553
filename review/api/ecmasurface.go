package api

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// outlet is what a package.json says of the package.
type outlet struct {
	dir     string // of the manifest
	private bool   // the package is not published
	early   bool   // an unstable version
	main    string // main files, as the manifest names them
	listed  bool   // users can import only what "exports" lists
}

// npm reads the nearest package.json. It returns the zero outlet without one.
func npm(r survey.Reader, dir string) (outlet, error) {
	name, text, err := nearest(r, dir, "package.json")
	if err != nil || text == nil {
		return outlet{}, err
	}
	var m struct {
		Private bool            `json:"private"`
		Version string          `json:"version"`
		Main    string          `json:"main"`
		Types   string          `json:"types"`
		Typings string          `json:"typings"`
		Exports json.RawMessage `json:"exports"`
	}
	if json.Unmarshal(text, &m) != nil {
		return outlet{}, nil
	}
	return outlet{path.Dir(name), m.Private, early.MatchString(m.Version), m.Main + "\n" + m.Types + m.Typings, len(m.Exports) > 0}, nil
}

// exportedNames lists the names under which users import the exports of a package.
func exportedNames(r survey.Reader, o outlet) (map[string]bool, error) {
	modules, err := survey.Modules(r)
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for _, m := range modules {
		if o.dir != "." && m != o.dir && !strings.HasPrefix(m, o.dir+"/") {
			continue
		}
		v, err := read(r, m)
		if err != nil {
			return nil, err
		}
		for _, u := range append(v.files("typescript"), v.files("javascript")...) {
			published, err := survey.PublishedOf(r, u.Path)
			if err != nil {
				return nil, err
			}
			for _, typed := range published.Names {
				for _, id := range idsOf(typed) {
					all[id] = true
				}
			}
		}
	}
	return all, nil
}

func idsOf(t source.Typed) (ids []string) {
	for _, name := range t.As {
		ids = append(ids, t.Import+":"+name)
	}
	return ids
}

// idsOf returns the public names of a breakage, whether it concerns a whole declaration, and whether entries decide
// what is public.
func (p *pair) idsOf(b breakage) (ids []string, whole, ruled bool, err error) {
	published, err := survey.PublishedOf(p.was.reader, b.was.path)
	prefix := source.Prefix(b.was.path, true)
	for _, name := range append(slices.Clone(b.all), b.declared) {
		top, _, member := strings.Cut(strings.TrimPrefix(name, prefix), ".")
		ids = append(ids, idsOf(published.Names[prefix+top])...)
		whole = whole || !member
	}
	return ids, whole, published.Ruled, err
}

// published marks breakages that the package's users do not see as inner, and removes duplicates.
func (p *pair) published(broken []breakage) ([]breakage, error) {
	if len(broken) == 0 {
		return nil, nil
	}
	if err := p.passOn(broken); err != nil {
		return nil, err
	}
	before, err := npm(p.was.reader, p.name)
	if err != nil {
		return nil, err
	}
	after, err := npm(p.now.reader, p.name)
	if err != nil {
		return nil, err
	}
	for i := range broken {
		broken[i].inner = broken[i].inner || after.private
		broken[i].early = after.early
	}
	if before.main != after.main { // the main file moved, for example because sources moved to another directory
		broken = slices.DeleteFunc(broken, func(b breakage) bool {
			return b.kind == "file removed" && path.Dir(b.was.path) == before.dir && stem(b.was.path) == "index"
		})
	}
	if !before.listed {
		return broken, nil
	}
	now, err := exportedNames(p.now.reader, after)
	if err != nil {
		return nil, err
	}
	told := map[string]bool{}
	var out []breakage
	for _, b := range broken {
		ids, whole, ruled, err := p.idsOf(b)
		if err != nil {
			return nil, err
		}
		lost := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return now[id] })
		switch gone := whole && b.now.line == 0; {
		case !ruled:
		case len(ids) == 0:
			b.inner = true
		case gone && (len(lost) == 0 || told[lost[0]]): // still exported, or already reported under this name
			continue
		case gone:
			told[lost[0]] = true
		}
		out = append(out, b)
	}
	return out, nil
}
