package spec

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/store"
)

// Largest limits the size of a spec, in bytes.
const Largest = 1 << 20

// FileError describes an error in a spec file.
type FileError struct {
	File string
	Line int // from 1; 0 for the whole file
	What string
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.What
	}
	return e.File + ":" + strconv.Itoa(e.Line) + ": " + e.What
}

// Decode parses a spec. Anything it does not understand is an error, since people edit specs and contributors send
// them.
func Decode(file string, data []byte) (*Spec, error) {
	d := &decoder{file: file}
	if len(data) > Largest {
		d.fail(nowhere, "it has more than 1 MiB, the most that a spec may have")
	} else if !utf8.Valid(data) {
		d.fail(nowhere, "it is no UTF-8")
	}
	s := &Spec{}
	root := d.root(data)
	if d.err == nil {
		d.spec(root, s)
	}
	if d.err == nil {
		d.check(root, s)
	}
	if d.err != nil {
		return nil, d.err
	}
	return s, nil
}

type decoder struct {
	file  string
	err   error
	cases []*yaml.Node
}

func (d *decoder) fail(n *yaml.Node, format string, args ...any) {
	if d.err == nil {
		d.err = &FileError{File: d.file, Line: n.Line, What: fmt.Sprintf(format, args...)}
	}
}

// nowhere is the position of errors about the whole file.
var nowhere = &yaml.Node{}

func (d *decoder) root(data []byte) *yaml.Node {
	if d.err != nil {
		return nil
	}
	root, err := canonical.Document(data)
	if err != nil {
		line, what := canonical.Place(err)
		d.fail(&yaml.Node{Line: line}, "%s", what)
		return nil
	}
	for todo := []*yaml.Node{root}; len(todo) > 0; {
		n := todo[len(todo)-1]
		switch todo = append(todo[:len(todo)-1], n.Content...); {
		case n.Kind == yaml.AliasNode || n.Anchor != "":
			d.fail(n, "a spec has no aliases")
		case n.Style&yaml.TaggedStyle != 0:
			d.fail(n, "a spec has no tags, and this is tagged %s", n.ShortTag())
		}
	}
	if len(root.Content) != 1 || root.Content[0].Kind != yaml.MappingNode {
		d.fail(nowhere, "it is no list of keys and values")
		return nil
	}
	return root.Content[0]
}

func (d *decoder) fields(n *yaml.Node, what string, known map[string]func(*yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, "%s has to be a mapping", what)
		return
	}
	for i := 0; i+1 < len(n.Content) && d.err == nil; i += 2 {
		read, ok := known[n.Content[i].Value]
		if !ok {
			d.fail(n.Content[i], "%s has no key %q", what, n.Content[i].Value)
			return
		}
		read(n.Content[i+1])
	}
}

func (d *decoder) text(into *string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.ScalarNode {
			d.fail(n, "this has to be a text")
		} else if n.Tag != "!!null" {
			*into = n.Value
		}
	}
}

func (d *decoder) number(into *int) func(*yaml.Node) {
	return func(n *yaml.Node) {
		var err error
		if *into, err = strconv.Atoi(n.Value); err != nil || *into < 0 {
			d.fail(n, "this has to be a number")
		}
	}
}

func (d *decoder) texts(into *[]string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		d.each(n, func(n *yaml.Node) {
			var s string
			d.text(&s)(n)
			*into = append(*into, s)
		})
	}
}

func (d *decoder) words(n *yaml.Node, list []string, what string) {
	for _, text := range list {
		if !word.MatchString(text) {
			d.fail(n, "%s, and %q is none", what, text)
		}
	}
}

func (d *decoder) each(n *yaml.Node, read func(*yaml.Node)) {
	if n.Tag == "!!null" {
		return
	}
	if n.Kind != yaml.SequenceNode {
		d.fail(n, "this has to be a list")
		return
	}
	for _, one := range n.Content {
		if d.err == nil {
			read(one)
		}
	}
}

