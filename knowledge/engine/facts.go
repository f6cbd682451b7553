package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/source"
)

// facts answers a condition for one module. It implements condition.Facts.
type facts struct {
	w      *world
	record *record
	diffs  []diff
	uses   []node.Use // as they are now
}

// reasons evaluates c and lists what made it true. What differs without any term saying so is a reason as well: a
// condition that forgets an input must not make a stale node look fresh.
func (f *facts) reasons(c condition.Condition) []Reason {
	var out []Reason
	told := map[string]bool{}
	for _, t := range c.Evaluate(f).Because {
		if t.Expression == anythingUsed {
			out = append(out, f.usedOtherwise()...)
			continue
		}
		if !strings.HasPrefix(t.Expression, "modified(") {
			out = append(out, Reason{Because: t.Expression, Change: t.Cause.Change, File: t.Cause.File, Detail: t.Cause.Detail})
			continue
		}
		for _, d := range f.diffs {
			if !told[d.file] {
				out = append(out, Reason{Because: t.Expression, Change: d.change(), File: d.file, Detail: d.detail})
			}
			told[d.file] = true
		}
	}
	for _, d := range f.diffs {
		if !told[d.file] {
			out = append(out, Reason{Because: "sources", Change: d.change(), File: d.file, Detail: d.detail})
		}
	}
	if len(out) == 0 && !slices.Equal(f.uses, f.record.Node.Uses) {
		out = append(out, Reason{Because: "uses", Detail: "its imports lead elsewhere"})
	}
	return out
}

// anythingUsed is the term that is true when anything is another that a module uses of others: the uses say what that is.
var anythingUsed = Vocabulary.Call("interface_changed", "*").String()

// usedOtherwise lists what the module uses of others and finds otherwise now, each with the term that says so of it alone.
func (f *facts) usedOtherwise() []Reason {
	var out []Reason
	seen := map[[2]string]bool{}
	for _, u := range slices.SortedFunc(slices.Values(slices.Concat(f.record.Node.Uses, f.uses)), compareUses) {
		key := [2]string{u.Module, u.Name}
		if u.Name == "" || seen[key] {
			continue
		}
		seen[key] = true
		cause, holds := f.nameChanged(u.Module, u.Name)
		term := Vocabulary.Call("symbol_changed", u.Module, u.Name)
		if u.Name == "*" {
			cause, holds = f.moduleChanged(u.Module)
			term = Vocabulary.Call("interface_changed", u.Module)
		}
		if holds {
			out = append(out, Reason{Because: term.String(), Change: cause.Change, File: cause.File, Detail: cause.Detail})
		}
	}
	return out
}

// behind says through which file of another module a part of its interface changed: the one that declares it, when that
// is among those that changed, otherwise the first. The others are told in words.
func (f *facts) behind(module, name, what string) condition.Cause {
	files := f.w.drifted(module)
	if len(files) == 0 {
		return condition.Cause{Detail: what}
	}
	first := files[0]
	if k := f.w.known[module]; k != nil {
		for _, d := range k.Declared {
			if d.Name == name && slices.Contains(files, d.Path) {
				first = d.Path
			}
		}
	}
	others := slices.DeleteFunc(slices.Clone(files), func(file string) bool { return file == first })
	if len(others) >= mostNamed {
		others = []string{fmt.Sprintf("%d more files", len(others))}
	}
	if len(others) > 0 {
		what += " (" + strings.Join(others, ", ") + " changed as well)"
	}
	return condition.Cause{File: first, Detail: what}
}

// drifted lists the sources of a module that are not what its own node was derived from. When that node has caught up,
// what is left to tell is what changed in this run.
func (w *world) drifted(module string) []string {
	out, ok := w.drifts[module]
	if ok {
		return out
	}
	for _, d := range w.difference(module) {
		out = append(out, d.file)
	}
	for _, change := range w.changes {
		if len(out) == 0 && moduleOf(change.Path) == module {
			out = append(out, change.Path)
		}
	}
	w.drifts[module] = out
	return out
}

// difference compares the sources of a module with its node, whether it was judged already, will be, or is gone but for
// that node.
func (w *world) difference(module string) []diff {
	r := &record{}
	if w.summaries[module] == nil {
		if l := w.loadNode(module); l.node != nil && l.problem == "" {
			r.Node = recordOf(l.node)
		}
	} else if r = w.record(module); r == nil || w.readNode(module) != nil {
		return nil
	}
	if r.Node == nil || r.Node.Problem != "" {
		return nil
	}
	return diffSources(r.Node.Sources, r.Files)
}

