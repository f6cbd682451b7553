package api

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

var (
	pythonEnum   = lazyregexp.New(`^(\w+\.)*(Enum|IntEnum|StrEnum|Flag|IntFlag)$`)
	pythonTuple  = lazyregexp.New(`^(\w+\.)*(NamedTuple|TypedDict)$`)
	pythonRecord = lazyregexp.New(`^@(dataclasses\.)?dataclass(\(|$)|^@attrs?\.(s|define|frozen|mutable)(\(|$)`)
	pythonAny    = lazyregexp.New(`Awaitable|Coroutine|Future|Task|Any\b|object`)
)

// fieldsOf tells how a Python class gets its fields: from its own declarations as "enum", "record" or "class", or from
// elsewhere.
func (v version) fieldsOf(d *source.Declared) string {
	h, ok := header(d)
	switch {
	case !ok || d.Kind != source.Class || len(h.Params) > 0:
	case len(h.Notes) == 0 && len(h.Bases) == 0:
		return "class"
	case len(h.Bases) == 0 && len(h.Notes) == 1 && pythonRecord.MatchString(h.Notes[0]):
		return "record"
	case len(h.Notes) == 0 && len(h.Bases) == 1 && pythonEnum.MatchString(h.Bases[0]):
		return "enum"
	case len(h.Notes) == 0 && len(h.Bases) == 1 && pythonTuple.MatchString(h.Bases[0]):
		return "tuple"
	}
	return ""
}

func (v version) textOf(d *source.Declared) (string, error) {
	lines, err := v.source(d.Path)
	if err != nil || d.End > len(lines) || d.Line < 1 {
		return "", err
	}
	return strings.Join(lines[d.Line-1:d.End], "\n"), nil
}

// field compares an attribute of a class whose own declarations give it its fields.
func (c *pythonComparer) field(d, now *source.Declared) error {
	was, is := c.was.declared[ownerOf(d)], c.now.declared[ownerOf(d)]
	if was == nil || is == nil {
		return nil
	}
	kind := c.was.fieldsOf(was)
	if kind == "" || c.now.fieldsOf(is) != kind || c.answers(is.Name+".") || c.now.declared[is.Name+".__init__"] != nil && kind == "record" {
		return nil
	}
	old, err := c.was.textOf(d)
	if err != nil || kind == "class" && !strings.Contains(old, "=") {
		return err
	}
	if now == nil {
		lines, err := c.now.source(is.Path)
		words := c.now.wordsOf("class "+is.Name, slices.Values(lines[min(is.Line-1, len(lines)):min(is.End, len(lines))]))
		if err == nil && len(words) > 0 && !words[last(d)] {
			c.add(c.lost(d))
		}
		return err
	}
	text, err := c.now.textOf(now)
	if err != nil || kind != "record" || now.Kind != source.Field || !strings.Contains(old, "=") || strings.Contains(text, "=") || strings.Contains(old+text, "ClassVar") || strings.Contains(old, "init=False") {
		return err
	}
	c.may(d, now, "parameter made required", "has no default any more: calls of "+last(was)+" without it fail")
	return nil
}

// fieldsAdded finds the fields that a record requires now.
func (c *pythonComparer) fieldsAdded() error {
	for i := range c.now.module.Declared {
		d := &c.now.module.Declared[i]
		was, is := c.was.declared[ownerOf(d)], c.now.declared[ownerOf(d)]
		if d.Kind != source.Field || c.was.declared[d.Name] != nil || was == nil || is == nil || !c.offers(was, "python") {
			continue
		}
		if c.was.fieldsOf(was) != "record" || c.now.fieldsOf(is) != "record" || c.now.declared[is.Name+".__init__"] != nil || strings.Contains(is.Signature, "init=False") {
			continue
		}
		text, err := c.now.textOf(d)
		if err != nil {
			return err
		}
		if !strings.Contains(text, ":") || strings.Contains(text, "=") || strings.Contains(text, "ClassVar") || strings.Contains(text, "KW_ONLY") {
			continue
		}
		b := c.changedAt(was, d, 0, "parameter added", "is required: calls of "+last(was)+" without it fail")
		b.symbol, b.member, b.unplaced = d.Name, last(d), true
		c.add(b)
	}
	return nil
}

// property finds a property that became a method, or the reverse.
func (c *pythonComparer) property(d, now *source.Declared) {
	was, ok := header(d)
	is, still := header(now)
	if !ok || !still || d.Kind != now.Kind || len(was.Notes)+len(is.Notes) != 1 {
		return
	}
	switch {
	case slices.Contains(pythonReads, strings.Join(was.Notes, "")):
		c.may(d, now, "property removed", "is a method now, and no property: code that reads it gets the method")
	case slices.Contains(pythonReads, strings.Join(is.Notes, "")):
		c.may(d, now, "property added", "is a property now, and no method: calls of it call its value")
	}
}

var pythonReads = []string{"@property", "@cached_property", "@functools.cached_property"}

// pythonAsync reports whether a function became a coroutine function, and its old results were certainly no awaitables.
func (p *pair) pythonAsync(d *source.Declared, was, is source.Header) (bool, error) {
	if was.Is("async") || !is.Is("async") || pythonAny.MatchString(was.Result) {
		return false, nil
	}
	text, err := p.was.textOf(d)
	return err == nil && (was.Result != "" || !strings.Contains(text, "return ")), err
}

// pythonBase matches built-in classes that callers rely on: an exception is caught, a container is passed on.
var pythonBase = lazyregexp.New(`^(dict|list|str|int|float|tuple|set|frozenset|bytes|\w+(Error|Exception|Warning))$`)

// bases finds a base that a class lost, if its other bases certainly do not have it.
func (c *pythonComparer) bases(d, now *source.Declared) {
	was, ok := header(d)
	is, still := header(now)
	if !ok || !still || d.Kind != source.Class || now.Kind != source.Class || slices.ContainsFunc(is.Bases, func(b string) bool { return b != "Exception" && b != "object" }) {
		return
	}
	for _, base := range was.Bases {
		own := c.was.declared[strings.TrimSuffix(d.Name, d.Symbol.Name)+base]
		if slices.Contains(is.Bases, base) || base == "Exception" || own == nil && !pythonBase.MatchString(base) || own != nil && (!own.Exported || strings.HasSuffix(base, "Mixin")) {
			continue
		}
		c.may(d, now, "base removed", "is no "+base+" any more: code that catches or passes it as one fails")
		return
	}
}
