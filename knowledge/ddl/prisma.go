package ddl

import (
	"slices"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var (
	prismaModel = lazyregexp.New(`^model\s+(\w+)\s*\{`)
	// prismaField matches a field: its name, its type with `?` or `[]`, and its attributes.
	prismaField = lazyregexp.New(`^(\w+)\s+(\w+(?:\("[^"]*"\))?)(\?|\[\])?\s*(.*)$`)
)

// Prisma adds the models of a Prisma schema. A relation field is no column: the fields that store the relation refer to
// the other model.
func (s *Schema) Prisma(file, src string) {
	s.related = true
	s.file = file
	var t *Table
	about, n := "", 0
	for line := range strings.Lines(src) {
		n++
		line = strings.TrimSpace(line)
		if doc, ok := strings.CutPrefix(line, "///"); ok {
			if len(about) <= longest {
				about = strings.TrimSpace(about + " " + strings.TrimSpace(doc))
			}
			continue
		}
		switch m := prismaModel.FindStringSubmatch(line); {
		case m != nil:
			t = &Table{Name: m[1], About: about, File: file, Line: n, refers: map[string]string{}}
		case t == nil, line == "", strings.HasPrefix(line, "//"):
		case line[0] == '}':
			for i := range t.Columns {
				t.Columns[i].Refers = t.refers[t.Columns[i].Name]
			}
			s.Put(*t)
			t = nil
		default:
			if !t.prisma(line, about) {
				s.unread()
			}
		}
		about = ""
	}
}

// prisma reads a line of a model. It returns false for an unreadable one.
func (t *Table) prisma(line, about string) bool {
	if rest, ok := strings.CutPrefix(line, "@@"); ok {
		columns := words(within(rest, "["))
		switch {
		case strings.HasPrefix(rest, "map("):
			t.Stored = strings.Trim(within(rest, "("), `"`)
		case strings.HasPrefix(rest, "id(") || strings.HasPrefix(rest, "unique(") && len(columns) == 1:
			for _, name := range columns {
				if c := t.column(name); c != nil {
					c.Key, c.Unique = strings.HasPrefix(rest, "id("), rest[0] == 'u'
				}
			}
		}
		return true
	}
	m := prismaField.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	c := Column{Name: m[1], Type: m[2] + m[3], NotNull: m[3] != "?", About: about}
	attributes, doc, _ := strings.Cut(m[4], "///")
	if c.About == "" {
		c.About = strings.TrimSpace(doc)
	}
	if relation := attribute(attributes, "@relation"); strings.Contains(relation, "fields:") {
		_, fields, _ := strings.Cut(relation, "fields:")
		for _, name := range words(within(fields, "[")) {
			t.refers[name] = m[2]
		}
	}
	for _, part := range strings.Fields(attributes) {
		c.Key = c.Key || part == "@id" || strings.HasPrefix(part, "@id(")
		c.Unique = c.Unique || part == "@unique" || strings.HasPrefix(part, "@unique(")
	}
	c.Default = attribute(attributes, "@default")
	c.Stored = strings.Trim(attribute(attributes, "@map"), `"`)
	if _, stored, ok := strings.Cut(attributes, "@db."); ok {
		stored, _, _ = strings.Cut(stored, " ")
		c.Type += " (" + stored + ")"
	}
	return t.add(c)
}

func words(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// withoutRelations removes the relation fields of Prisma models.
func (s *Schema) withoutRelations() {
	for _, t := range s.all {
		t.Columns = slices.DeleteFunc(t.Columns, func(c Column) bool {
			return s.byName[keyOf(strings.TrimRight(c.Type, "?[]"))] != nil
		})
	}
}

// attribute returns the arguments of an attribute.
func attribute(attributes, name string) string {
	if at := strings.Index(attributes, name+"("); at >= 0 {
		return within(attributes[at:], "(")
	}
	return ""
}

// within returns the text between the first open bracket and its partner.
func within(s, open string) string {
	_, s, ok := strings.Cut(s, open)
	if !ok {
		return ""
	}
	closing := map[string]byte{"(": ')', "[": ']'}[open]
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case open[0]:
			depth++
		case closing:
			if depth--; depth < 0 {
				return strings.TrimSpace(s[:i])
			}
		}
	}
	return strings.TrimSpace(s)
}
