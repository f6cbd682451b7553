package api

import (
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

func (c *javaComparer) method(d, now *source.Declared, owner string) error {
	of, ok := c.old.typeOf(owner)
	to, there := c.new.typeOf(owner)
	if !ok || !there {
		return nil
	}
	was, ok := readMethods(d, of.variables)
	if !ok || everyones[last(d)] {
		return nil
	}
	var is []javaMethod
	if now != nil && now.Exported {
		if is, ok = readMethods(now, to.variables); !ok {
			return nil
		}
	}
	was = slices.DeleteFunc(was, func(m javaMethod) bool { return !c.callable(m.Header, owner, of) })
	for _, m := range was {
		i := slices.IndexFunc(is, m.same)
		if i < 0 {
			return c.lostMethod(d, now, owner, was, is, m)
		}
		kind, why := c.calls(m, is[i], owner, of, to)
		if kind == "result retyped" && c.inherits(c.old, owner, last(d), nil) {
			continue // the overridden method keeps the old result
		}
		if kind == "visibility narrowed" && of.Is("abstract") && last(d) == last(c.old.declared[owner]) {
			continue // only subclasses call it
		}
		if kind != "" {
			line := 0
			if now != nil {
				var err error
				if line, err = c.writtenLine(now); err != nil {
					return err
				}
			}
			b := c.changedAt(d, now, line, kind, why)
			b.unplaced = len(was) > 1 || kind == "result retyped"
			c.add(b)
			return nil
		}
	}
	return nil
}

// callable reports whether users can certainly call a method. They call a protected one only by extending its class.
func (c *javaComparer) callable(m source.Header, owner string, of javaType) bool {
	return !m.Is("protected") || c.extensible(c.old, c.old.declared[owner], of)
}

func (c *javaComparer) lostMethod(d, now *source.Declared, owner string, was, is []javaMethod, m javaMethod) error {
	if last(d) != last(c.old.declared[owner]) && c.inherits(c.new, owner, last(d), nil) {
		return nil
	}
	if now == nil || !now.Exported {
		if last(d) == last(c.old.declared[owner]) && now == nil && len(m.types) == 0 {
			return nil // the compiler adds a default constructor
		}
		b := c.gone(d, now)
		var err error
		if now == nil {
			b.was.line, err = c.removedLine(d)
		}
		c.add(b)
		return err
	}
	if len(was) != 1 || len(is) != 1 {
		line, err := c.removedLine(d)
		b := c.lost(d)
		b.was.line, b.unplaced = line, true
		b.kind, b.text = "overload removed", "no longer has the overload "+m.Text+": calls of it fail"
		c.add(b)
		return err
	}
	line, err := c.writtenLine(now)
	kind, why := javaParameters(m, is[0])
	b := c.changedAt(d, now, line, kind, why)
	b.unplaced = kind == "parameter retyped" // calls with a value of either type stay valid
	c.add(b)
	return err
}

func javaParameters(was, now javaMethod) (kind, why string) {
	if len(was.types) != len(now.types) {
		return recounted(len(was.types), len(now.types))
	}
	for i := range was.types {
		if arrays(was.types[i]) != arrays(now.types[i]) {
			return "parameter retyped", "takes " + now.Params[i].Type + " now, and not " + was.Params[i].Type + ": code that was compiled against it fails"
		}
	}
	return "", ""
}

// recounted describes a change of the number of parameters.
func recounted(was, now int) (kind, why string) {
	kind, why = "parameter added", "calls without them all no longer compile"
	if was > now {
		kind, why = "parameter removed", "calls that give them all no longer compile"
	}
	return kind, "takes " + counted(now) + " now, and not " + counted(was) + ": " + why
}

func counted(n int) string {
	words := []string{"no parameter", "one parameter", "two parameters", "three parameters", "four parameters", "five parameters"}
	if n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n) + " parameters"
}

// calls describes the breakage for callers or overriders of a method with unchanged parameters.
func (c *javaComparer) calls(was, now javaMethod, owner string, of, to javaType) (kind, why string) {
	open := c.open(c.old, c.old.declared[owner], of)
	thrown := addedChecked(was.Header, now.Header)
	switch {
	case was.result != now.result:
		return "result retyped", "returns " + now.result + " now, and not " + was.result + ": code that was compiled against it fails"
	case was.Is("public") && now.Is("protected"):
		return "visibility narrowed", "is protected now: calls of others no longer compile"
	case !was.Is("static") && now.Is("static"):
		return "made static", "is static now: code that was compiled against it fails"
	case was.Is("static") && !now.Is("static"):
		return "static removed", "is not static any more: calls without an object no longer compile"
	case thrown != "":
		return "exception added", "throws " + thrown + " now: code that calls it without handling that no longer compiles"
	case was.variadic() && !now.variadic():
		return "variadic removed", "takes an array now, and not any number of arguments: calls that give them one by one no longer compile"
	case of.Word == "@interface" && was.Value != "" && now.Value == "":
		return "default removed", "has no default any more: uses of the annotation without it no longer compile"
	case open && !was.Is("static") && !was.Is("final") && now.Is("final") && !to.Is("final"):
		return "final added", "is final now: methods that override it fail"
	case open && of.Word == to.Word && !was.abstract(of) && now.abstract(to):
		return "abstract added", "has no body any more: classes that do not override it fail"
	}
	return "", ""
}

