package api

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (c *cComparer) record(d, now *source.Declared) error {
	was, ok := header(d)
	is, still := header(now)
	if !ok || !still || was.Is("template") || len(is.Bases) > 0 {
		return nil
	}
	current := membersOf(is)
	for _, f := range was.Members {
		if f.Name == "" || inwardName(f.Name) {
			continue
		}
		still, ok := current[f.Name]
		if !ok {
			there, err := c.still(f.Name, now)
			if err != nil {
				return err
			}
			if !there {
				c.member(d, now, f.Name, "field removed", goneText)
			}
			continue
		}
		if readCType(f.Type).differs(readCType(still.Type), c.recordOf) {
			c.member(d, now, f.Name, "field retyped", "is "+still.Type+" now, and not "+f.Type+": code that expects the old type is wrong")
		}
	}
	return nil
}

// virtual reports new pure virtual methods in classes that already had virtual methods.
func (c *cComparer) virtual(u source.Unit, owners map[string]*source.Declared) error {
	now, ok := c.now.file(u.Path)
	if !ok {
		return nil
	}
	virtual := map[string]bool{}
	for _, s := range u.File.Symbols {
		if i := strings.LastIndexByte(s.Name, '.'); i > 0 && s.Exported && slices.ContainsFunc(s.Headers(), func(h source.Header) bool { return h.Is("virtual") }) {
			virtual[s.Name[:i]] = true
		}
	}
	for i := range now.File.Symbols {
		d := &source.Declared{Symbol: &now.File.Symbols[i], Name: now.File.Symbols[i].Name, Path: u.Path}
		owner := owners[ownerOf(d)]
		if d.Kind != source.Method || owner == nil || !owner.Exported || owner.Guard != "" || d.Guard != "" || owners[d.Name] != nil || strings.HasPrefix(last(d), "~") || inwardName(owner.Name) ||
			derived(owner) || slices.ContainsFunc(owner.Headers(), func(h source.Header) bool { return h.Is("final") }) {
			continue
		}
		list, ok := readFunctions(d)
		if ok && slices.ContainsFunc(list, func(f cFunction) bool { return f.pure }) && virtual[owner.Name] {
			line, err := c.writtenLine(d)
			if err != nil {
				return err
			}
			b := c.changedAt(owner, d, line, "method added", "is pure virtual: classes that extend "+last(owner)+" must define it now")
			b.symbol, b.member, b.implementers = d.Name, last(d), true
			c.add(b)
		}
	}
	return nil
}
