package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Command is the hook command. It succeeds even if causal is missing or crashes.
const Command = "causal hooks run || true"

// LargestSettings bounds a settings file, in bytes.
const LargestSettings = 4 << 20

// commandSeconds is the agent's timeout; the program returns earlier.
const commandSeconds = 10

// settings are an agent's settings: JSON with its white space.
type settings struct {
	text  []byte
	root  hujson.Value
	hooks *hujson.Value // nil if there are none
}

// Installed reports whether the settings run causal at all events.
func Installed(text []byte) (bool, error) {
	_, missing, err := read(text)
	return len(missing) == 0, err
}

// Install adds causal's hooks to an agent's settings (nil if there are none) and preserves all other text.
//
// Insertions into an empty list or object directly follow the bracket; others begin a line. Uninstall relies on this to
// restore the original.
func Install(text []byte) ([]byte, error) {
	if text == nil {
		style := style{nl: "\n", unit: "  "}
		return []byte("{" + style.line(1) + `"hooks": ` + style.hooks(Events) + style.line(0) + "}\n"), nil
	}
	s, missing, err := read(text)
	if err != nil {
		return nil, err
	}
	style := s.style()
	if s.hooks == nil {
		style.add(&s.root, "hooks", 1, style.hooks(missing))
		return s.root.Pack(), nil
	}
	for _, event := range missing {
		if value := member(s.hooks, event); value != nil {
			list := value.Value.(*hujson.Array)
			list.Elements = append(list.Elements, style.value(len(list.Elements), 3, style.group(event)))
		} else {
			style.add(s.hooks, event, 2, style.event(event))
		}
	}
	return s.root.Pack(), nil
}

// Uninstall removes the additions of Install. It returns nil if nothing else remains.
func Uninstall(text []byte) ([]byte, error) {
	s, _, err := read(text)
	if err != nil {
		return nil, err
	}
	if s.hooks == nil {
		return text, nil
	}
	hooks, root := s.hooks.Value.(*hujson.Object), s.root.Value.(*hujson.Object)
	before := hooks.Members
	hooks.Members = remove(before, &hooks.AfterExtra, aroundMember, func(m *hujson.ObjectMember) bool {
		list, ok := m.Value.Value.(*hujson.Array)
		return ok && removeOurs(list)
	})
	switch {
	case len(hooks.Members) > 0 || len(before) == 0 || len(before[0].Name.BeforeExtra) == 0:
	case len(root.Members) > 1 || len(root.Members[0].Name.BeforeExtra) == 0:
		root.Members = remove(root.Members, &root.AfterExtra, aroundMember, func(m *hujson.ObjectMember) bool { return nameOf(m) == "hooks" })
	default:
		return nil, nil
	}
	return s.root.Pack(), nil
}

// removeOurs removes causal's hooks from the groups of an event, and reports whether Install made the list.
func removeOurs(list *hujson.Array) (made bool) {
	made = len(list.Elements) > 0 && len(list.Elements[0].BeforeExtra) > 0
	list.Elements = remove(list.Elements, &list.AfterExtra, aroundValue, func(group *hujson.Value) bool {
		hooks := member(group, "hooks")
		if hooks == nil || hooks.Value.Kind() != '[' {
			return false
		}
		of := hooks.Value.(*hujson.Array)
		more := slices.ContainsFunc(group.Value.(*hujson.Object).Members, func(m hujson.ObjectMember) bool {
			return nameOf(&m) != "hooks" && nameOf(&m) != "matcher"
		})
		if len(of.Elements) > 0 && !more && !slices.ContainsFunc(of.Elements, func(hook hujson.Value) bool { return commandOf(&hook) != Command }) {
			return true
		}
		of.Elements = remove(of.Elements, &of.AfterExtra, aroundValue, func(hook *hujson.Value) bool { return commandOf(hook) == Command })
		return false
	})
	return made && len(list.Elements) == 0
}

func aroundMember(m *hujson.ObjectMember) (before, after *hujson.Extra) {
	return &m.Name.BeforeExtra, &m.Value.AfterExtra
}

func aroundValue(v *hujson.Value) (before, after *hujson.Extra) { return &v.BeforeExtra, &v.AfterExtra }

// remove removes children of a list or an object, whose end is the white space before its bracket. The first child that
// remains moves to the place of the first. If none remains, only an end remains that Install found in an empty list.
func remove[T any](children []T, end *hujson.Extra, around func(*T) (before, after *hujson.Extra), gone func(*T) bool) []T {
	if len(children) == 0 {
		return nil
	}
	first, _ := around(&children[0])
	begin := *first
	var kept []T
	for i := range children {
		if !gone(&children[i]) {
			kept = append(kept, children[i])
		}
	}
	switch {
	case len(kept) > 0:
		before, _ := around(&kept[0])
		_, after := around(&kept[len(kept)-1])
		*before, *after = begin, nil // otherwise a comma would follow
	case len(begin) > 0:
		*end = nil
	}
	return kept
}

// style is the indentation of the settings.
type style struct{ nl, unit string }

