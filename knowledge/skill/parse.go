package skill

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/state"
	"github.com/causaldocs/causal/knowledge/store"
)

// Dir is the directory of the skills, and Ext the extension of their files.
const (
	Dir = store.Skills
	Ext = ".yml"
)

// Path returns the file of a skill.
func Path(id string) string { return Dir + "/" + id + Ext }

// IDOf returns the id of the skill in a file; false for other files.
func IDOf(file string) (string, bool) {
	id, ok := strings.CutSuffix(path.Base(file), Ext)
	return id, ok && path.Dir(file) == Dir
}

// IsID reports whether a text can be the id of a skill or a step: lower-case letters, digits, dashes and underscores.
func IsID(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-_") == "" && s[0] != '-'
}

type parser struct {
	file     string
	problems []Problem
}

func (p *parser) wrong(line int, format string, args ...any) {
	p.problems = append(p.problems, Problem{File: p.file, Line: max(line, 1), What: fmt.Sprintf(format, args...)})
}

// parse reads a file. With problems, the skill may be incomplete.
func parse(f File) (*Skill, []Problem) {
	p := &parser{file: f.Name}
	s := &Skill{File: f.Name, lines: map[string]int{}, source: fact.Digest(string(f.Data))}
	if f.Unread != "" {
		p.wrong(1, "the file cannot be read: %s", f.Unread)
	} else if root := p.load(f.Data); root != nil {
		p.skill(s, root)
	}
	return s, p.problems
}

// load reads the YAML. Aliases are refused: they can expand to huge documents.
func (p *parser) load(data []byte) *yaml.Node {
	if len(data) > LargestFile {
		p.wrong(1, "the file is larger than %d KB", LargestFile>>10)
		return nil
	}
	root, err := canonical.Document(data)
	if errors.Is(err, canonical.ErrEmpty) {
		p.wrong(1, "the file is empty; a skill has id, version, description and steps")
		return nil
	}
	if err != nil {
		line, what := canonical.Place(err)
		p.wrong(line, "%s", what)
		return nil
	}
	if line := aliased(root); line > 0 {
		p.wrong(line, "anchors and aliases are not allowed")
		return nil
	}
	return root.Content[0]
}

func aliased(n *yaml.Node) int {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return n.Line
	}
	for _, c := range n.Content {
		if line := aliased(c); line > 0 {
			return line
		}
	}
	return 0
}

func (p *parser) keys(n *yaml.Node, what string, known map[string]func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		p.wrong(n.Line, "%s must be a mapping", what)
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if set := known[key.Value]; set != nil {
			set(key, n.Content[i+1])
			continue
		}
		p.wrong(key.Line, "unknown key %q in %s; the keys are %s", key.Value, what, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
	}
}

func (p *parser) text(into *string, what string) func(key, value *yaml.Node) {
	return func(_, n *yaml.Node) {
		if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
			p.wrong(n.Line, "%s must be a text", what)
			return
		}
		*into = n.Value
	}
}

func (p *parser) skill(s *Skill, root *yaml.Node) {
	noting := func(set func(key, value *yaml.Node)) func(key, value *yaml.Node) {
		return func(key, value *yaml.Node) {
			s.lines[key.Value] = key.Line
			set(key, value)
		}
	}
	p.keys(root, "a skill", map[string]func(key, value *yaml.Node){
		"id": noting(p.text(&s.ID, "id")), "version": noting(p.text(&s.Version, "version")), "description": noting(p.text(&s.Description, "description")),
		"inputs": noting(func(_, n *yaml.Node) { s.Inputs = p.inputs(n) }),
		"frame":  noting(func(_, n *yaml.Node) { s.Frame = p.frame(n) }),
		"steps":  noting(func(_, n *yaml.Node) { s.Steps = p.steps(n) }),
		"when":   noting(func(_, n *yaml.Node) { s.When = p.when(n) }),
	})
	for _, key := range []string{"id", "version", "description", "steps"} {
		if _, ok := s.lines[key]; !ok {
			p.wrong(root.Line, "a skill needs %s", key)
		}
	}
	if name, ok := IDOf(p.file); s.ID != "" && ok && s.ID != name {
		p.wrong(s.lines["id"], "id %q must be the name of the file, %q", s.ID, name)
	} else if s.ID != "" && !IsID(s.ID) {
		p.wrong(s.lines["id"], "id %q may have lower-case letters, digits, dashes and underscores", s.ID)
	}
	if len(s.When) == 0 {
		s.When = []Trigger{Manual}
	}
}

func (p *parser) when(n *yaml.Node) (out []Trigger) {
	list := n.Content
	if n.Kind == yaml.ScalarNode {
		list = []*yaml.Node{n}
	}
	for _, one := range list {
		if t := Trigger(one.Value); slices.Contains(Triggers, t) {
			out = append(out, t)
			continue
		}
		p.wrong(one.Line, "when %q must be update, review or manual", one.Value)
	}
	return out
}

func (p *parser) frame(n *yaml.Node) map[string]any {
	if n.Kind != yaml.MappingNode {
		p.wrong(n.Line, "frame must be a mapping")
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; !slices.Contains(state.FrameSlots, key.Value) {
			p.wrong(key.Line, "unknown key %q in frame; the keys are %s", key.Value, strings.Join(state.FrameSlots, ", "))
		}
	}
	m, _ := p.value(n).(map[string]any)
	return m
}

