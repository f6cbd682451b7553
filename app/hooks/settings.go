package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Command is the hook command. It succeeds even if causal is missing or crashes.
const Command = "causal hooks run || true"

// LargestSettings bounds a settings file, in bytes.
const LargestSettings = 4 << 20

// commandSeconds is the agent's timeout; the program returns earlier.
const commandSeconds = 10

// Installed reports whether the settings run causal at all events.
func Installed(settings []byte) (bool, error) {
	root, err := parseSettings(settings)
	if err != nil {
		return false, err
	}
	missing, err := root.missing()
	return len(missing) == 0, err
}

// Install adds causal's hooks to an agent's settings (nil if there are none) and preserves all other text.
//
// Insertions into an empty list or object directly follow the bracket; others begin a line. Uninstall relies on this to
// restore the original.
func Install(settings []byte) ([]byte, error) {
	if settings == nil {
		s := style{nl: "\n", unit: "  "}
		return []byte("{" + s.line(1) + s.hooks(Events) + s.line(0) + "}\n"), nil
	}
	root, err := parseSettings(settings)
	if err != nil {
		return nil, err
	}
	missing, err := root.missing()
	if err != nil {
		return nil, err
	}
	s := styleOf(settings, root)
	hooks := root.member("hooks")
	if hooks == nil && len(missing) > 0 {
		return root.insert(settings, 1, s, s.hooks(missing)), nil
	}
	var members []string
	for _, event := range missing {
		if list := hooks.member(event); list != nil {
			settings = list.insert(settings, 3, s, s.group(event))
			if root, err = parseSettings(settings); err != nil { // positions have moved
				return nil, err
			}
			hooks = root.member("hooks")
		} else {
			members = append(members, s.event(event))
		}
	}
	if len(members) > 0 {
		settings = hooks.insert(settings, 2, s, strings.Join(members, ","+s.line(2)))
	}
	return settings, nil
}

// Uninstall removes the additions of Install. It returns nil if nothing else remains.
func Uninstall(settings []byte) ([]byte, error) {
	root, err := parseSettings(settings)
	if err != nil {
		return nil, err
	}
	if _, err := root.missing(); err != nil {
		return nil, err
	}
	hooks := root.member("hooks")
	if hooks == nil {
		return settings, nil
	}
	var events []int // members to remove
	var parts []span
	for i, c := range hooks.children {
		groups, inner := c.value.ours()
		switch {
		case len(groups) > 0 && len(groups) == len(c.value.children) && !c.value.wasEmpty():
			events = append(events, i)
		case len(groups) > 0:
			parts = append(parts, c.value.spans(groups)...)
		}
		for _, g := range inner {
			parts = append(parts, g.list.spans(g.entries)...)
		}
	}
	switch {
	case len(events) == 0:
	case len(events) < len(hooks.children) || hooks.wasEmpty():
		parts = append(parts, hooks.spans(events)...)
	case len(root.children) > 1 || root.wasEmpty():
		parts = root.spans([]int{slices.IndexFunc(root.children, func(c child) bool { return c.name == "hooks" })})
	default:
		return nil, nil
	}
	return without(settings, parts), nil
}

// style is the indentation of the settings.
type style struct{ nl, unit string }

func styleOf(settings []byte, root *node) style {
	s := style{"\n", "  "}
	if bytes.Contains(settings, []byte("\r\n")) {
		s.nl = "\r\n"
	}
	if len(root.children) > 0 {
		before := string(settings[root.start+1 : root.children[0].start])
		if i := strings.LastIndexByte(before, '\n'); i >= 0 && i+1 < len(before) {
			s.unit = before[i+1:]
		}
	}
	return s
}

func (s style) line(depth int) string { return s.nl + strings.Repeat(s.unit, depth) }

