package ddl

import (
	"slices"
	"strings"
)

type parser struct {
	t []token
	i int
}

func (p *parser) peek() token {
	if p.i < len(p.t) {
		return p.t[p.i]
	}
	return token{}
}

func (p *parser) is(words ...string) bool {
	if p.i+len(words) > len(p.t) {
		return false
	}
	for k, w := range words {
		if t := p.t[p.i+k]; t.kind != word || !strings.EqualFold(t.text, w) {
			return false
		}
	}
	return true
}

// take consumes the words if they come next.
func (p *parser) take(words ...string) bool {
	if !p.is(words...) {
		return false
	}
	p.i += len(words)
	return true
}

func (p *parser) punct(c byte) bool {
	if p.peek().kind != c {
		return false
	}
	p.i++
	return true
}

// name reads a qualified name, or returns "".
func (p *parser) name() string {
	var b strings.Builder
	for {
		t := p.peek()
		if t.kind != quoted && (t.kind != word || isNumber(t)) {
			return b.String()
		}
		b.WriteString(t.text)
		p.i++
		if p.i+1 >= len(p.t) || p.peek().kind != '.' {
			return b.String()
		}
		b.WriteByte('.')
		p.i++
	}
}

func isNumber(t token) bool { return t.text[0] >= '0' && t.text[0] <= '9' }

func depthOf(t token) int {
	switch t.kind {
	case '(':
		return 1
	case ')':
		return -1
	}
	return 0
}

// items reads a list in parentheses. closed is false if it is unterminated.
func (p *parser) items() (items []*parser, closed bool) {
	if !p.punct('(') {
		return nil, false
	}
	from, depth := p.i, 0
	for ; p.i < len(p.t); p.i++ {
		t := p.peek()
		if depth == 0 && (t.kind == ',' || t.kind == ')') {
			if p.i > from {
				items = append(items, &parser{t: p.t[from:p.i]})
			}
			if from = p.i + 1; t.kind == ')' {
				p.i++
				return items, true
			}
			continue
		}
		depth += depthOf(t)
	}
	return items, false
}

func (p *parser) action() *parser {
	from, depth := p.i, 0
	for ; p.i < len(p.t) && (depth > 0 || p.peek().kind != ','); p.i++ {
		depth += depthOf(p.peek())
	}
	return &parser{t: p.t[from:p.i]}
}

// constraint reports whether a table constraint comes next, not a column, which may be called "key".
func (p *parser) constraint() bool {
	switch {
	case p.is("constraint"), p.is("primary", "key"), p.is("foreign", "key"), p.is("exclude"), p.is("like"), p.is("projection"),
		p.is("fulltext"), p.is("spatial"), p.is("period", "for"):
		return true
	case p.is("index") && p.i+3 < len(p.t) && strings.EqualFold(p.t[p.i+3].text, "type"):
		return true
	case p.is("unique"), p.is("check"), p.is("key"), p.is("index"):
		at := p.i + 1
		for at < len(p.t) && (p.t[at].kind == word || p.t[at].kind == quoted) && at < p.i+4 {
			at++
		}
		if at+1 >= len(p.t) || p.t[at].kind != '(' {
			return false
		}
		inner := p.t[at+1]
		return p.is("check") || at == p.i+1 || inner.kind == quoted || inner.kind == word && !isNumber(inner)
	}
	return false
}

var stops = strings.Fields(`not null default primary unique references check constraint collate generated auto_increment autoincrement comment
	on identity as key codec ttl stored virtual materialized alias first after using deferrable initially encode invisible visible`)

// until reads up to a comma or one of the words outside of parentheses, but at least least tokens.
func (p *parser) until(words []string, least int) []token {
	from, depth := p.i, 0
	for ; p.i < len(p.t); p.i++ {
		t := p.peek()
		if depth == 0 && p.i >= from+least && (t.kind == ',' || t.kind == word && slices.Contains(words, strings.ToLower(t.text)) || p.is("character", "set")) {
			break
		}
		depth += depthOf(t)
	}
	return p.t[from:p.i]
}

func (p *parser) column() (c Column, ok bool) {
	if t := p.peek(); t.kind != quoted && (t.kind != word || isNumber(t)) {
		return Column{}, false
	}
	c.Name = p.peek().text
	p.i++
	c.Type = join(p.until(stops, 0))
	for p.i < len(p.t) {
		switch {
		case p.take("not", "null"):
			c.NotNull = true
		case p.take("primary", "key"):
			c.Key, c.NotNull = true, true
		case p.take("unique"):
			c.Unique = true
		case p.take("default"):
			c.Default = join(p.until(stops, 1))
		case p.take("references"):
			c.Refers = p.name()
		case p.take("generated"), p.take("materialized"):
			c.Default = "generated"
			p.take("by", "default")
		case p.take("comment"):
			if p.peek().kind == text {
				c.About = unquoted(p.peek().text)
			}
		case p.take("on"):
			p.until(stops, 1)
		default:
			p.i++
		}
	}
	return c, true
}

func join(tokens []token) string { return joined(tokens, func(t token) string { return t.text }) }

// write normalizes a statement to one line that parses alike.
func write(tokens []token) string {
	return joined(tokens, func(t token) string {
		if t.kind == quoted {
			return quoteName(t.text)
		}
		return t.text
	})
}

func joined(tokens []token, text func(token) string) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && spaced(tokens[i-1], t) {
			b.WriteByte(' ')
		}
		b.WriteString(text(t))
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func spaced(a, b token) bool {
	named := func(t token) bool { return t.kind == word || t.kind == quoted || t.kind == text }
	return a.kind == ',' || named(b) && (named(a) || a.kind == ')' || a.kind == ']')
}

func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
