package render

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/manual"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
)

const (
	// deepestKey bounds the nesting of types whose keys are listed.
	deepestKey = 8
	// mostKeys bounds the configuration keys.
	mostKeys = 4000
)

// configKey is a configuration key with the nested types that hold it, outermost first.
type configKey struct {
	element
	holders []holder
	section bool // it only holds other keys
}

// holder is a type with the key whose value it is, and a dot.
type holder struct{ id, prefix string }

// keysOf lists the configuration keys of all modules; keys of nested types have the path to them as a prefix.
func keysOf(surfaces []surface) []configKey {
	c := configurations{map[string][]element{}, nil, map[string]bool{}}
	var roots, loading []string
	inner := map[string]bool{}
	for e := range elementsOf(surfaces) {
		if e.Kind == source.Config && e.ID == source.Program {
			loading = append(loading, e.module)
		}
	}
	for e := range elementsOf(surfaces) {
		switch of := idOf(e.module, e.Of); {
		case e.Kind != source.Config:
		case e.Of == source.Program && e.Usage == source.Fallback && !slices.ContainsFunc(loading, func(dir string) bool { return isBelow(dir, e.module) || isBelow(e.module, dir) }):
		case e.Of == source.Program:
			roots = append(roots, idOf(e.module, e.ID))
		default:
			c.keys[of] = append(c.keys[of], e)
		}
	}
	for of, keys := range c.keys {
		for _, k := range keys {
			if id := idOf(k.module, k.ID); k.ID != "" && id != of {
				inner[id] = true
			}
		}
	}
	for _, held := range []bool{false, true} { // what holds a type may be part of no configuration
		for _, id := range roots {
			if _, listed := c.open[id]; !listed && inner[id] == held {
				c.expand(id, "", nil)
			}
		}
	}
	return c.out
}

// isBelow reports whether a directory is another one, or below it.
func isBelow(dir, other string) bool {
	return other == "." || dir == other || strings.HasPrefix(dir, other+"/")
}

type configurations struct {
	keys map[string][]element // by the ID of the type
	out  []configKey
	open map[string]bool // types that are being expanded
}

// expand lists the keys of a type behind a prefix.
func (c *configurations) expand(id, prefix string, holders []holder) {
	if len(holders) == deepestKey || c.open[id] {
		return
	}
	c.open[id] = true
	for _, k := range c.keys[id] {
		if len(c.out) == mostKeys {
			break
		}
		below := idOf(k.module, k.ID)
		has := k.ID != "" && len(c.keys[below]) > 0
		name, as := prefix+k.Name, k.Also // of the elements of a list or map
		enter := func(prefix string) { c.expand(below, prefix, append(slices.Clip(holders), holder{below, prefix})) }
		switch {
		case k.Name == "" && has && as != "":
			enter(prefix + "*.") // a map beside other keys
		case k.Name == "" && has:
			c.expand(below, prefix, holders)
		case k.Name == "" && (k.Value == "" || prefix == ""):
		default:
			if k.Name == "" {
				name += manual.Open // the type is declared in another repository
			}
			k.Name, k.Also = name, ""
			if c.out = append(c.out, configKey{k, holders, has && as == ""}); has {
				enter(name + as + ".")
			}
		}
	}
	c.open[id] = false
}

// typedVariables lists the operators' variables. A variable that fills a configuration key gets the type of the key.
func typedVariables(surfaces []surface) []element {
	keys, list := keysOf(surfaces), operatorVariables(surfaces)
	for i, v := range list {
		for _, k := range keys {
			if !k.section && fills(v, k.element) {
				list[i].Value = k.Value
			}
		}
	}
	return list
}

// otherKeys lists the configuration keys that no variable of the same file fills.
func otherKeys(surfaces []surface) []configKey {
	variables := environmentOf(surfaces)
	return slices.DeleteFunc(keysOf(surfaces), func(k configKey) bool {
		return slices.ContainsFunc(variables, func(v element) bool { return fills(v, k.element) })
	})
}

// fills reports whether a variable fills a key of the same file: API_TTL fills ttl.
func fills(variable, key element) bool {
	if variable.File != key.File || variable.module != key.module {
		return false
	}
	name, short := strings.ToLower(variable.Name), strings.ToLower(key.Name)
	return name == short || strings.HasSuffix(name, "_"+short)
}

