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

// element is one element of the behaviour surface with the module that has it.
type element struct {
	node.Behavior
	module string
}

// file is the path of the file that has the element.
func (e element) file() string { return path.Join(e.module, e.File) }

// command is a command of a program where it can be called: under its parent, with the flags that it has there.
type command struct {
	element
	path  string // all words that name it
	flags []element
	subs  []*command
}

// commandTree finds the commands of all modules and how they hang together.
type commandTree struct {
	commands map[string]element         // by ID
	parts    map[string][]element       // the flags that belong to an ID
	joins    map[string][]node.Behavior // what belongs to an ID, by IDs of all modules
	joined   map[string]bool            // the IDs that belong to others
	shown    map[string]bool
	program  func(module string) string
	left     int // how many commands are still shown
}

// mostCommands is how many commands a page tells of: a command may be a part of many.
const mostCommands = 2000

// commandsOf returns the commands of programs, those below others within them, and the flags whose command nobody knows.
// program is what a module is called that is a program itself.
func commandsOf(surfaces []surface, program func(module string) string) (roots []*command, loose []element) {
	t := commandTree{map[string]element{}, map[string][]element{}, map[string][]node.Behavior{}, map[string]bool{}, map[string]bool{}, program, mostCommands}
	for _, s := range surfaces {
		for _, p := range s.programs {
			t.joins[idOf(p, source.Program)] = append(t.joins[idOf(p, source.Program)], node.Behavior{ID: idOf(s.module, source.Program)})
			t.joined[idOf(s.module, source.Program)] = true
			t.ensure(source.Program, p)
		}
		for _, b := range s.Elements {
			if !t.take(s, element{b, s.module}) {
				loose = append(loose, element{b, s.module})
			}
		}
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
	ids = append(ids, slices.Sorted(maps.Keys(t.joined))...) // those come last that belong to something that is nowhere a command
	for _, id := range ids {
		if _, is := t.commands[id]; t.shown[id] || !is {
			continue
		}
		if c := t.command(id, "", "", nil); c != nil {
			roots = append(roots, c)
		}
	}
	slices.SortStableFunc(roots, func(a, b *command) int { // those of many commands are what the repository is for
		return cmp.Or(cmp.Compare(min(len(b.subs), 1), min(len(a.subs), 1)), cmp.Compare(a.path, b.path))
	})
	return roots, loose
}

// scripts are the languages of which a manifest says what users type for a program, and neither a function nor a directory does.
var scripts = map[string]bool{".py": true, ".rs": true, ".js": true, ".mjs": true, ".cjs": true, ".ts": true, ".mts": true}

// nameScript gives the one command of these languages that has others or flags, and is below none, the name of the program.
func (t *commandTree) nameScript(roots []string) {
	var found []string
	for _, id := range roots {
		e := t.commands[id]
		ext := path.Ext(e.File)
		if e.ID == source.Program && e.File == "" {
			ext = t.written(id)
		}
		if nameless := ext == ".py" || e.ID == source.Program && e.Name == ""; nameless && !strings.Contains(e.Name, " ") && scripts[ext] && len(t.joins[id])+len(t.parts[id]) > 0 {
			found = append(found, id)
		}
	}
	if len(found) == 1 {
		e := t.commands[found[0]]
		e.Name = t.program(".")
		t.commands[found[0]] = e
	}
}

// adopt gives programs the names and words that other modules say of whatever program runs.
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

// written is the ending of a file that says what belongs to a command.
func (t *commandTree) written(id string) string {
	for _, f := range t.parts[id] {
		return path.Ext(f.File)
	}
	for _, j := range t.joins[id] {
		for _, f := range t.parts[j.ID] {
			return path.Ext(f.File)
		}
	}
	return ""
}

// idOf is the ID of what a module calls so, among those of all modules.
func idOf(module, id string) string {
	if strings.Contains(id, "#") {
		return id
	}
	return module + "#" + id
}

// take takes an element up; false for a flag that belongs to nothing known.
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
			t.joined[id] = true
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

// ensure makes a command of a program whose flags no code gives to one.
func (t *commandTree) ensure(of, module string) {
	id := idOf(module, of)
	if _, there := t.commands[id]; of == source.Program && !there {
		t.commands[id] = element{node.Behavior{Kind: source.Command, ID: of}, module}
	}
}

// command is the command with an ID under a parent; nil for one that is hidden, is its own parent, or says nothing.
func (t *commandTree) command(id, name, parent string, above []string) *command {
	if slices.Contains(above, id) || t.left == 0 {
		return nil
	}
	t.left--
	t.shown[id] = true
	c := &command{element: t.commands[id]}
	c.Name = cmp.Or(name, c.Name)
	if c.Name == "" && c.ID == source.Program {
		c.Name = t.program(c.module)
	}
	c.Name = strings.TrimPrefix(c.Name, parent+" ") // what a set of flags is called may begin with the program
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

// flagKey orders flags by their words.
func flagKey(name string) string { return strings.ToLower(strings.TrimLeft(name, "-")) }

// fill gives a command what belongs to an ID: flags, subcommands, and what belongs to groups that belong to it.
func (t *commandTree) fill(c *command, id string, above []string, seen map[string]bool) {
	if seen[id] {
		return
	}
	seen[id] = true
	c.flags = append(c.flags, t.parts[id]...)
	for _, join := range t.joins[id] {
		of := join.ID
		// a set of flags that is called as the program is has those of the program, and so has what any program has
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
