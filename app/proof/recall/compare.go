package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/proof/reference"
)

// tally counts the names of a list that have a row, and the rows that are right.
type tally struct {
	listed, found  int
	rows, right    int
	missing, wrong []string
}

func (t *tally) add(o tally) {
	t.listed, t.found, t.rows, t.right = t.listed+o.listed, t.found+o.found, t.rows+o.rows, t.right+o.right
}

func (t *tally) recall() float64    { return share(t.found, t.listed) }
func (t *tally) precision() float64 { return share(t.right, t.rows) }

func share(part, all int) float64 {
	if all == 0 {
		return 1
	}
	return float64(part) / float64(all)
}

// compare counts by kind. A name elsewhere on a page does not count, and equal rows count once.
func compare(l list, rows []reference.Row) map[reference.Kind]tally {
	out := map[reference.Kind]tally{}
	for _, kind := range kinds {
		if !l.skipped[kind] {
			out[kind] = compareKind(l, kind, rows)
		}
	}
	return out
}

func compareKind(l list, kind reference.Kind, rows []reference.Row) tally {
	var t tally
	onPage := pageOf(kind, rows)
	for _, e := range l.entries[kind] {
		t.listed++
		switch row := find(onPage, e, fits); {
		case row == nil:
			t.missing = append(t.missing, e.names[0])
		case e.fallback != "" && row.fallback != e.fallback:
			t.missing = append(t.missing, e.names[0]+" = "+e.fallback)
		default:
			t.found++
		}
	}
	for _, row := range onPage {
		t.rows++
		if find(l.entries[kind], row, func(name, listed string) bool { return fits(listed, name) }) != nil || slices.ContainsFunc(row.names, func(name string) bool { return l.outside[kind][name] }) || l.partly(kind, row) {
			t.right++
		} else {
			t.wrong = append(t.wrong, row.names[0])
		}
	}
	return t
}

// partly reports whether a row with a computed part matches a listed name. The row is right, but does not find the name.
func (l list) partly(kind reference.Kind, row entry) bool {
	name := row.names[0]
	sign := map[reference.Kind]string{reference.Variable: "*", reference.Route: "?"}[kind]
	if sign == "" || !strings.Contains(name, sign) {
		return false
	}
	parts := strings.Split(strings.ReplaceAll(name, "/"+sign+"/", sign+"/"), sign)
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	rest := regexp.MustCompile("^" + strings.Join(parts, ".*") + "$")
	for name := range l.outside[kind] {
		if rest.MatchString(name) {
			return true
		}
	}
	return slices.ContainsFunc(l.entries[kind], func(e entry) bool { return slices.ContainsFunc(e.names, rest.MatchString) })
}

// pageOf returns the rows of a kind without duplicates.
func pageOf(kind reference.Kind, rows []reference.Row) []entry {
	var out []entry
	for _, row := range rows {
		if row.Kind != kind {
			continue
		}
		e := entry{fallback: row.Default}
		for _, name := range row.Names {
			if kind == reference.Flag {
				name = row.Command + " " + name
			}
			e.names = append(e.names, key(kind, name))
		}
		if !slices.ContainsFunc(out, func(o entry) bool { return o.names[0] == e.names[0] }) {
			out = append(out, e)
		}
	}
	return out
}

// find returns the first entry with a name that fits a name of another entry.
func find(all []entry, of entry, fits func(name, other string) bool) *entry {
	for i, e := range all {
		for _, name := range of.names {
			if slices.ContainsFunc(e.names, func(other string) bool { return fits(name, other) }) {
				return &all[i]
			}
		}
	}
	return nil
}

// fits reports whether a row has a listed name. Any method fits a listed route without a method.
func fits(listed, name string) bool {
	return listed == name || strings.HasPrefix(listed, "/") && strings.HasSuffix(name, " "+listed)
}