const configurationTitle = "Configuration"

// fewestPlaces is the number of keys with the same type from which on the keys of that type are listed once.
const fewestPlaces = 4

// configuration returns the table of keys, and a separate table for each type that many keys have.
func (p *operatorPage) configuration(head []string, all []configKey) string {
	all = slices.DeleteFunc(all, func(k configKey) bool { return k.section && k.Help+p.passages[k.Name].Text == "" })
	all = p.opened(all)
	for deep := true; dropHolders(all, deep) || deep; {
		deep = false
	}
	var own []element
	shared := map[string][]element{}
	links := map[string]string{} // by the cell of a key
	for _, k := range all {
		if k.section {
			k.Value, k.Default, k.Usage = "", "", ""
		}
		if len(k.holders) == 0 {
			own = append(own, k.element)
			continue
		}
		h, below := k.holders[0], k.element
		below.Name = strings.TrimPrefix(k.Name, h.prefix)
		shared[h.id] = append(shared[h.id], below)
		k.Name, k.Value, k.Default, k.Usage, k.Help = strings.TrimSuffix(h.prefix, "."), "", "", "", ""
		if links[nameCell(k.Name)] == "" {
			links[nameCell(k.Name)] = markdown.Link("keys of "+markdown.Code(typeName(h.id)), "#"+markdown.Slug(headingOfType(h.id)))
			own = append(own, k.element)
		}
	}
	rows := p.rows(own)
	for _, row := range rows {
		row[1] = cmp.Or(row[1], links[row[0]])
	}
	text := bounded(operationBytes, moreOnPages, head, rows)
	passages := p.passages
	p.passages = nil // they describe whole names
	for _, id := range slices.SortedFunc(maps.Keys(shared), func(a, b string) int { return cmp.Compare(headingOfType(a), headingOfType(b)) }) {
		text += "### " + headingOfType(id) + "\n\nBelow each key of the table above with this type.\n\n" + bounded(operationBytes, moreOnPages, head, p.rows(shared[id]))
	}
	p.passages = passages
	return text
}

// opened adds the keys of types of other repositories that documents describe.
func (p *operatorPage) opened(all []configKey) (out []configKey) {
	for _, k := range all {
		prefix, open := strings.CutSuffix(k.Name, manual.Open)
		if !open {
			out = append(out, k)
			continue
		}
		declared := func(name string) bool {
			return strings.HasSuffix(name, "*") || strings.HasSuffix(name, "[]") || slices.ContainsFunc(all, func(o configKey) bool {
				return o.Name == name || strings.HasPrefix(o.Name, name+".") || strings.HasPrefix(o.Name, name+"[") || !o.section && strings.HasPrefix(o.Name, prefix) && strings.HasPrefix(name, o.Name+".")
			})
		}
		k.Name, k.Help = prefix+"*", "More keys: the type is declared outside of the repository."
		out = append(out, k)
		k.Value, k.Help = "", ""
		for _, k.Name = range slices.Sorted(maps.Keys(p.passages)) {
			if strings.HasPrefix(k.Name, prefix) && !declared(k.Name) {
				out = append(out, k)
			}
		}
	}
	return out
}

// dropHolders drops the outer holders that few keys have, and reports whether there were any. deep also counts holders within others.
func dropHolders(all []configKey, deep bool) (dropped bool) {
	at := map[string]map[string]bool{}
	for _, k := range all {
		for i, h := range k.holders {
			if i > 0 && !deep {
				break
			}
			if at[h.id] == nil {
				at[h.id] = map[string]bool{}
			}
			at[h.id][h.prefix] = true
		}
	}
	for i := range all {
		for h := all[i].holders; len(h) > 0 && len(at[h[0].id]) > 0 && len(at[h[0].id]) < fewestPlaces; h = all[i].holders {
			all[i].holders, dropped = h[1:], true
		}
	}
	return dropped
}

func typeName(id string) string { return id[strings.LastIndexAny(id, "#.")+1:] }

func headingOfType(id string) string {
	module, _, _ := strings.Cut(id, "#")
	return "Keys of " + markdown.Code(typeName(id)) + " in " + markdown.Code(canonical.Path(module))
}
