package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// rustCall is a signature in the JSON of rustdoc.
type rustCall struct {
	Inputs [][2]json.RawMessage // a name and a type
	Output json.RawMessage
}

// rustHead is the head of a function as rustForm has it; empty for anything else.
func rustHead(function json.RawMessage) string {
	var f struct {
		Sig    *rustCall
		Header struct {
			Const  bool `json:"is_const"`
			Unsafe bool `json:"is_unsafe"`
			Async  bool `json:"is_async"`
		}
	}
	if json.Unmarshal(function, &f) != nil || f.Sig == nil {
		return ""
	}
	words := ""
	for i, is := range []bool{f.Header.Const, f.Header.Async, f.Header.Unsafe} {
		if is {
			words += []string{"const ", "async ", "unsafe "}[i]
		}
	}
	var list []string
	for _, in := range f.Sig.Inputs {
		var name string
		_ = json.Unmarshal(in[0], &name)
		of := rustType(in[1])
		if is, ok := strings.CutSuffix(of, "Self"); ok && name == "self" && (is == "" || is[0] == '&') {
			list = append(list, is+name)
		} else {
			list = append(list, name+": "+of)
		}
	}
	return rustForm(words + "fn x(" + strings.Join(list, ", ") + ")" + rustResult(f.Sig.Output))
}

func rustResult(output json.RawMessage) string {
	if of := rustType(output); of != "" {
		return " -> " + of
	}
	return ""
}

// rustSignature is the head of a function in a node, as rustForm has it.
func rustSignature(s *symbol) string {
	for line := range strings.Lines(s.Signature) {
		if form := rustForm(line); form != "" {
			return form
		}
	}
	return ""
}

var (
	rustFunction = regexp.MustCompile(`^(?:pub )?((?:(?:const|async|unsafe|extern(?: "[^"]*")?) )*)fn (?:r#)?\w+`)
	rustExtern   = regexp.MustCompile(`extern(?: "[^"]*")? `)
	rustPath     = regexp.MustCompile(`(?:<[^<>]*>::|(?:::)?\b\w+::)+`)
)

// rustForm normalizes a function signature: simple type names, no spaces. It returns "" for other declarations.
func rustForm(line string) string {
	m := rustFunction.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	rest := line[len(m[0]):]
	if generic, ok := strings.CutPrefix(rest, "<"); ok {
		_, rest = rustLists.split(generic)
	}
	parts, after := rustLists.split(strings.TrimPrefix(rest, "("))
	for i, p := range parts {
		parts[i] = strings.TrimPrefix(p, "mut ")
	}
	after, _, _ = strings.Cut(after, " where ")
	after = strings.ReplaceAll(after, "<'_>", "") // rustdoc adds elided lifetimes
	form := rustExtern.ReplaceAllString(m[1], "") + "(" + strings.Join(parts, ",") + ")" + strings.TrimSuffix(strings.TrimSpace(after), ";")
	return strings.Join(strings.Fields(rustPath.ReplaceAllString(form, "")), "")
}

// rustPathType is a path to a type or a trait, with its arguments.
type rustPathType struct {
	Path, Name string
	Args       json.RawMessage
}

func (p rustPathType) String() string { return p.Path + p.Name + rustArguments(p.Args) }

