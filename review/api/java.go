package api

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/review/change"
)

type javaOutline struct {
	version

	types map[string]javaType
	// asked counts methods by type. inside has types with a package-private abstract method.
	asked  map[string]int
	inside map[string]bool
	// objects has types with exported members that are not static.
	objects map[string]bool
}

func newJavaOutline(v version) javaOutline {
	o := javaOutline{v, map[string]javaType{}, map[string]int{}, map[string]bool{}, map[string]bool{}}
	for _, d := range v.declared {
		if d.Exported && (d.Kind == source.Method || d.Kind == source.Field) && slices.ContainsFunc(d.Headers(), func(h source.Header) bool { return !h.Is("static") }) {
			o.objects[ownerOf(d)] = true
		}
		if d.Kind != source.Method {
			continue
		}
		o.asked[ownerOf(d)]++
		if !d.Exported && slices.ContainsFunc(d.Headers(), func(h source.Header) bool { return h.Is("abstract") }) {
			o.inside[ownerOf(d)] = true
		}
	}
	return o
}

// java compares exported Java types for source and binary compatibility. Compiled code finds methods by erasure.
func (p *pair) java(language string) ([]breakage, error) {
	was, now := newJavaOutline(p.was), newJavaOutline(p.now)
	c := javaComparer{comparer{pair: p}, was, now}
	for _, d := range p.exported(language) {
		is := p.now.declared[d.Name]
		if is != nil && is.Exported && is.Interface == d.Interface {
			continue
		}
		if err := c.compare(d, is); err != nil {
			return nil, err
		}
	}
	return c.broken, c.added()
}

type javaComparer struct {
	comparer

	old, new javaOutline
}

func (o javaOutline) typeOf(name string) (javaType, bool) {
	if t, ok := o.types[name]; ok {
		return t, t.Word != ""
	}
	d := o.declared[name]
	if d == nil {
		return javaType{}, false
	}
	var around map[string]string
	if owner := ownerOf(d); owner != "" {
		outer, ok := o.typeOf(owner)
		if !ok {
			return javaType{}, false
		}
		around = outer.variables
	}
	t, ok := readType(d, around)
	if !ok {
		t = javaType{}
	}
	o.types[name] = t
	return t, ok
}

var javaUnsure = []string{"Beta", "VisibleForTesting", "Internal", "InternalApi", "Experimental", "ExperimentalApi", "Incubating", "API", "RestrictTo"}

func annotated(d *source.Declared, names ...string) bool {
	return slices.ContainsFunc(d.Headers(), func(h source.Header) bool {
		return slices.ContainsFunc(h.Notes, func(note string) bool {
			name, _, _ := strings.Cut(note[1:], "(")
			return slices.Contains(names, name[strings.LastIndexByte(name, '.')+1:])
		})
	})
}

func (o javaOutline) unsure(d *source.Declared) bool {
	for d != nil {
		if annotated(d, javaUnsure...) {
			return true
		}
		owner := ownerOf(d)
		if owner == "" {
			return false
		}
		d = o.declared[owner]
	}
	return false
}

// javaWired lists annotations of classes and methods that only a container calls.
var javaWired = []string{
	"Singleton", "Component", "Service", "Repository", "Controller", "RestController", "Configuration", "AutoConfiguration", "InterceptorBean", "Bean", "Provides",
	"Produces", "ApplicationScoped", "RequestScoped", "SessionScoped",
}

// wired reports whether only a container calls a constructor or a method.
func (o javaOutline) wired(d *source.Declared) bool {
	owner := o.declared[ownerOf(d)]
	return d.Kind == source.Method && owner != nil && (annotated(d, javaWired...) || last(d) == last(owner) && annotated(owner, javaWired...))
}

func javaKind(k source.Kind) bool {
	return k == source.Class || k == source.Interface || k == source.Enum || k == source.Record
}