// Vocabulary is what the conditions of conclusions about source can say.
var Vocabulary = condition.NewVocabulary(
	condition.Word{Name: "modified", Params: []string{condition.GlobParam}},
	condition.Word{Name: "symbol_changed", Params: []string{"module", "name"}},
	condition.Word{Name: "interface_changed", Params: []string{"module"}},
	condition.Word{Name: "generator_changed"},
)

// answers are the words of the Vocabulary.
var answers = map[string]func(*facts, condition.Question) (condition.Cause, bool){
	"modified":          (*facts).modified,
	"symbol_changed":    (*facts).symbolChanged,
	"interface_changed": (*facts).interfaceChanged,
	"generator_changed": (*facts).generatorChanged,
}

// Answer implements condition.Facts.
func (f *facts) Answer(q condition.Question) condition.Answer {
	cause, holds := answers[q.Word](f, q)
	return condition.Answer{Holds: holds, Cause: cause}
}

func (f *facts) modified(q condition.Question) (condition.Cause, bool) {
	for _, d := range f.diffs {
		if q.Glob.Match(d.file) {
			return condition.Cause{Change: d.change(), File: d.file, Detail: d.detail}, true
		}
	}
	return condition.Cause{}, false
}

// generatorChanged says yes of a frame that is compared without its node: which versions concluded it is not kept, and it is
// rather not offered than wrongly. Of a node the versions have been compared before its condition is asked.
func (f *facts) generatorChanged(condition.Question) (condition.Cause, bool) {
	return condition.Cause{Detail: "which versions concluded it is not known"}, f.w == nil
}

func (f *facts) symbolChanged(q condition.Question) (condition.Cause, bool) {
	return f.nameChanged(q.Args[0], q.Args[1])
}

func (f *facts) nameChanged(module, name string) (condition.Cause, bool) {
	before, after := find(f.record.Node.Uses, module, name), find(f.uses, module, name)
	if before == after {
		return condition.Cause{}, false
	}
	t, ok := f.w.table(module)
	now := t.Digest(name)
	var cause condition.Cause
	switch known := f.w.symbolName(module, name); {
	case before == "":
		cause.Detail = known + " is used now"
	case !ok || now == "":
		cause = f.behind(module, name, known+" is gone")
	case after == "":
		cause.Detail = known + " is not used any more"
	default:
		cause = f.behind(module, name, known+" changed")
	}
	cause.Change = fact.Change{Fact: fact.Symbol(module, name, "").Fact, Before: string(before), After: string(now)}
	return cause, true
}

func (f *facts) interfaceChanged(q condition.Question) (condition.Cause, bool) {
	if q.Args[0] == "*" {
		return condition.Cause{Detail: "what it uses of other modules changed"}, len(f.usedOtherwise()) > 0
	}
	return f.moduleChanged(q.Args[0])
}

func (f *facts) moduleChanged(module string) (condition.Cause, bool) {
	changed := func(list, other []node.Use) bool {
		return slices.ContainsFunc(list, func(u node.Use) bool { return u.Module == module && find(other, u.Module, u.Name) != u.Interface })
	}
	if !changed(f.uses, f.record.Node.Uses) && !changed(f.record.Node.Uses, f.uses) {
		return condition.Cause{}, false
	}
	t, _ := f.w.table(module)
	cause := f.behind(module, "", "the interface of "+f.w.moduleName(module)+" changed")
	cause.Change = fact.Change{Fact: fact.Symbol(module, "*", "").Fact, Before: string(find(f.record.Node.Uses, module, "*")), After: string(t.Interface)}
	return cause, true
}

// moduleName is what people call a module: its path, and for the root, whose path says nothing, its own name.
func (w *world) moduleName(module string) string {
	if s := w.summaries[module]; module == "." && s != nil && s.Title != "" {
		return s.Title
	}
	return module
}

func (w *world) symbolName(module, name string) string { return w.moduleName(module) + "." + name }

func find(uses []node.Use, module, name string) source.Digest {
	for _, u := range uses {
		if u.Module == module && u.Name == name {
			return u.Interface
		}
	}
	return ""
}
