package stale

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// entry documents one parameter: lines from first to last, with the name on the first. whole reports whether the
// lines can be removed, because they contain nothing else and other entries remain.
type entry struct {
	name        string
	first, last int
	whole       bool
}

func entriesOf(language string, lines []string, where region) []entry {
	switch t := source.TraitsOf(language); {
	case t.Prose:
		return nil
	case t.Docstrings:
		return append(fields(lines, where), sections(lines, where)...)
	case t.Headed:
		return append(tags(lines, where), bullets(lines, where)...)
	}
	return tags(lines, where)
}

var tag = lazyregexp.New(`^[@\\]param(?:\[[\w, ]+\])?\s+(?:\{.*?\}\s+)?\[?([\pL_$][\pL\pN_$]*)(.?)`)

// tags reads @param of JSDoc, TSDoc and Javadoc, and \param of Doxygen. An entry ends before the next tag or empty
// line.
func tags(lines []string, where region) []entry {
	var out []entry
	for at := where.first; at <= where.last; at++ {
		text, _ := plain(lines[at-1])
		m := tag.FindStringSubmatch(text)
		if m == nil || m[2] == "." || m[2] == "[" || m[2] == "," { // a member, or several parameters
			continue
		}
		e := entry{name: m[1], first: at, last: at}
		for e.last < where.last {
			next, _ := plain(lines[e.last])
			if next == "" || next[0] == '@' || next[0] == '\\' || next == "/" {
				break
			}
			e.last++
		}
		e.whole = !strings.Contains(lines[e.first-1], "/*") && !strings.Contains(lines[e.last-1], "*/")
		out = append(out, e)
	}
	return out
}

var bullet = lazyregexp.New("^[*-] `([\\pL_][\\pL\\pN_]*)`\\s*[-:–—]")

// bullets reads the list below a heading such as "# Arguments" in Rust documentation.
func bullets(lines []string, where region) []entry {
	var out []entry
	inside, begun := false, 0
	for at := where.first; at <= where.last; at++ {
		text, _ := plain(lines[at-1])
		if heading, ok := strings.CutPrefix(text, "# "); ok {
			inside, begun = heading == "Arguments" || heading == "Parameters", len(out)
		}
		m := bullet.FindStringSubmatch(strings.TrimPrefix(strings.TrimSpace(lines[at-1]), "/// "))
		switch {
		case !inside:
		case m != nil:
			out = append(out, entry{name: m[1], first: at, last: at, whole: true})
		case text == "" || len(out) == begun:
		case out[len(out)-1].last == at-1:
			out[len(out)-1].last = at
		}
	}
	return notAlone(out)
}

// notAlone marks a single entry as not whole, because its heading would remain.
func notAlone(list []entry) []entry {
	if len(list) == 1 {
		list[0].whole = false
	}
	return list
}

var field = lazyregexp.New(`^:(?:param|parameter|arg|argument|key|keyword|type)\s+(?:[^:]*\s)?\\?\*{0,2}([\pL_][\pL\pN_]*)\s*:`)

// fields reads Sphinx fields. An entry includes the following lines with deeper indentation.
func fields(lines []string, where region) []entry {
	var out []entry
	for at := where.first; at <= where.last; at++ {
		m := field.FindStringSubmatch(strings.TrimSpace(lines[at-1]))
		if m == nil {
			continue
		}
		e := entry{name: m[1], first: at, last: further(lines, where, at)}
		e.whole = !closes(lines[e.last-1])
		out = append(out, e)
	}
	return out
}

func further(lines []string, where region, at int) int {
	in, end := indent(lines[at-1]), at
	for next := at + 1; next <= where.last; next++ {
		switch line := lines[next-1]; {
		case strings.TrimSpace(line) == "":
			continue
		case indent(line) <= in || closes(line) && strings.Trim(strings.TrimSpace(line), `"'`) == "":
			return end
		}
		end = next
	}
	return end
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

func closes(line string) bool {
	return strings.HasSuffix(line, quotes[0]) || strings.HasSuffix(line, quotes[1])
}

var (
	google = lazyregexp.New(`^(Args|Arguments|Parameters|Keyword Args|Keyword Arguments|Other Parameters):$`)
	numpy  = lazyregexp.New(`^(Parameters|Other Parameters)$`)
	ruler  = lazyregexp.New(`^-{3,}$`)

	googleEntry = lazyregexp.New(`^\\?\*{0,2}([\pL_][\pL\pN_]*)\s*(?:\(.*?\))?\s*:`)
	numpyEntry  = lazyregexp.New(`^\\?\*{0,2}([\pL_][\pL\pN_]*)\s*(?::.*)?$`)
)

func sections(lines []string, where region) []entry {
	var out []entry
	for at := where.first; at < where.last; at++ {
		text := strings.TrimSpace(lines[at-1])
		switch {
		case google.MatchString(text):
			out = append(out, section(lines, where, at+1, indent(lines[at-1])+1, googleEntry)...)
		case numpy.MatchString(text) && ruler.MatchString(strings.TrimSpace(lines[at])):
			out = append(out, section(lines, where, at+2, indent(lines[at-1]), numpyEntry)...)
		}
	}
	return out
}

func section(lines []string, where region, from, least int, form *lazyregexp.Regexp) []entry {
	var out []entry
	in := -1
	for at := from; at <= where.last; at++ {
		line := lines[at-1]
		if strings.TrimSpace(line) == "" {
			continue
		}
		if in < 0 {
			in = indent(line)
		}
		m := form.FindStringSubmatch(strings.TrimSpace(line))
		heading := at < where.last && ruler.MatchString(strings.TrimSpace(lines[at]))
		if indent(line) < least || indent(line) != in || m == nil || heading {
			break
		}
		e := entry{name: m[1], first: at, last: further(lines, where, at)}
		e.whole = !closes(lines[e.last-1])
		out = append(out, e)
		at = e.last
	}
	return notAlone(out)
}
