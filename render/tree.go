package render

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// element is an element of the behaviour surface with its module.
type element struct {
	node.Behavior
	module string
}

func (e element) file() string { return path.Join(e.module, e.File) }

// command is a command of a program under its parent, with the flags that it has there.
type command struct {
	element
	path  string // all words of the invocation
	flags []element
	subs  []*command
	apart bool // below a command that is unknown
}

// commandTree links the commands of all modules.
type commandTree struct {
	commands map[string]element         // by ID
	parts    map[string][]element       // flags by the ID of their command
	joins    map[string][]node.Behavior // joined elements by ID, across modules
	joined   map[string]bool            // IDs that are joined to others
	shown    map[string]bool
	handed   map[string]string // exported commands, with their names for other files
	filled   map[string]bool   // IDs whose flags a command has
	program  func(module, file string, alone bool) string
	left     int // how many commands may still be shown
}

// mostCommands bounds the commands of a page: a command can have many parents.
const mostCommands = 2000

// commandsOf returns the commands of programs with their subcommands, and the flags without a known command. program
// returns the name of a module that is itself a program, which may be the only one of the project.
func commandsOf(surfaces []surface, program func(module, file string, alone bool) string) (roots []*command, loose []element) {
	t := commandTree{map[string]element{}, map[string][]element{}, map[string][]node.Behavior{}, map[string]bool{}, map[string]bool{}, map[string]string{}, map[string]bool{}, program, mostCommands}
	for _, s := range surfaces {
		for _, p := range s.programs {
			t.joins[idOf(p, source.Program)] = append(t.joins[idOf(p, source.Program)], node.Behavior{ID: idOf(s.module, source.Program)})
			t.joined[idOf(s.module, source.Program)] = true
			t.ensure(source.Program, p)
		}
		s.Command = s.Command || len(s.programs) == 0 && slices.ContainsFunc(s.Elements, func(b node.Behavior) bool { // its file is run by one that is not read
			return b.Kind == source.Command && b.ID == source.Program && b.Name != ""
		})
		for _, b := range s.Elements {
			if !t.take(s, element{b, s.module}) {
				loose = append(loose, element{b, s.module})
			}
		}
	}
	run := slices.ContainsFunc(slices.Collect(maps.Values(t.commands)), func(e element) bool { return e.ID == source.Program })
	for id, of := range t.handed { // unless another file runs it
		t.joined[id] = t.joined[id] || t.joined[of] || run
	}
	var ids []string
	for id := range t.commands {
		if !t.joined[id] {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	t.adopt(ids)
	t.nameScript(ids)
	ids = append(ids, slices.Sorted(maps.Keys(t.joined))...) // last, those joined to something that is no command
	for _, id := range ids {
		if _, is := t.commands[id]; t.shown[id] || !is {
			continue
		}
		if c := t.command(id, "", "", nil); c != nil {
			c.apart = t.joined[id]
			roots = append(roots, c)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(t.parts)) {
		if !t.filled[id] && t.left > 0 {
			loose = append(loose, t.parts[id]...)
		}
	}
	slices.SortStableFunc(roots, func(a, b *command) int { // commands with subcommands are the main ones
		return cmp.Or(cmp.Compare(min(len(b.subs), 1), min(len(a.subs), 1)), cmp.Compare(a.path, b.path))
	})
	return roots, loose
}

// nameScript names the only top command with subcommands or flags after the program, in languages whose program names
// are only in a manifest. Flags of the program belong to the only command of their module.
func (t *commandTree) nameScript(roots []string) {
	var found []string
	for _, id := range roots {
		e := t.commands[id]
		ext := path.Ext(e.File)
		if e.ID == source.Program && e.File == "" {
			ext = path.Ext(t.written(id))
		}
		in := source.TraitsOfFile(ext)
		if nameless := in.Nameless || e.ID == source.Program && e.Name == ""; nameless && !strings.Contains(e.Name, " ") && slices.Contains(in.Scripts, ext) && len(t.joins[id])+len(t.parts[id]) > 0 {
			found = append(found, id)
		}
	}
	if len(found) == 1 {
		e := t.commands[found[0]]
		named := slices.DeleteFunc(slices.Clone(roots), func(id string) bool { return t.commands[id].module != e.module || id == found[0] })
		if len(named) == 1 && e.ID == source.Program && source.TraitsOfFile(t.written(found[0])).Nameless {
			t.joins[named[0]] = append(t.joins[named[0]], node.Behavior{ID: found[0], Usage: source.Hidden})
			t.shown[found[0]] = true
			return
		}
		e.Name = t.program(e.module, cmp.Or(e.File, t.written(found[0])), true)
		t.commands[found[0]] = e
	}
}

// adopt moves names and words for any running program to the actual programs.
func (t *commandTree) adopt(roots []string) {
	for _, id := range roots {
		e := t.commands[id]
		if e.ID != source.Program || e.Name != "" {
			continue
		}
		for _, j := range t.joins[id] {
			if of := t.commands[j.ID]; of.ID == source.Program && of.module != e.module {
				e.Name, e.Help, e.Usage = cmp.Or(e.Name, of.Name), cmp.Or(e.Help, of.Help), cmp.Or(e.Usage, of.Usage)
			}
		}
		t.commands[id] = e
	}
}

// written returns a file that adds to a command.
func (t *commandTree) written(id string) string {
	for _, f := range t.parts[id] {
		return f.File
	}
	for _, j := range t.joins[id] {
		for _, f := range t.parts[j.ID] {
			return f.File
		}
	}
	return ""
}

// idOf qualifies a module's ID among all modules.
func idOf(module, id string) string {
	if strings.Contains(id, "#") {
		return id
	}
	return module + "#" + id
}

// take adds an element; false for a flag of an unknown command.
func (t *commandTree) take(s surface, e element) bool {
	id, of := idOf(e.module, e.ID), idOf(e.module, e.Of)
	outside := e.Of == source.Program && !s.Command && len(s.programs) == 0
	switch e.Kind {
	case source.Command:
		if old, twice := t.commands[id]; !twice || old.Name == "" {
			t.commands[id] = e
		}
	case source.Join:
		if !outside {
			t.joins[of] = append(t.joins[of], node.Behavior{ID: id, Name: e.Name, Usage: e.Usage})
			if e.Usage == source.Handed {
				t.handed[id] = of
			} else {
				t.joined[id] = true
			}
			t.ensureProgram(s, e)
		}
	case source.Flag:
		if e.ID != "" {
			t.parts[id] = append(t.parts[id], e)
			return true
		}
		if e.Of == "" || outside {
			return false
		}
		t.parts[of] = append(t.parts[of], e)
		t.ensureProgram(s, e)
	}
	return true
}

func (t *commandTree) ensureProgram(s surface, e element) {
	if s.Command {
		t.ensure(e.Of, e.module)
	}
}

// ensure creates the command of a program whose flags belong to no command in code.
func (t *commandTree) ensure(of, module string) {
	id := idOf(module, of)
	if _, there := t.commands[id]; of == source.Program && !there {
		t.commands[id] = element{node.Behavior{Kind: source.Command, ID: of}, module}
	}
}

// command builds the command with an ID under a parent; nil for a hidden, recursive or empty one.
func (t *commandTree) command(id, name, parent string, above []string) *command {
	if slices.Contains(above, id) || t.left == 0 {
		return nil
	}
	t.left--
	t.shown[id] = true
	c := &command{element: t.commands[id]}
	c.Name = cmp.Or(name, c.Name)
	if c.Name == "" && c.ID == source.Program {
		c.Name = t.program(c.module, cmp.Or(c.File, t.written(id)), false)
	}
	c.Name = strings.TrimPrefix(c.Name, parent+" ") // the name of a flag set may begin with the program
	c.path = strings.TrimSpace(parent + " " + c.Name)
	t.fill(c, id, append(slices.Clip(above), id), map[string]bool{})
	if c.Usage == source.Hidden || c.Name == "" && parent != "" || c.path == "" && len(c.subs)+len(c.flags) == 0 || c.ID == source.Program && len(c.flags)+len(c.subs) == 0 {
		return nil
	}
	byName := func(a, b element) int {
		return cmp.Or(cmp.Compare(flagKey(a.Name), flagKey(b.Name)), cmp.Compare(a.file(), b.file()))
	}
	slices.SortStableFunc(c.flags, byName)
	c.flags = slices.CompactFunc(c.flags, func(a, b element) bool { return a.Name == b.Name })
	slices.SortStableFunc(c.subs, func(a, b *command) int { return byName(a.element, b.element) })
	return c
}

// flagKey is the sort key of a flag.
func flagKey(name string) string { return strings.ToLower(strings.TrimLeft(name, "-")) }

// fill adds the flags and subcommands of an ID to a command, also through groups.
func (t *commandTree) fill(c *command, id string, above []string, seen map[string]bool) {
	if seen[id] {
		return
	}
	seen[id], t.filled[id] = true, true
	c.flags = append(c.flags, t.parts[id]...)
	for _, join := range t.joins[id] {
		of := join.ID
		// a flag set with the name of the program has the program's flags, as has any program
		if sub, is := t.commands[of]; !is || join.Usage == source.Hidden || c.ID == source.Program && (sub.Name == c.Name || sub.ID == source.Program) {
			t.shown[of] = t.shown[of] || is && (join.Usage == "" || sub.Name == "")
			t.fill(c, of, above, seen)
		} else if !seen[of] {
			seen[of] = true
			if sub := t.command(of, join.Name, c.path, above); sub != nil {
				c.subs = append(c.subs, sub)
			}
		}
	}
}
