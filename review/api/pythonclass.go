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

// pythonField compares an attribute of a class whose own declarations give it its fields.
func (p *pair) pythonField(d, now *source.Declared) ([]breakage, error) {
	was, is := p.was.declared[ownerOf(d)], p.now.declared[ownerOf(d)]
	if was == nil || is == nil {
		return nil, nil
	}
	kind := p.was.fieldsOf(was)
	if kind == "" || p.now.fieldsOf(is) != kind || p.answers(is.Name+".") || p.now.declared[is.Name+".__init__"] != nil && kind == "record" {
		return nil, nil
	}
	old, err := p.was.textOf(d)
	if err != nil || kind == "class" && !strings.Contains(old, "=") {
		return nil, err
	}
	if now == nil {
		lines, err := p.now.source(is.Path)
		words := p.now.wordsOf("class "+is.Name, func(add func(line string)) {
			for _, line := range lines[min(is.Line-1, len(lines)):min(is.End, len(lines))] {
				add(line)
			}
		})
		if err != nil || len(words) == 0 || words[last(d)] {
			return nil, err
		}
		return []breakage{p.lost(d)}, nil
	}
	text, err := p.now.textOf(now)
	if err != nil || kind != "record" || now.Kind != source.Field || !strings.Contains(old, "=") || strings.Contains(text, "=") || strings.Contains(old+text, "ClassVar") || strings.Contains(old, "init=False") {
		return nil, err
	}
	b := p.changedAt(d, now, 0, "parameter made required", "has no default any more: calls of "+last(was)+" without it fail")
	b.unplaced = true
	return []breakage{b}, nil
}

// pythonFieldsAdded finds the fields that a record requires now.
func (p *pair) pythonFieldsAdded() (out []breakage, err error) {
	for i := range p.now.module.Declared {
		d := &p.now.module.Declared[i]
		was, is := p.was.declared[ownerOf(d)], p.now.declared[ownerOf(d)]
		if d.Kind != source.Field || p.was.declared[d.Name] != nil || was == nil || is == nil || !p.offers(was, "python") {
			continue
		}
		if p.was.fieldsOf(was) != "record" || p.now.fieldsOf(is) != "record" || p.now.declared[is.Name+".__init__"] != nil || strings.Contains(is.Signature, "init=False") {
			continue
		}
		text, err := p.now.textOf(d)
		if err != nil {
			return nil, err
		}
		if !strings.Contains(text, ":") || strings.Contains(text, "=") || strings.Contains(text, "ClassVar") || strings.Contains(text, "KW_ONLY") {
			continue
		}
		b := p.changedAt(was, d, 0, "parameter added", "is required: calls of "+last(was)+" without it fail")
		b.symbol, b.member, b.unplaced = d.Name, last(d), true
		out = append(out, b)
	}
	return out, nil
}

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

// pythonBases finds a base that a class lost, if its other bases certainly do not have it.
func (p *pair) pythonBases(d, now *source.Declared) []breakage {
	was, ok := header(d)
	is, still := header(now)
	if !ok || !still || d.Kind != source.Class || now.Kind != source.Class || slices.ContainsFunc(is.Bases, func(b string) bool { return b != "Exception" && b != "object" }) {
		return nil
	}
	for _, base := range was.Bases {
		own := p.was.declared[strings.TrimSuffix(d.Name, d.Symbol.Name)+base]
		if slices.Contains(is.Bases, base) || base == "Exception" || own == nil && !pythonBase.MatchString(base) || own != nil && (!own.Exported || strings.HasSuffix(base, "Mixin")) {
			continue
		}
		b := p.changedAt(d, now, 0, "base removed", "is no "+base+" any more: code that catches or passes it as one fails")
		b.unplaced = true
		return []breakage{b}
	}
	return nil
}
