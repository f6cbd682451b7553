package rust

import (
	"strings"
	"unicode"
)

// settings returns the values of the attributes; an attribute without a value has "true".
func (c *clap) settings(from, to int) map[string]string {
	o, out := c.o, map[string]string{}
	for a, next, ok := o.nextAttribute(from, to); ok; a, next, ok = o.nextAttribute(next, to) {
		if !c.words[o.lastSegment(a)] {
			continue
		}
		if !o.is(a.From+1, "(") {
			continue
		}
		for i, last := a.From+2, int(o.toks[a.From+1].mate); i < last; {
			end := i
			for end < last && !o.is(end, ",") {
				end = o.after(end)
			}
			name := string(o.text(i))
			switch {
			case o.class(i) != word:
			case i+1 == end:
				out[name] = isTrue
			case o.is(i+1, "=") && i+3 == end, o.is(i+1, "(") && i+4 == end:
				out[name] = c.value(i + 2)
			default:
				out[name] = "" // computed
			}
			i = end + 1
		}
	}
	return out
}

const isTrue = "true"

func (c *clap) value(i int) string {
	switch c.o.class(i) {
	case text:
		return c.o.unquote(i)
	case literal:
		if ch := c.o.character(i); ch != "" {
			return ch
		}
		return strings.ReplaceAll(toValid(string(c.o.text(i))), "_", "")
	case word:
		if c.o.is(i, isTrue) || c.o.is(i, "false") {
			return string(c.o.text(i))
		}
	}
	return ""
}

// wrapping are generic types that only wrap the relevant type.
var wrapping = map[string]bool{"Option": true, "Box": true, "Vec": true, "Arc": true}

func (c *clap) typeAt(i, end int) string {
	o, name := c.o, ""
	for ; i < end && (o.class(i) == word || o.is(i, "::") || o.is(i, "<")); i++ {
		switch {
		case o.is(i, "<"):
			if !wrapping[name] {
				return name
			}
			name = ""
		case o.class(i) == word:
			name = toValid(o.name(i))
		}
	}
	return name
}

// spelled converts a name to the form that users type.
func (c *clap) spelled(name, as string) string {
	if c.rename != "" && c.rename != isTrue {
		as = c.rename
	}
	var words []string
	runes := []rune(name)
	for i, r := range runes {
		starts := i == 0 || unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if starts {
			words = append(words, "")
		}
		words[len(words)-1] += string(unicode.ToLower(r))
	}
	joined := strings.ReplaceAll(strings.Join(words, "_"), "__", "_")
	switch as {
	case "snake_case", "snake":
		return joined
	case "lower", "lowercase":
		return strings.ReplaceAll(joined, "_", "")
	case "verbatim":
		return name
	}
	return strings.ReplaceAll(joined, "_", "-")
}
