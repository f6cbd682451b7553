package render

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

const (
	// deepestKey bounds the nesting of types whose keys are listed.
	deepestKey = 8
	// mostKeys bounds the configuration keys.
	mostKeys = 4000
)

// keysOf lists the configuration keys of all modules; keys of nested types have the path to them as a prefix.
func keysOf(surfaces []surface) []element {
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
				c.expand(id, "", deepestKey)
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
	out  []element
	open map[string]bool // types that are being expanded
}

// expand lists the keys of a type behind a prefix.
func (c *configurations) expand(id, prefix string, left int) {
	if left == 0 || c.open[id] {
		return
	}
	c.open[id] = true
	for _, k := range c.keys[id] {
		if len(c.out) == mostKeys {
			break
		}
		below := idOf(k.module, k.ID)
		has := k.ID != "" && len(c.keys[below]) > 0
		name := prefix + k.Name
		switch {
		case k.Name == "" && has:
			c.expand(below, prefix, left-1)
		case k.Name == "":
		case has:
			c.expand(below, name+".", left-1)
		default:
			k.Name = name
			c.out = append(c.out, k)
		}
	}
	c.open[id] = false
}

// typedVariables lists the operators' variables. A variable that fills a configuration key gets the type of the key.
func typedVariables(surfaces []surface) []element {
	keys, list := keysOf(surfaces), operatorVariables(surfaces)
	for i, v := range list {
		for _, k := range keys {
			if fills(v, k) {
				list[i].Value = k.Value
			}
		}
	}
	return list
}

// otherKeys lists the configuration keys that no variable of the same file fills.
func otherKeys(surfaces []surface) []element {
	variables := environmentOf(surfaces)
	return slices.DeleteFunc(keysOf(surfaces), func(k element) bool {
		return slices.ContainsFunc(variables, func(v element) bool { return fills(v, k) })
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