func (c *javaComparer) compare(d, now *source.Declared) error {
	owner := ownerOf(d)
	switch {
	case c.old.unsure(d) || strings.Contains(d.Name, "$") || strings.HasPrefix(last(d), "_"): // names with $ or _ are internal by convention, even if public
		return nil
	case c.old.wired(d):
		return nil
	case javaKind(d.Kind):
		return c.typ(d, now)
	case owner == "" || c.new.declared[owner] == nil || !c.new.declared[owner].Exported:
		return nil // its removed type is reported itself
	case d.Kind == source.Method:
		return c.method(d, now, owner)
	}
	return c.field(d, now, owner)
}

func (c *javaComparer) typ(d, now *source.Declared) error {
	if owner := ownerOf(d); owner != "" && (c.new.declared[owner] == nil || !c.new.declared[owner].Exported) {
		return nil
	}
	if now == nil || !now.Exported {
		elsewhere, err := c.elsewhere(d)
		if err == nil && !elsewhere && !c.inherits(c.new, ownerOf(d), d.Symbol.Name, nil) {
			c.add(c.gone(d, now))
		}
		return err
	}
	was, ok := c.old.typeOf(d.Name)
	is, still := c.new.typeOf(now.Name)
	switch {
	case !ok || !still:
	case was.Word != is.Word && (was.Word == "interface" || is.Word == "interface"):
		c.tell(d, now, was.Word+" changed to "+is.Word, "is no "+was.Word+" any more but a "+is.Word+": code that was compiled against it fails, and so do classes that extend it")
	case was.Word == "class" && is.Word == "class":
		c.class(d, now, was, is)
	}
	if base := c.lostBase(was, is); ok && still && base != "" {
		c.may(d, now, "base removed", "is no "+base+" any more: code that passes or casts it to one fails")
	}
	for _, gone := range lostEntries(d, now) {
		c.member(d, now, gone, "enum constant removed", goneText)
	}
	if was.Word == "record" && is.Word == "record" {
		c.components(d, now, was, is)
	}
	return nil
}

func (c *javaComparer) class(d, now *source.Declared, was, is javaType) {
	if !c.extensible(c.old, d, was) {
		return
	}
	for _, word := range []string{"final", "sealed", "abstract"} {
		if was.Is(word) || !is.Is(word) {
			continue
		}
		if word == "abstract" {
			c.may(d, now, "abstract added", "is abstract now: code that creates one with new fails")
			return
		}
		b := c.changedAt(d, now, 0, word+" added", "is "+word+" now: classes that extend it fail")
		b.implementers = true
		c.add(b)
		return
	}
}

// lostBase returns a public base that a type lost, or "" if the remaining ones may extend it.
func (c *javaComparer) lostBase(was, is javaType) string {
	bases := func(t javaType) (names []string) {
		for _, b := range t.Bases {
			names = append(names, erase(b, nil))
		}
		return names
	}
	now := bases(is)
	if slices.ContainsFunc(now, func(b string) bool { _, known := javaBare[b]; return !known }) {
		return ""
	}
	for _, b := range bases(was) {
		d := c.old.declared[b]
		if was.Word == is.Word && !slices.Contains(now, b) && b != "Object" && b != "Annotation" && (d == nil || d.Exported && !c.old.unsure(d)) {
			return b
		}
	}
	return ""
}

// extensible reports whether importers can certainly extend a class.
func (c *javaComparer) extensible(o javaOutline, d *source.Declared, t javaType) bool {
	maker := o.declared[d.Name+"."+last(d)]
	made := maker != nil && maker.Exported || maker == nil && o.implicit(d)
	return t.Word == "class" && !t.Is("final") && !t.Is("sealed") && made && !javaClosed.MatchString(d.Signature) && !o.inside[d.Name]
}

// javaMade matches annotations from which a generator writes constructors.
var javaMade = lazyregexp.New(`@(\w+\.)*(\w+ArgsConstructor|UtilityClass|Value|\w*Builder|Jacksonized)\b`)