func (s style) hooks(events []string) string {
	var members []string
	for _, e := range events {
		members = append(members, s.event(e))
	}
	return `"hooks": {` + s.line(2) + strings.Join(members, ","+s.line(2)) + s.line(1) + "}"
}

func (s style) event(name string) string {
	return `"` + name + `": [` + s.line(3) + s.group(name) + s.line(2) + "]"
}

func (s style) group(event string) string {
	matcher := ""
	if event == postToolUse {
		matcher = `"matcher": "*",` + s.line(4)
	}
	return "{" + s.line(4) + matcher + `"hooks": [` + s.line(5) + "{" +
		s.line(6) + `"type": "command",` + s.line(6) + `"command": "` + Command + `",` + s.line(6) + fmt.Sprintf(`"timeout": %d`, commandSeconds) +
		s.line(5) + "}" + s.line(4) + "]" + s.line(3) + "}"
}

// missing returns the events without causal's hook. It refuses settings that Install could not extend.
func (n *node) missing() ([]string, error) {
	if n.kind != '{' {
		return nil, n.problem("the settings are no object")
	}
	hooks := n.member("hooks")
	if hooks == nil {
		return Events, n.unique("hooks")
	}
	if hooks.kind != '{' {
		return nil, hooks.problem(`"hooks" is no object`)
	}
	err := n.unique("hooks")
	var missing []string
	for _, event := range Events {
		list := hooks.member(event)
		if list != nil && list.kind != '[' {
			return nil, list.problem("the hooks of " + event + " are no list")
		}
		err = errors.Join(err, hooks.unique(event))
		if list == nil || !slices.ContainsFunc(list.children, func(c child) bool { return c.value.runsCausal() }) {
			missing = append(missing, event)
		}
	}
	return missing, err
}

// runsCausal reports whether any hook of a group runs causal, with any options.
func (n *node) runsCausal() bool {
	list := n.member("hooks")
	return list != nil && slices.ContainsFunc(list.children, func(c child) bool {
		command := c.value.member("command")
		return command != nil && strings.Contains(command.text, "causal hooks run")
	})
}

// entries are causal's hooks within a group that also has others.
type entries struct {
	list    *node
	entries []int
}

// ours returns the groups that Install added, and causal's hooks within other groups.
func (n *node) ours() (groups []int, inner []entries) {
	if n.kind != '[' {
		return nil, nil
	}
	for i, c := range n.children {
		list := c.value.member("hooks")
		if list == nil || list.kind != '[' {
			continue
		}
		var found []int
		for j, hook := range list.children {
			if command := hook.value.member("command"); command != nil && command.text == Command {
				found = append(found, j)
			}
		}
		more := slices.ContainsFunc(c.value.children, func(m child) bool { return m.name != "hooks" && m.name != "matcher" })
		switch {
		case len(found) > 0 && len(found) == len(list.children) && !more:
			groups = append(groups, i)
		case len(found) > 0:
			inner = append(inner, entries{list, found})
		}
	}
	return groups, inner
}

func (n *node) problem(what string) error { return fmt.Errorf("line %d: %s", n.line, what) }

// unique rejects duplicate keys, because it is undefined which one the agent uses.
func (n *node) unique(name string) error {
	found := 0
	for _, c := range n.children {
		if c.name == name {
			if found++; found > 1 {
				return c.value.problem(fmt.Sprintf("%q is there twice", name))
			}
		}
	}
	return nil
}

func parseSettings(settings []byte) (*node, error) {
	var any json.RawMessage
	if err := json.Unmarshal(settings, &any); err != nil {
		line := 1
		var broken *json.SyntaxError
		if errors.As(err, &broken) {
			line += bytes.Count(settings[:min(int(broken.Offset), len(settings))], []byte("\n"))
		}
		return nil, fmt.Errorf("line %d: %w", line, err)
	}
	p := parser{settings, json.NewDecoder(bytes.NewReader(settings)), 0, 1}
	p.tokens.UseNumber()
	return p.value(), nil
}
