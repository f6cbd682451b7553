package python

import (
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

type shown struct {
	method bool       // it is a method call on a constructed object
	class  *call      // constructor call of the receiver
	call              // call of the function
	want   *spec.Want // documented result; nil if it is no literal
	raises string     // documented exception class
}

type call struct {
	name  string // dotted, as written
	args  []spec.Value
	named map[string]spec.Value
}

// in bytes
const longestDoc = 1 << 16

func doctests(doc string) (out []shown) {
	if len(doc) > longestDoc || !strings.Contains(doc, ">>>") {
		return nil
	}
	names, objects := map[string]spec.Value{}, map[string]call{}
	lines := strings.Split(doc, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimLeft(lines[i], " \t")
		code, ok := strings.CutPrefix(line, ">>>")
		if !ok {
			continue
		}
		for i+1 < len(lines) && strings.HasPrefix(strings.TrimLeft(lines[i+1], " \t"), "...") {
			i++
			code += "\n" + strings.TrimLeft(lines[i], " \t")[3:]
		}
		var said []string
		for i+1 < len(lines) {
			next := strings.TrimSpace(lines[i+1])
			if next == "" || strings.HasPrefix(next, ">>>") || strings.HasPrefix(next, "```") {
				break
			}
			said = append(said, next)
			i++
		}
		if one, ok := example(code, said, names, objects); ok {
			out = append(out, one)
		}
	}
	return out
}

// example reads one prompt. It remembers assigned literals and constructor calls.
func example(code string, said []string, names map[string]spec.Value, objects map[string]call) (shown, bool) {
	if strings.Contains(code, "doctest:") {
		return shown{}, false
	}
	toks := tokens(code)
	if len(toks) > 2 && toks[0].kind == tWord && toks[1].text == "=" && toks[1].kind == tOp {
		delete(names, toks[0].text)
		delete(objects, toks[0].text)
		if v, ok := literal(toks[2:], names); ok {
			names[toks[0].text] = v
		}
		l := &literals{toks[2:], names}
		if made, ok := l.call(); ok && len(l.toks) == 0 {
			objects[toks[0].text] = made
		}
		return shown{}, false
	}
	printed := false
	if len(toks) > 3 && toks[0].text == "print" && toks[1].text == "(" && encloses(toks, 1) {
		toks, printed = toks[2:len(toks)-1], true
	}
	l := &literals{toks, names}
	one, ok := l.shown()
	if !ok || len(l.toks) > 0 {
		return shown{}, false
	}
	if object, method, ok := strings.Cut(one.name, "."); ok && !one.method {
		if made, known := objects[object]; known {
			one.method, one.class, one.name = true, &made, method
		}
	}
	switch {
	case len(said) > 1 && strings.HasPrefix(said[0], "Traceback"):
		name, _, _ := strings.Cut(said[len(said)-1], ":")
		one.want = &spec.Want{Error: true}
		if builtinErrors[name] {
			one.raises = name
		}
	case printed && len(said) == 1:
		one.want = &spec.Want{StringOf: &said[0]}
	case printed || len(said) == 0:
	default:
		if v, ok := literal(tokens(strings.Join(said, "\n")), nil); ok {
			one.want = &spec.Want{Values: []spec.Typed{typed(v)}}
		}
	}
	return one, true
}

func (l *literals) shown() (shown, bool) {
	first, ok := l.call()
	if !ok {
		return shown{}, false
	}
	if !l.isOp(".") {
		return shown{call: first}, true
	}
	l.toks = l.toks[1:]
	if l.at(0).kind == tWord && l.at(1).text != "(" { // a property
		second := call{name: l.at(0).text}
		l.toks = l.toks[1:]
		return shown{method: true, class: &first, call: second}, true
	}
	second, ok := l.call()
	return shown{method: true, class: &first, call: second}, ok
}

func (l *literals) call() (call, bool) {
	c := call{}
	for l.at(0).kind == tWord {
		c.name += l.at(0).text
		l.toks = l.toks[1:]
		if !l.isOp(".") {
			break
		}
		c.name += "."
		l.toks = l.toks[1:]
	}
	if c.name == "" || !l.take("(") {
		return c, false
	}
	for !l.take(")") {
		if l.at(0).kind == tWord && l.at(1).kind == tOp && l.at(1).text == "=" {
			name := l.at(0).text
			l.toks = l.toks[2:]
			v, ok := l.value(1)
			if !ok {
				return c, false
			}
			if c.named == nil {
				c.named = map[string]spec.Value{}
			}
			c.named[name] = v
		} else {
			v, ok := l.value(1)
			if !ok || c.named != nil {
				return c, false
			}
			c.args = append(c.args, v)
		}
		if !l.take(",") && !l.isOp(")") {
			return c, false
		}
	}
	return c, true
}

const mostUses = 24

// uses returns the calls of a function with literal arguments.
func uses(toks []token, name string) (out []shown) {
	for i := 0; i+1 < len(toks) && len(out) < mostUses; i++ {
		if toks[i].kind != tWord || toks[i].text != name || toks[i+1].text != "(" || i > 0 && toks[i-1].text == "def" {
			continue
		}
		l := &literals{toks: toks[i:]}
		if c, ok := l.call(); ok {
			out = append(out, shown{call: c})
		}
	}
	return out
}

var builtinErrors = testgen.Words(`Exception ArithmeticError AssertionError AttributeError BufferError EOFError FloatingPointError ImportError IndexError
	KeyError LookupError NotImplementedError OSError OverflowError RuntimeError StopIteration TypeError UnicodeDecodeError UnicodeEncodeError UnicodeError
	ValueError ZeroDivisionError`)