func (s *settings) style() style {
	out := style{"\n", "  "}
	if bytes.Contains(s.text, []byte("\r\n")) {
		out.nl = "\r\n"
	}
	if members := s.root.Value.(*hujson.Object).Members; len(members) > 0 {
		before := string(members[0].Name.BeforeExtra)
		if i := strings.LastIndexByte(before, '\n'); i >= 0 && i+1 < len(before) {
			out.unit = before[i+1:]
		}
	}
	return out
}

func (s style) line(depth int) string { return s.nl + strings.Repeat(s.unit, depth) }

// value returns a child behind others.
func (s style) value(others, depth int, text string) hujson.Value {
	v := hujson.Value{Value: hujson.Literal(text)}
	if others > 0 {
		v.BeforeExtra = hujson.Extra(s.line(depth))
	}
	return v
}

// add adds a member to an object.
func (s style) add(to *hujson.Value, name string, depth int, text string) {
	o := to.Value.(*hujson.Object)
	value := hujson.Value{BeforeExtra: hujson.Extra(" "), Value: hujson.Literal(text)}
	o.Members = append(o.Members, hujson.ObjectMember{Name: s.value(len(o.Members), depth, `"`+name+`"`), Value: value})
}

func (s style) hooks(events []string) string {
	var members []string
	for _, e := range events {
		members = append(members, s.line(2)+`"`+e+`": `+s.event(e))
	}
	return "{" + strings.Join(members, ",") + s.line(1) + "}"
}

func (s style) event(name string) string { return "[" + s.line(3) + s.group(name) + s.line(2) + "]" }

func (s style) group(event string) string {
	matcher := ""
	if event == postToolUse {
		matcher = `"matcher": "*",` + s.line(4)
	}
	return "{" + s.line(4) + matcher + `"hooks": [` + s.line(5) + "{" +
		s.line(6) + `"type": "command",` + s.line(6) + `"command": "` + Command + `",` + s.line(6) + fmt.Sprintf(`"timeout": %d`, commandSeconds) +
		s.line(5) + "}" + s.line(4) + "]" + s.line(3) + "}"
}

// read parses settings and returns the events without causal's hook. It refuses settings that Install could not extend.
func read(text []byte) (s *settings, missing []string, err error) {
	var any json.RawMessage
	if err := json.Unmarshal(text, &any); err != nil { // hujson would take comments
		line := 1
		var broken *json.SyntaxError
		if errors.As(err, &broken) {
			line += bytes.Count(text[:min(int(broken.Offset), len(text))], []byte("\n"))
		}
		return nil, nil, fmt.Errorf("line %d: %w", line, err)
	}
	s = &settings{text: text}
	if s.root, err = hujson.Parse(text); err != nil {
		return nil, nil, err
	}
	if s.root.Value.Kind() != '{' {
		return nil, nil, s.problem(&s.root, "the settings are no object")
	}
	if s.hooks = member(&s.root, "hooks"); s.hooks == nil {
		return s, Events, nil
	}
	if s.hooks.Value.Kind() != '{' {
		return nil, nil, s.problem(s.hooks, `"hooks" is no object`)
	}
	err = s.unique(&s.root, "hooks")
	for _, event := range Events {
		list := member(s.hooks, event)
		switch {
		case list == nil:
			missing = append(missing, event)
			continue
		case list.Value.Kind() != '[':
			return nil, nil, s.problem(list, "the hooks of "+event+" are no list")
		case !slices.ContainsFunc(list.Value.(*hujson.Array).Elements, runsCausal):
			missing = append(missing, event)
		}
		err = errors.Join(err, s.unique(s.hooks, event))
	}
	return s, missing, err
}

func (s *settings) problem(at *hujson.Value, what string) error {
	return fmt.Errorf("line %d: %s", 1+bytes.Count(s.text[:at.StartOffset], []byte("\n")), what)
}

// unique rejects duplicate keys, because it is undefined which one the agent uses.
func (s *settings) unique(in *hujson.Value, name string) error {
	found := 0
	for _, m := range in.Value.(*hujson.Object).Members {
		if nameOf(&m) == name {
			if found++; found > 1 {
				return s.problem(&m.Value, fmt.Sprintf("%q is there twice", name))
			}
		}
	}
	return nil
}

func nameOf(m *hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// member returns a member of an object; nil if there is none, or no object.
func member(v *hujson.Value, name string) *hujson.Value {
	o, _ := v.Value.(*hujson.Object)
	if o == nil {
		return nil
	}
	for i := range o.Members {
		if nameOf(&o.Members[i]) == name {
			return &o.Members[i].Value
		}
	}
	return nil
}

func commandOf(hook *hujson.Value) string {
	if command := member(hook, "command"); command != nil && command.Value.Kind() == '"' {
		return command.Value.(hujson.Literal).String()
	}
	return ""
}

// runsCausal reports whether any hook of a group runs causal, with any options.
func runsCausal(group hujson.Value) bool {
	list := member(&group, "hooks")
	return list != nil && list.Value.Kind() == '[' && slices.ContainsFunc(list.Value.(*hujson.Array).Elements, func(hook hujson.Value) bool {
		return strings.Contains(commandOf(&hook), "causal hooks run")
	})
}
