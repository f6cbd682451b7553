package rust

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (o *outline) doc(i, end int, kind class) string {
	var d docs
	for i < end {
		switch {
		case o.toks[i].class == kind:
			d.add("", appendDoc(nil, string(o.text(i))))
			i++
		case o.is(i, "#"):
			j, inner := i+1, false
			if o.is(j, "!") {
				j, inner = j+1, true
			}
			if o.is(j, "[") && inner == (kind == innerDoc) {
				o.docAttribute(&d, j+1, o.after(j)-1)
			}
			i = o.after(min(j, end-1))
		default:
			i = o.after(i)
		}
	}
	return toValid(source.Unindent(d.lines(), true))
}

type docs []docPart

type docPart struct {
	condition string // of cfg_attr, as written
	lines     []string
}

func (d *docs) add(condition string, lines []string) { *d = append(*d, docPart{condition, lines}) }

// lines merges the parts for one reader. Of a condition and its negation only the first counts. Of consecutive
// conditional fence openings only the first counts too, because they open the same code block.
func (d docs) lines() []string {
	var out []string
	conditions := map[string]bool{}
	for _, p := range d {
		conditions[p.condition] = true
	}
	fenced := false
	for _, p := range d {
		inner, negated := strings.CutPrefix(p.condition, "not(")
		opens := p.condition != "" && slices.ContainsFunc(p.lines, fence)
		if !(negated && conditions[strings.TrimSuffix(inner, ")")]) && !(opens && fenced) {
			out = append(out, p.lines...)
		}
		fenced = opens
	}
	return out
}

func fence(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "```") }

// docAttribute reads doc = "…" in an attribute, also within cfg_attr.
func (o *outline) docAttribute(d *docs, i, end int) {
	condition := ""
	if o.is(i, "cfg_attr") && o.is(i+1, "(") {
		end = int(o.toks[i+1].mate)
		from := i + 2
		i = o.to(",", from, end)
		var words strings.Builder
		for k := from; k < i; k++ {
			words.Write(o.text(k))
		}
		condition = words.String()
		i++
	}
	for i < end {
		if o.is(i, "doc") && o.is(i+1, "=") {
			if s, ok := o.docValue(i+2, end); ok {
				d.add(condition, strings.Split(" "+strings.ReplaceAll(s, "\n", "\n "), "\n"))
			}
		}
		i = o.to(",", i, end) + 1
	}
}

// docValue evaluates the expression at i: a literal, concat!, or include_str!, which becomes a link to the file.
func (o *outline) docValue(i, end int) (string, bool) {
	if o.class(i) == text {
		return o.unquote(i), true
	}
	if !o.is(i+1, "!") || o.class(i+2) != opener {
		return "", false
	}
	from, to := i+3, min(int(o.toks[i+2].mate), end)
	switch {
	case o.is(i, "include_str") && o.class(from) == text:
		return "\nDocumentation: `" + o.unquote(from) + "`\n", true
	case o.is(i, "concat"):
		var b strings.Builder
		for k := from; k < to; k = o.after(k) {
			if o.class(k) == text {
				b.WriteString(o.unquote(k))
			} else if o.is(k, "stringify") && o.class(k+2) == opener {
				for in := k + 3; in < int(o.toks[k+2].mate); in++ {
					b.Write(o.text(in))
				}
				k += 2
			}
		}
		return b.String(), true
	}
	return "", false
}

func appendDoc(lines []string, comment string) []string {
	if !strings.HasPrefix(comment, "/*") {
		return append(lines, strings.Split(comment[3:], "\n")...)
	}
	inner := strings.Split(strings.TrimSuffix(comment[3:], "*/"), "\n")
	if starred(inner[1:]) {
		for i := range inner[1:] {
			_, inner[i+1], _ = strings.Cut(inner[i+1], "*")
		}
	}
	return append(lines, inner...)
}

// starred reports whether all nonblank lines start with an asterisk, as in many block comments.
func starred(lines []string) bool {
	found := false
	for i, line := range lines {
		line = strings.TrimLeft(line, " \t")
		if strings.HasPrefix(line, "*") {
			found = true
		} else if line != "" || i < len(lines)-1 {
			return false
		}
	}
	return found
}