// rustType formats a type in rustdoc's JSON as source code.
func rustType(raw json.RawMessage) string {
	var word string
	if json.Unmarshal(raw, &word) == nil {
		return strings.Replace(word, "infer", "_", 1)
	}
	var of map[string]json.RawMessage
	_ = json.Unmarshal(raw, &of)
	for kind, value := range of {
		var t struct {
			rustPathType
			Lifetime *string
			Mutable  bool `json:"is_mutable"`
			Type     json.RawMessage
			Len      string
			Traits   []struct{ Trait rustPathType }
			Sig      rustCall
		}
		_ = json.Unmarshal(value, &t)
		switch kind {
		case "primitive", "generic":
			_ = json.Unmarshal(value, &word)
			return strings.Replace(word, "never", "!", 1)
		case "resolved_path", "qualified_path":
			return t.String()
		case "borrowed_ref":
			return "&" + lifetime(t.Lifetime) + mutable(t.Mutable, "") + enclosed(rustType(t.Type))
		case "raw_pointer":
			return "*" + mutable(t.Mutable, "const ") + enclosed(rustType(t.Type))
		case "slice":
			return "[" + rustType(value) + "]"
		case "array":
			return "[" + rustType(t.Type) + "; " + t.Len + "]"
		case "tuple":
			return "(" + strings.Join(rustTypes(value), ", ") + ")"
		case "impl_trait":
			return "impl " + rustBounds(value)
		case "dyn_trait":
			var traits []string
			for _, one := range t.Traits {
				traits = append(traits, one.Trait.String())
			}
			if t.Lifetime != nil {
				traits = append(traits, *t.Lifetime)
			}
			return "dyn " + strings.Join(traits, " + ")
		case "function_pointer":
			var list []string
			for _, in := range t.Sig.Inputs {
				list = append(list, rustType(in[1]))
			}
			return "fn(" + strings.Join(list, ", ") + ")" + rustResult(t.Sig.Output)
		}
	}
	return ""
}

func lifetime(name *string) string {
	if name == nil {
		return ""
	}
	return *name + " "
}

// enclosed puts brackets around several bounds.
func enclosed(of string) string {
	if strings.HasPrefix(of, "dyn ") && strings.Contains(of, " + ") {
		return "(" + of + ")"
	}
	return of
}

func mutable(is bool, otherwise string) string {
	if is {
		return "mut "
	}
	return otherwise
}

func rustTypes(raw json.RawMessage) []string {
	var list []json.RawMessage
	_ = json.Unmarshal(raw, &list)
	var out []string
	for _, one := range list {
		out = append(out, rustType(one))
	}
	return out
}

// rustArguments formats the generic arguments of a path.
func rustArguments(raw json.RawMessage) string {
	var args struct {
		Angles *struct {
			Args        []json.RawMessage
			Constraints []struct {
				Name    string
				Binding struct {
					Equality   struct{ Type json.RawMessage }
					Constraint json.RawMessage
				}
			}
		} `json:"angle_bracketed"`
		Round *struct{ Inputs, Output json.RawMessage } `json:"parenthesized"`
	}
	_ = json.Unmarshal(raw, &args)
	if r := args.Round; r != nil {
		return "(" + strings.Join(rustTypes(r.Inputs), ", ") + ")" + rustResult(r.Output)
	}
	if args.Angles == nil {
		return ""
	}
	var list []string
	for _, a := range args.Angles.Args {
		var one struct {
			Lifetime string
			Type     json.RawMessage
			Const    struct{ Expr string }
		}
		_ = json.Unmarshal(a, &one)
		list = append(list, one.Lifetime+one.Const.Expr+rustType(one.Type))
	}
	for _, c := range args.Angles.Constraints {
		if of := rustType(c.Binding.Equality.Type); of != "" {
			list = append(list, c.Name+" = "+of)
		} else {
			list = append(list, c.Name+": "+rustBounds(c.Binding.Constraint))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "<" + strings.Join(list, ", ") + ">"
}

// rustBounds formats trait bounds.
func rustBounds(raw json.RawMessage) string {
	var list []struct {
		Bound *struct {
			Trait    rustPathType
			Modifier string
		} `json:"trait_bound"`
		Outlives string
	}
	_ = json.Unmarshal(raw, &list)
	var out []string
	for _, b := range list {
		switch {
		case b.Bound == nil:
			out = append(out, b.Outlives)
		case b.Bound.Modifier == "maybe":
			out = append(out, "?"+b.Bound.Trait.String())
		default:
			out = append(out, b.Bound.Trait.String())
		}
	}
	return strings.Join(slices.DeleteFunc(out, func(s string) bool { return s == "" }), " + ")
}
