package source

import "strings"

var needed = map[Kind]bool{Interface: true, Type: true, Enum: true}

// Needed returns the types that callers cannot import but that a reachable declaration of the same file
// uses, with their members. Callers pass or receive values of these types.
func Needed(declared []Declared, reached func(d *Declared) bool) map[string]bool {
	types, members := map[string]*Declared{}, map[string][]*Declared{}
	var waiting []*Declared
	for i := range declared {
		d := &declared[i]
		if !TraitsOfFile(d.Path).Local {
			continue
		}
		if dot := strings.LastIndexByte(d.Symbol.Name, '.'); dot > 0 {
			owner := d.Name[:len(d.Name)-len(d.Symbol.Name)+dot]
			members[owner] = append(members[owner], d)
		}
		switch {
		case reached(d):
			waiting = append(waiting, d)
		case needed[d.Kind]:
			types[d.Name] = d
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
