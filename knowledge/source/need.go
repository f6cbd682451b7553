package source

import (
	"path"
	"strings"
)

// needed are the kinds of what a signature names that a caller has to know, although a file keeps the name to itself.
var needed = map[Kind]bool{Interface: true, Type: true, Enum: true}

// typed are the endings of files of TypeScript.
var typed = map[string]bool{".ts": true, ".tsx": true, ".mts": true, ".cts": true}

// Needed are the types that a file of TypeScript does not export and that declarations name which callers reach: what callers pass, or
// get, has their members. Members come with their types. reached reports whether callers reach a declaration.
func Needed(declared []Declared, reached func(d *Declared) bool) map[string]bool {
	types, members := map[string]*Declared{}, map[string][]*Declared{}
	var waiting []*Declared
	for i := range declared {
		d := &declared[i]
		if !typed[path.Ext(d.Path)] {
			continue
		}
		if dot := strings.LastIndexByte(d.Symbol.Name, '.'); dot > 0 {
			owner := d.Name[:len(d.Name)-len(d.Symbol.Name)+dot]
			members[owner] = append(members[owner], d)
		} else if needed[d.Kind] && !d.Exported {
			types[d.Name] = d
		}
		if reached(d) {
			waiting = append(waiting, d)
		}
	}
	out := map[string]bool{}
	for len(types) > 0 && len(waiting) > 0 {
		d := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		file := d.Name[:len(d.Name)-len(d.Symbol.Name)]
		for _, ref := range d.Refs {
			t := types[file+ref]
			if t == nil || t.Path != d.Path || out[t.Name] {
				continue
			}
			out[t.Name] = true
			waiting = append(waiting, t)
			for _, m := range members[t.Name] {
				out[m.Name] = true
				waiting = append(waiting, m)
			}
		}
	}
	return out
}
