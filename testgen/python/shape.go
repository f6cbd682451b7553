package python

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// shape is the set of arguments that a call passes.
type shape struct {
	plan    *Plan
	made    []int // indexes of the constructor's parameters
	given   []int // indexes of the function's parameters
	rest    int   // number of variadic arguments, of the function and the constructor
	restMad int
}

// key is equal for calls of the same shape.
func (s shape) key() string { return fmt.Sprint(s.made, s.given, s.rest, s.restMad) }

// suffix names the optional parameters that are passed.
func (s shape) suffix() string {
	var out []string
	for _, n := range s.given {
		if p := s.plan.Params[n]; p.Optional {
			out = append(out, strings.ToLower(strings.Trim(p.Name, "_")))
		}
	}
	if len(out) == 0 {
		return ""
	}
	if len(out) > 3 {
		out = append(out[:3], "more")
	}
	return "_with_" + strings.Join(out, "_")
}

// given returns the shape of a call and the sources of its arguments.
func (p *Plan) given(args []spec.Typed) (shape, []string, error) {
	s := shape{plan: p}
	if err := p.fitting(args); err != nil {
		return s, nil, err
	}
	var values []string
	take := func(args []spec.Typed, params []Param, given *[]int, rest *int) error {
		for i, a := range args {
			if a.Type == typeDefault {
				continue
			}
			list := []spec.Typed{a}
			if params[i].Rest {
				list = nil
				elements, _ := a.Value.([]spec.Value)
				for _, v := range elements {
					list = append(list, typed(v))
				}
				*rest = len(list)
			}
			*given = append(*given, i)
			for _, one := range list {
				text, err := write(one, 0)
				if err != nil {
					return err
				}
				values = append(values, text)
			}
		}
		return nil
	}
	if p.Receiver != nil {
		made, _ := madeFrom(args[0])
		if err := take(made, p.Receiver.Params, &s.made, &s.restMad); err != nil {
			return s, nil, err
		}
		args = args[1:]
	}
	if err := take(args, p.Params, &s.given, &s.rest); err != nil {
		return s, nil, err
	}
	if len(values) > 40 {
		return s, nil, errors.New("more than 40 arguments are given")
	}
	return s, values, nil
}

type part struct {
	column  string
	name    string // parameter name
	keyword bool   // passed by keyword
	made    bool   // a constructor argument
}

// columns names the arguments of a call and locates them in it.
type columns struct {
	plan  *Plan
	names []string
	parts []part
}

func (s shape) columns(taken scope) columns {
	out := columns{plan: s.plan}
	add := func(given []int, params []Param, rest int, made bool) {
		next := 0 // the next positional parameter
		for _, n := range given {
			p := params[n]
			times := 1
			if p.Rest {
				times = rest
			}
			for range times {
				name := strings.ToLower(strings.Trim(p.Name, "_"))
				if name == "" || !identifier.MatchString(name) {
					name = "value"
				}
				column := taken.name(name)
				keyword := p.Keyword || n != next && !p.Rest
				out.names = append(out.names, column)
				out.parts = append(out.parts, part{column, p.Name, keyword, made})
			}
			if next == n {
				next++
			}
		}
	}
	if s.plan.Receiver != nil {
		add(s.made, s.plan.Receiver.Params, s.restMad, true)
	}
	add(s.given, s.plan.Params, s.rest, false)
	return out
}

func (c columns) call(name string) string {
	list := func(made bool) string {
		var out []string
		for _, p := range c.parts {
			switch {
			case p.made != made:
			case p.keyword:
				out = append(out, p.name+"="+p.column)
			default:
				out = append(out, p.column)
			}
		}
		return "(" + strings.Join(out, ", ") + ")"
	}
	if r := c.plan.Receiver; r != nil {
		class := strings.TrimSuffix(name, "."+testgen.LastName(name))
		name = class + list(true) + "." + testgen.LastName(name)
	}
	if c.plan.Property {
		return name
	}
	return name + list(false)
}

// width is the line width of black.
const width = 88

func callText(name string, args []string, indent int) string {
	if line := name + "(" + strings.Join(args, ", ") + ")"; len([]rune(line))+1 <= width {
		return line
	}
	inner := strings.Repeat(" ", indent+4)
	return name + "(\n" + inner + strings.Join(args, ",\n"+inner) + ",\n" + strings.Repeat(" ", indent) + ")"
}

func defLine(name string, params []string) string {
	line := "def " + name + "(" + strings.Join(params, ", ") + "):"
	if len(line) <= width {
		return line + "\n"
	}
	if inner := "    " + strings.Join(params, ", "); len(inner) <= width {
		return "def " + name + "(\n" + inner + "\n):\n"
	}
	return "def " + name + "(\n    " + strings.Join(params, ",\n    ") + ",\n):\n"
}

func wrap(text string, most int) (lines []string) {
	line := ""
	for _, w := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(w)) > most {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += w
	}
	return slices.Clip(append(lines, line))
}
