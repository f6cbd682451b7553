package node

import (
	"bytes"

	"github.com/causaldocs/causal/knowledge/canonical"
)

// read reads a node in the form that Encode gives it; false when the file has another form. What is encoded to the
// very bytes that were read was read right, so that nothing else needs to be checked.
func read(data []byte) (*Node, bool) {
	n, section := &Node{}, ""
	r := canonical.NewReader(string(data))
	for {
		e, ok := r.Next()
		switch {
		case !ok:
			n.InvalidationCondition = oneLine(n.InvalidationCondition)
			w := writers.Get().(*canonical.Writer)
			defer writers.Put(w)
			return n, bytes.Equal(n.encode(w), data)
		case e.Column == 0:
			section = e.Key
			if field := fields[e.Key]; field != nil {
				*field(n) = e.Value
				continue
			}
			fallthrough
		default:
			add := sections[section]
			if add == nil || !add(n, e) {
				return nil, false
			}
		}
	}
}

// fields are the keys of a node that have one value.
var fields = map[string]func(*Node) *string{
	"module":                 func(n *Node) *string { return &n.Module },
	"path":                   func(n *Node) *string { return &n.Path },
	"language":               func(n *Node) *string { return &n.Language },
	"kind":                   func(n *Node) *string { return &n.Kind },
	"purpose":                func(n *Node) *string { return &n.Purpose },
	"purpose_from":           func(n *Node) *string { return &n.PurposeFrom },
	"purpose_file":           func(n *Node) *string { return &n.PurposeFile },
	"doc":                    func(n *Node) *string { return &n.Doc },
	"stale":                  func(n *Node) *string { return &n.Stale },
	"invalidation_condition": func(n *Node) *string { return &n.InvalidationCondition },
	"generator":              func(n *Node) *string { return &n.Generator },
}

// sections are the keys of a node that have a list. Each takes in one entry of it, the key itself at first, and tells
// whether it could.
var sections = map[string]func(*Node, canonical.Entry) bool{
	"dependencies": values(func(n *Node) *[]string { return &n.Dependencies }),
	"external":     values(func(n *Node) *[]string { return &n.External }),
	"public_api": records(func(n *Node) *[]Symbol { return &n.PublicAPI }, map[string]func(*Symbol) *string{
		"name":       func(s *Symbol) *string { return &s.Name },
		"kind":       func(s *Symbol) *string { return (*string)(&s.Kind) },
		"signature":  func(s *Symbol) *string { return &s.Signature },
		"doc":        func(s *Symbol) *string { return &s.Doc },
		"deprecated": func(s *Symbol) *string { return &s.Deprecated },
		"from":       func(s *Symbol) *string { return &s.From },
		"file":       func(s *Symbol) *string { return &s.File },
		"content":    func(s *Symbol) *string { return (*string)(&s.Content) },
		"at":         func(s *Symbol) *string { return &s.At },
		"lines":      func(s *Symbol) *string { return &s.Lines },
	}, map[string]func(*Symbol) *[]string{"aliases": func(s *Symbol) *[]string { return &s.Aliases }}),
	"behaviour": records(func(n *Node) *[]Behavior { return &n.Behaviour }, map[string]func(*Behavior) *string{
		"kind": func(b *Behavior) *string { return (*string)(&b.Kind) },
		"name": func(b *Behavior) *string { return &b.Name },
		"file": func(b *Behavior) *string { return &b.File },
	}, nil),
	"examples": records(func(n *Node) *[]Example { return &n.Examples }, map[string]func(*Example) *string{
		"symbol": func(e *Example) *string { return &e.Symbol },
		"suffix": func(e *Example) *string { return &e.Suffix },
		"doc":    func(e *Example) *string { return &e.Doc },
		"code":   func(e *Example) *string { return &e.Code },
		"output": func(e *Example) *string { return &e.Output },
	}, nil),
	"sources": records(func(n *Node) *[]Source { return &n.Sources }, map[string]func(*Source) *string{
		"path":        func(s *Source) *string { return &s.Path },
		"fingerprint": func(s *Source) *string { return (*string)(&s.Fingerprint) },
		"language":    func(s *Source) *string { return &s.Language },
		"role":        func(s *Source) *string { return &s.Role },
		"problem":     func(s *Source) *string { return &s.Problem },
		"about":       func(s *Source) *string { return &s.About },
	}, nil),
	"uses": func(n *Node, e canonical.Entry) bool {
		switch {
		case e.Column == 0:
			return true
		case e.Dash && e.Key == "module":
			n.Uses = append(n.Uses, Use{Module: e.Value})
			return true
		case e.Key == "seen" && len(n.Uses) > 0:
			n.Uses[len(n.Uses)-1].setSeen(e.Value)
			return true
		}
		return false
	},
}

// values reads a list of strings.
func values(list func(*Node) *[]string) func(*Node, canonical.Entry) bool {
	return func(n *Node, e canonical.Entry) bool {
		if e.Dash {
			*list(n) = append(*list(n), e.Value)
		} else {
			*list(n) = e.Flow
		}
		return true
	}
}

// records reads a list of records, whose keys have one value each, or a list on one line.
func records[T any](list func(*Node) *[]T, fields map[string]func(*T) *string, flows map[string]func(*T) *[]string) func(*Node, canonical.Entry) bool {
	return func(n *Node, e canonical.Entry) bool {
		all := list(n)
		switch {
		case e.Column == 0:
			if e.Flow != nil {
				*all = []T{}
			}
			return true
		case e.Dash:
			*all = append(*all, *new(T))
		case len(*all) == 0:
			return false
		}
		one := &(*all)[len(*all)-1]
		if flow := flows[e.Key]; flow != nil {
			*flow(one) = e.Flow
			return true
		}
		field := fields[e.Key]
		if field != nil {
			*field(one) = e.Value
		}
		return field != nil
	}
}