// implicit reports whether a class without a constructor is meant to be created by others: it has public methods or
// fields that need an object, and no container or generator makes it.
func (o javaOutline) implicit(d *source.Declared) bool {
	return !annotated(d, javaWired...) && !javaMade.MatchString(d.Signature) && o.objects[d.Name]
}

func (c *javaComparer) open(o javaOutline, d *source.Declared, t javaType) bool {
	return t.Word == "interface" && !t.Is("sealed") && !javaClosed.MatchString(d.Signature) || c.extensible(o, d, t)
}

// javaClosed matches annotations of types that other projects must not extend or implement.
var javaClosed = lazyregexp.New(`@(\w+\.)*((Do)?No[tn]?(Extensible|Extendable|Inheritable|ToBeImplemented|Implement|Extend|Subclass)|ProviderType)\b`)

func (c *javaComparer) components(d, now *source.Declared, was, is javaType) {
	for _, p := range was.Params {
		switch at := slices.IndexFunc(is.Params, func(q source.Parameter) bool { return q.Name == p.Name }); {
		case c.new.declared[d.Name+"."+p.Name] != nil:
		case at < 0:
			c.member(d, now, p.Name, "record component removed", "was removed: code that reads it fails")
		case erase(p.Type, was.variables) != erase(is.Params[at].Type, is.variables):
			c.member(d, now, p.Name, "record component retyped", "is "+is.Params[at].Type+" now, and not "+p.Type+": code that was compiled against it fails")
		}
	}
}

func (p *pair) gone(d, now *source.Declared) breakage {
	if now == nil {
		return p.lost(d)
	}
	return p.changedAt(d, now, 0, "visibility narrowed", hiddenText)
}

// elsewhere reports whether another file now declares a type with the same qualified name.
func (c *javaComparer) elsewhere(d *source.Declared) (bool, error) {
	u, _ := c.was.file(d.Path)
	outer, _, _ := strings.Cut(d.Symbol.Name, ".")
	ending := "/" + strings.ReplaceAll(u.File.Package, ".", "/") + "/" + outer + "."
	for f, err := range change.All(c.now.reader) {
		if err != nil {
			return false, err
		}
		if !f.Gone && strings.Contains("/"+f.Path, ending) && f.Path != d.Path {
			return true, nil
		}
	}
	return false, nil
}

var everyones = map[string]bool{"toString": true, "equals": true, "hashCode": true, "clone": true, "finalize": true, "getClass": true}

var javaBare = map[string][]string{
	"Object": nil, "Serializable": nil, "Cloneable": nil, "RandomAccess": nil, "Annotation": nil, "Comparable": {"compareTo"}, "Runnable": {"run"},
	"Closeable": {"close"}, "AutoCloseable": {"close"}, "Callable": {"call"}, "Flushable": {"flush"},
	"Iterable": {"iterator", "forEach", "spliterator"}, "Iterator": {"hasNext", "next", "remove", "forEachRemaining"},
	"CharSequence": {"length", "charAt", "subSequence", "isEmpty", "chars", "codePoints"},
}

func (c *javaComparer) inherits(o javaOutline, name, member string, seen []string) bool {
	if name == "" || slices.Contains(seen, name) {
		return false
	}
	t, ok := o.typeOf(name)
	if !ok {
		return true
	}
	return slices.ContainsFunc(t.Bases, func(base string) bool {
		base = withoutArguments(base)
		if members, known := javaBare[base]; known {
			return slices.Contains(members, member)
		}
		for scope := name; ; {
			i := strings.LastIndexByte(scope, '.')
			scope = scope[:max(0, i)]
			full := strings.TrimPrefix(scope+"."+base, ".")
			if o.declared[full] != nil {
				return o.declared[full+"."+member] != nil || c.inherits(o, full, member, append(seen, name))
			}
			if scope == "" {
				return true
			}
		}
	})
}

func withoutArguments(typ string) string {
	name, _, _ := strings.Cut(typ, "<")
	return name[strings.LastIndexByte(name, ' ')+1:]
}
