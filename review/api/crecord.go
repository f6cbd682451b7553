package api

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// cField is one field of a record that others can use.
type cField struct {
	cType

	line string // that declares it
}

// fieldsOf reads the fields that a record shows: those of a class where it says that they are public.
func fieldsOf(d *source.Declared) (out []cField) {
	visible := d.Kind != source.Class
	for line := range strings.SplitSeq(d.Signature, "\n") {
		text, ok := strings.CutPrefix(line, "    ")
		switch {
		case line == "public:":
			visible = true
		case line == "protected:" || line == "private:":
			visible = false
		case ok && visible:
			text = strings.TrimSuffix(text, ";")
			before, _, _ := strings.Cut(text, " : ")
			parts, whole := (scanner{before, true}).split(",")
			if !whole || strings.ContainsAny(text, "({") {
				continue // a function, or a record within
			}
			f := readCType(parts[0], true)
			f.known = f.known && len(parts) == 1 && before == text
			if f.name != "" && !inwardName(f.name) {
				out = append(out, cField{f, line})
			}
		}
	}
	return out
}

// record compares the fields of a struct, a class or a union.
func (c *cComparer) record(d, now *source.Declared) error {
	if strings.HasPrefix(d.Signature, "template ") || strings.Contains(d.Signature, "\ntemplate ") || strings.Contains(head(now), " : ") {
		return nil
	}
	current := map[string]cField{}
	for _, f := range fieldsOf(now) {
		current[f.name] = f
	}
	for _, f := range fieldsOf(d) {
		is, ok := current[f.name]
		if !ok {
			there, err := c.still(f.name, now)
			if err != nil {
				return err
			}
			if !there {
				c.broken = append(c.broken, c.memberOf(d, now, f.name, "field removed", "was removed: code that uses it fails"))
			}
			continue
		}
		if f.differs(is.cType, c.recordOf) {
			c.broken = append(c.broken, c.memberOf(d, now, f.name, "field retyped", "is "+is.text+" now, and not "+f.text+": code that expects the old type is wrong"))
		}
	}
	return nil
}

// virtual tells of methods that those who extend a class of a header have to define now: one that had virtual methods for others.
func (c *cComparer) virtual(u source.Unit, owners map[string]*source.Declared) error {
	now, ok := c.now.file(u.Path)
	if !ok {
		return nil
	}
	virtual := map[string]bool{}
	for _, s := range u.File.Symbols {
		if i := strings.LastIndexByte(s.Name, '.'); i > 0 && s.Exported && strings.Contains("\n"+s.Signature, "\nvirtual ") {
			virtual[s.Name[:i]] = true
		}
	}
	for i := range now.File.Symbols {
		d := &source.Declared{Symbol: &now.File.Symbols[i], Name: now.File.Symbols[i].Name, Path: u.Path}
		owner := owners[ownerOf(d)]
		if d.Kind != source.Method || owner == nil || !owner.Exported || owner.Guard != "" || d.Guard != "" || owners[d.Name] != nil || strings.HasPrefix(last(d), "~") || inwardName(owner.Name) ||
			strings.Contains(head(owner), ":") || hasWord(head(owner), "final") {
			continue
		}
		list, ok := readFunctions(d.Signature, last(d))
		if ok && slices.ContainsFunc(list, func(f cFunction) bool { return f.pure }) && virtual[owner.Name] {
			line, err := c.writtenLine(d)
			if err != nil {
				return err
			}
			b := c.changedAt(owner, d, line, "method added", "is pure virtual: classes that extend "+last(owner)+" must define it now")
			b.symbol, b.member, b.implementers = d.Name, last(d), true
			c.broken = append(c.broken, b)
		}
	}
	return nil
}