func (p *parser) inputs(n *yaml.Node) map[string]Input {
	if n.Kind != yaml.MappingNode {
		p.wrong(n.Line, "inputs must be a mapping")
		return nil
	}
	out := map[string]Input{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, in, kind, required := n.Content[i].Value, Input{Type: Any}, "", ""
		line := n.Content[i].Line
		p.keys(n.Content[i+1], "the input "+name, map[string]func(key, value *yaml.Node){
			"type": p.text(&kind, "type"), "description": p.text(&in.Description, "description"), "required": p.text(&required, "required"),
			"default": func(_, v *yaml.Node) { in.Default = p.value(v) },
		})
		if kind != "" {
			in.Type = Type(kind)
		}
		in.Required = required == "true"
		switch {
		case !IsID(strings.ToLower(name)):
			p.wrong(line, "the name of the input %q may have letters, digits, dashes and underscores", name)
		case !slices.Contains(Types, in.Type):
			p.wrong(line, "the input %s has the unknown type %q", name, kind)
		case required != "" && required != "true" && required != "false":
			p.wrong(line, "required must be true or false")
		case !in.Type.Holds(in.Default):
			p.wrong(line, "the default of the input %s is no %s", name, in.Type)
		}
		out[name] = in
	}
	return out
}

func (p *parser) steps(n *yaml.Node) []Step {
	if n.Kind != yaml.SequenceNode {
		p.wrong(n.Line, "steps must be a list")
		return nil
	}
	if len(n.Content) > MostSteps {
		p.wrong(n.Content[MostSteps].Line, "a skill has more than %d steps", MostSteps)
		return nil
	}
	out := make([]Step, len(n.Content))
	for i, one := range n.Content {
		p.step(&out[i], one)
	}
	return out
}

func (p *parser) step(s *Step, n *yaml.Node) {
	s.file, s.line, s.lines, s.blocks, s.refs = p.file, n.Line, map[string]int{}, map[string]int{}, map[string]int{}
	merge := ""
	known := map[string]func(key, value *yaml.Node){
		"id": p.text(&s.ID, "id"), "uses": p.text(&s.Uses, "uses"), "if": p.text(&s.If, "if"),
		"input":  func(_, v *yaml.Node) { s.Input = p.mapping(s, "input", v) },
		"else":   func(_, v *yaml.Node) { s.Else = p.mapping(s, "else", v) },
		"output": func(_, v *yaml.Node) { s.Output = p.output(s, v) },
		"config": func(_, v *yaml.Node) {
			p.keys(v, "config", map[string]func(key, value *yaml.Node){"merge_strategy": func(key, v *yaml.Node) {
				s.lines["merge_strategy"] = key.Line
				p.text(&merge, "merge_strategy")(key, v)
			}})
		},
	}
	for key, set := range known {
		known[key] = func(k, v *yaml.Node) {
			s.lines[key] = k.Line
			set(k, v)
		}
	}
	p.keys(n, "a step", known)
	s.Merge = state.Strategy(merge)
}

func (p *parser) mapping(s *Step, what string, n *yaml.Node) map[string]any {
	if n.Kind != yaml.MappingNode {
		p.wrong(n.Line, "%s must be a mapping", what)
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := what+"."+n.Content[i].Value, n.Content[i+1]
		s.lines[key] = n.Content[i].Line
		if value.Style&yaml.LiteralStyle != 0 {
			s.blocks[key] = value.Line + 1
		}
	}
	references(n, s.refs)
	m, _ := p.value(n).(map[string]any)
	return m
}

func references(n *yaml.Node, lines map[string]int) {
	if _, _, ok := state.ParseRef(n.Value); n.Kind == yaml.ScalarNode && ok && lines[n.Value] == 0 {
		lines[n.Value] = n.Line
	}
	for i, c := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 1 {
			references(c, lines)
		}
	}
}

func (p *parser) output(s *Step, n *yaml.Node) map[string]string {
	if n.Kind != yaml.MappingNode {
		p.wrong(n.Line, "output must be a mapping of names to targets")
		return nil
	}
	out := map[string]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, target := n.Content[i], n.Content[i+1]
		if target.Kind != yaml.ScalarNode {
			p.wrong(target.Line, "the target of %s must be a text such as vars.%s", key.Value, key.Value)
			continue
		}
		out[key.Value] = target.Value
		s.lines["output."+key.Value] = target.Line
	}
	return out
}

func (p *parser) value(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		out := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Kind != yaml.ScalarNode {
				p.wrong(n.Content[i].Line, "a key must be a text")
				continue
			}
			out[n.Content[i].Value] = p.value(n.Content[i+1])
		}
		return out
	case yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, c := range n.Content {
			out[i] = p.value(c)
		}
		return out
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int":
		if i, err := strconv.Atoi(n.Value); err == nil {
			return i
		}
	case "!!float":
		if f, err := strconv.ParseFloat(n.Value, 64); err == nil {
			return f
		}
	}
	return n.Value
}