func (d *decoder) spec(n *yaml.Node, s *Spec) {
	var schema, status string
	d.fields(n, "a spec", map[string]func(*yaml.Node){
		"schema": d.text(&schema), "status": d.text(&status), "frame_id": d.text(&s.FrameID), "rationale": d.text(&s.Rationale),
		"invalidation_condition": d.text(&s.Condition), "depends_on": d.depends(&s.DependsOn), "observed": d.depends(&s.Observed),
		"target": func(n *yaml.Node) {
			d.fields(n, "target", map[string]func(*yaml.Node){"lang": d.text(&s.Target.Lang), "pkg": d.text(&s.Target.Pkg), "symbol": d.text(&s.Target.Symbol)})
			d.target(n, &s.Target)
		},
		"provenance": func(n *yaml.Node) {
			p := &s.Provenance
			d.fields(n, "provenance", map[string]func(*yaml.Node){"generator": d.text(&p.Generator), "seeds": d.texts(&p.Seeds), "llm": d.text(&p.LLM), "wrote": d.texts(&p.Wrote)})
			d.words(n, p.Wrote, "wrote lists marks of texts")
			d.words(n, p.Seeds, "seeds are words")
		},
		"invalidated": func(n *yaml.Node) {
			s.Fell = &Fell{}
			d.fields(n, "invalidated", map[string]func(*yaml.Node){"because": d.text(&s.Fell.Because), "file": d.text(&s.Fell.File), "session": d.text(&s.Fell.Session)})
		},
		"cases": func(n *yaml.Node) {
			d.each(n, func(n *yaml.Node) { s.Cases, d.cases = append(s.Cases, d.oneCase(n)), append(d.cases, n) })
		},
		"evidence": func(n *yaml.Node) {
			e := &s.Evidence
			d.fields(n, "evidence", map[string]func(*yaml.Node){
				"runs": d.number(&e.Runs), "coverage_added": d.number(&e.Coverage), "mutants_killed": d.texts(&e.Killed), "verified": d.text(&e.Verified),
			})
			d.words(n, e.Killed, "mutants have names like m12")
		},
	})
	s.Status = Status(status)
	if d.err == nil && schema != Schema {
		d.fail(n, "schema is %q and has to be %s", schema, Schema)
	}
}

func (d *decoder) depends(into *Depends) func(*yaml.Node) {
	return func(n *yaml.Node) {
		version := d.text(&into.Language)
		d.fields(n, "this", map[string]func(*yaml.Node){
			"iface": d.text(&into.Interface), "body_closure": d.text(&into.Body), "go": version, "python": version, "typescript": version,
		})
	}
}

var (
	word     = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)
	id       = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	symbol   = lazyregexp.New(`^[\p{L}_$][\p{L}\p{Nd}_$]*(\.[\p{L}_$][\p{L}\p{Nd}_$]*){0,8}$`)
	inFile   = lazyregexp.New(`^[\p{L}_$][\p{L}\p{Nd}_$-]*(\.[\p{L}_$][\p{L}\p{Nd}_$]*){1,8}$`) // slug-text.slugify, in slug-text.ts
	imported = lazyregexp.New(`^[\p{L}\p{Nd}_.~@+/-]{1,1000}$`)
)

// Languages are the supported languages.
var Languages = []string{"go", "python", "typescript"}

func (d *decoder) target(n *yaml.Node, t *Target) {
	switch {
	case !slices.Contains(Languages, t.Lang):
		d.fail(n, "lang is %q and has to be one of %s", t.Lang, strings.Join(Languages, ", "))
	case !symbol.MatchString(t.Symbol) && (t.Lang != "typescript" || !inFile.MatchString(t.Symbol)):
		d.fail(n, "symbol %q is no name", t.Symbol)
	case !imported.MatchString(t.Pkg) || path.IsAbs(t.Pkg) || path.Clean(t.Pkg) != t.Pkg || t.Pkg == ".." || strings.HasPrefix(t.Pkg, "../"):
		d.fail(n, "pkg %q is no path of a package of this repository", t.Pkg)
	default:
		if _, named, ok := (store.Layout{}).SpecOf(d.file); !ok || named != t.Symbol {
			d.fail(n, "symbol is %q, and the file is called after another one", t.Symbol)
		}
	}
}

func (d *decoder) oneCase(n *yaml.Node) Case {
	c, law := Case{}, ""
	d.fields(n, "a case", map[string]func(*yaml.Node){
		"id": d.text(&c.ID), "law": func(n *yaml.Node) {
			if d.text(&law)(n); d.err == nil && !slices.Contains(laws, Law(law)) {
				d.fail(n, "there is no law %q; the laws are %s", law, joined(laws))
			}
		},
		"why": d.text(&c.Why), "by": d.text(&c.By), "inverse": d.text(&c.Inverse), "raises": d.text(&c.Raises), "over": d.texts(&c.Over), "quarantined": d.text(&c.Quarantined),
		"args": func(n *yaml.Node) { c.Args = d.typed(n) },
		"want": func(n *yaml.Node) { c.Want = d.want(n) }, "became": func(n *yaml.Node) { c.Became = d.want(n) },
	})
	c.Law = Law(law)
	switch {
	case d.err != nil:
	case !id.MatchString(c.ID):
		d.fail(n, "the id %q is none: letters, digits and dashes", c.ID)
	case c.Law == "":
		d.fail(n, "case %s has no law", c.ID)
	case c.By != "" && c.By != Human:
		d.fail(n, "case %s is by %q; it may be by human, or say nothing", c.ID, c.By)
	case (c.Args == nil) == (len(c.Over) == 0):
		d.fail(n, "case %s has to have args, or else over", c.ID)
	case c.Raises != "" && !symbol.MatchString(c.Raises):
		d.fail(n, "the exception %q is no name", c.Raises)
	case c.Inverse != "" && !symbol.MatchString(c.Inverse):
		d.fail(n, "the inverse %q is no name", c.Inverse)
	}
	return c
}