func (m javaMethod) abstract(of javaType) bool {
	if of.Word == "interface" {
		return !m.Is("default") && !m.Is("static") && !m.Is("private")
	}
	return m.Is("abstract")
}

func (c *javaComparer) added() error {
	if c.now.module == nil {
		return nil
	}
	for i := range c.now.module.Declared {
		d := &c.now.module.Declared[i]
		owner := ownerOf(d)
		if d.Kind != source.Method || !strings.HasSuffix(d.Path, ".java") || c.old.declared[owner] == nil || !c.old.declared[owner].Exported || c.new.declared[owner] == nil {
			continue
		}
		if was := c.old.declared[d.Name]; was != nil && was.Interface == d.Interface {
			continue
		}
		if err := c.required(d, owner); err != nil {
			return err
		}
	}
	return nil
}

func (c *javaComparer) required(d *source.Declared, owner string) error {
	of, ok := c.old.typeOf(owner)
	to, still := c.new.typeOf(owner)
	if !ok || !still || of.Word != to.Word || c.old.unsure(c.old.declared[owner]) || c.new.unsure(d) || everyones[last(d)] {
		return nil
	}
	open := c.open(c.old, c.old.declared[owner], of) && !to.Is("sealed")
	is, ok := readMethods(d, to.variables)
	if !ok || !open && of.Word != "@interface" || c.inherits(c.old, owner, last(d), nil) || c.inherits(c.new, owner, last(d), nil) {
		return nil
	}
	var was []javaMethod
	if old := c.old.declared[d.Name]; old != nil {
		if was, ok = readMethods(old, of.variables); !ok || len(was) >= len(is) {
			return nil
		}
	}
	for _, m := range is {
		if slices.ContainsFunc(was, m.same) {
			continue
		}
		line, err := c.writtenLine(d)
		if err != nil {
			return err
		}
		b := c.changedAt(c.old.declared[owner], d, line, "method added", "has no body: types that implement "+owner+" must declare it now")
		b.symbol, b.member, b.implementers, b.early = owner+"."+last(d), last(d), true, c.old.asked[owner] >= manyMethods
		switch {
		case of.Word == "@interface" && m.Value == "":
			b.kind, b.text, b.implementers = "element added", "requires a value now: uses of the annotation without it no longer compile", false
		case of.Word == "@interface" || !m.abstract(to):
			continue
		}
		c.add(b)
		return nil
	}
	return nil
}

func (c *javaComparer) field(d, now *source.Declared, owner string) error {
	of, ok := c.old.typeOf(owner)
	to, there := c.new.typeOf(owner)
	was, single := header(d)
	if !ok || !there || !single || !c.callable(was, owner, of) {
		return nil
	}
	if now == nil || !now.Exported {
		if !c.inherits(c.new, owner, last(d), nil) {
			c.add(c.gone(d, now))
		}
		return nil
	}
	if now.Kind != source.Field && now.Kind != source.Const {
		return nil
	}
	is, _ := header(now)
	constant := of.Word == "interface" || was.Is("final")
	switch {
	case erase(was.Result, of.variables) != erase(is.Result, to.variables):
		c.tell(d, now, "field retyped", "is "+is.Result+" now, and not "+was.Result+": code that was compiled against it fails")
	case was.Is("public") && is.Is("protected"):
		c.tell(d, now, "visibility narrowed", "is protected now: uses by others no longer compile")
	case of.Word == to.Word && of.Word != "interface" && was.Is("static") != is.Is("static"):
		c.tell(d, now, "static changed", "is static in one version and not in the other: code that was compiled against it fails")
	case !constant && is.Is("final"):
		c.tell(d, now, "final added", "is final now: code that sets it fails")
	case constant && (is.Is("final") || to.Word == "interface") && revalued(last(d), was.Value, is.Value):
		c.tell(d, now, "constant's value changed", "is "+is.Value+" now, and not "+was.Value+": code that was compiled against it keeps the old value")
	}
	return nil
}

// javaChecked are well-known checked exceptions.
var javaChecked = lazy.Set(`Exception Throwable IOException InterruptedException ClassNotFoundException SQLException TimeoutException ExecutionException
	URISyntaxException ParseException GeneralSecurityException NoSuchMethodException NoSuchFieldException CloneNotSupportedException`)

// addedChecked returns a checked exception that a method throws now, or "".
func addedChecked(was, now source.Header) string {
	old := throws(was)
	if slices.Contains(old, "Exception") || slices.Contains(old, "Throwable") {
		return ""
	}
	for _, name := range throws(now) {
		if javaChecked[name] && !slices.Contains(old, name) {
			return name
		}
	}
	return ""
}

func throws(h source.Header) (names []string) {
	_, list, _ := strings.Cut(h.Text, ") throws ")
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		names = append(names, name[strings.LastIndexByte(name, '.')+1:])
	}
	return names
}
