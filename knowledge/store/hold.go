package store

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// Difference is a file whose content would change: nil means that there is no file.
type Difference struct {
	Name          string
	Before, After []byte
}

// Hold keeps all further writes in memory: the Dir reads as if they had happened. drop discards them and returns the
// differences from the stored files, sorted by name.
func (d *Dir) Hold() (drop func() []Difference) {
	d.mu.Lock()
	defer d.mu.Unlock()
	changed, held, olds := d.changed, d.held, d.olds
	d.changed, d.held, d.olds = maps.Clone(changed), map[string][]byte{}, map[string][]byte{}
	maps.Copy(d.held, held)
	return func() []Difference {
		d.mu.Lock()
		defer d.mu.Unlock()
		var out []Difference
		for name, old := range d.olds {
			if now := d.held[name]; (old == nil) != (now == nil) || !bytes.Equal(old, now) {
				out = append(out, Difference{name, old, now})
			}
		}
		d.changed, d.held, d.olds = changed, held, olds
		slices.SortFunc(out, func(a, b Difference) int { return strings.Compare(a.Name, b.Name) })
		return out
	}
}

func (d *Dir) heldBack(name string) (data []byte, held bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	data, held = d.held[name]
	return data, held
}

func (d *Dir) hold(name string, data, old []byte) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.held == nil {
		return false
	}
	for _, noted := range []map[string][]byte{d.changed, d.olds} {
		if _, ok := noted[name]; !ok {
			noted[name] = old
		}
	}
	d.held[name] = bytes.Clone(data)
	return true
}

func (d *Dir) withHeld(list []string, in func(name string) bool) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.held) == 0 {
		return list
	}
	list = slices.DeleteFunc(list, func(name string) bool { _, held := d.held[name]; return held })
	for name, data := range d.held {
		if data != nil && in(name) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}