func joined(laws []Law) string {
	parts := make([]string, len(laws))
	for i, l := range laws {
		parts[i] = string(l)
	}
	return strings.Join(parts, ", ")
}

func (d *decoder) typed(n *yaml.Node) []Typed {
	out := []Typed{}
	d.each(n, func(n *yaml.Node) {
		if n.Kind != yaml.MappingNode || len(n.Content) != 2 {
			d.fail(n, `an argument is a mapping from its type to its value: {string: "7"}`)
			return
		}
		out = append(out, Typed{n.Content[0].Value, d.value(n.Content[1])})
	})
	return out
}

func (d *decoder) want(n *yaml.Node) *Want {
	if n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode || len(n.Content) != 2 {
		d.fail(n, `want is {error: true}, {string_of: "7.00"} or a mapping from a type to a value`)
		return nil
	}
	name, value := n.Content[0].Value, n.Content[1]
	switch name {
	case "error":
		if value.Value != "true" {
			d.fail(n, "error can be true, or else want is a value")
		}
		return &Want{Error: true}
	case "string_of":
		var s string
		d.text(&s)(value)
		return &Want{StringOf: &s}
	case "results":
		return &Want{Values: d.typed(value)}
	}
	return &Want{Values: []Typed{{name, d.value(value)}}}
}

// CallKey and ArgsKey are the keys of a value made by a constructor.
const (
	CallKey = "call"
	ArgsKey = "args"
)

func (d *decoder) value(n *yaml.Node) Value {
	switch n.Kind {
	case yaml.SequenceNode:
		out := []Value{}
		for _, one := range n.Content {
			out = append(out, d.value(one))
		}
		return out
	case yaml.MappingNode:
		out := map[string]Value{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i].Value
			if name == ArgsKey && n.Content[0].Value == CallKey && areTyped(n.Content[i+1]) {
				args := []Value{}
				for _, a := range d.typed(n.Content[i+1]) {
					args = append(args, a)
				}
				out[name] = args
				continue
			}
			out[name] = d.value(n.Content[i+1])
		}
		return out
	}
	return d.scalar(n)
}

// areTyped reports whether a list has the form of arguments. A map in a result may use the same keys.
func areTyped(n *yaml.Node) bool {
	return n.Kind == yaml.SequenceNode && !slices.ContainsFunc(n.Content, func(n *yaml.Node) bool { return n.Kind != yaml.MappingNode || len(n.Content) != 2 })
}

func (d *decoder) scalar(n *yaml.Node) Value {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int":
		if i, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			return i
		}
		if u, err := strconv.ParseUint(n.Value, 0, 64); err == nil {
			return u
		}
		d.fail(n, "%s is no number", n.Value)
	case "!!float":
		if strings.Trim(n.Value, "+-_0123456789") == "" { // it would be rounded
			d.fail(n, "%s is larger than any number here; write 1.0e+20 for a float", n.Value)
		}
		var f float64
		if err := n.Load(&f); err != nil {
			d.fail(n, "%s is no number", n.Value)
		}
		return f
	}
	return n.Value
}

var statuses = []Status{Pending, Active, Invalidated, Quarantined}

func (d *decoder) check(n *yaml.Node, s *Spec) {
	if !slices.Contains(statuses, s.Status) {
		d.fail(n, "status is %q: it may be pending_record, active, invalidated or quarantined", s.Status)
	}
	if s.Target.Symbol == "" {
		d.fail(n, "there is no target")
	}
	there := map[string]bool{}
	for i := range s.Cases {
		if there[s.Cases[i].ID] {
			d.fail(d.cases[i], "two cases are called %s", s.Cases[i].ID)
		}
		there[s.Cases[i].ID] = true
	}
	for i := range s.Cases {
		for _, id := range s.Cases[i].Over {
			if !there[id] {
				d.fail(d.cases[i], "case %s is over %s, which is not there", s.Cases[i].ID, id)
			}
		}
	}
}

// DecodeCase parses one case in the form of a spec line.
func DecodeCase(text string) (*Case, error) {
	d := &decoder{file: "a case"}
	root, c := d.root([]byte(text)), Case{}
	if d.err == nil {
		c = d.oneCase(root)
	}
	if d.err != nil {
		return nil, d.err
	}
	return &c, nil
}
