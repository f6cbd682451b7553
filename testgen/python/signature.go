package python

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Param is a parameter of a function, other than self and cls.
type Param struct {
	Name string `json:"n"`
	Type *Type  `json:"t,omitempty"`
	// Guessed reports that the type is inferred from the default. Arguments of other types are allowed.
	Guessed bool `json:"g,omitempty"`
	// Optional reports that it has a default.
	Optional bool `json:"o,omitempty"`
	// Keyword reports that it is keyword-only, Rest that it takes all further positional arguments.
	Keyword bool `json:"k,omitempty"`
	Rest    bool `json:"r,omitempty"`
	// Positional reports that it is positional-only.
	Positional bool `json:"p,omitempty"`

	initial    spec.Value // its default, if a literal
	hasInitial bool
}

type signature struct {
	decorators []string // dotted names without arguments
	params     []Param  // without self and cls
	bound      bool     // it has self or cls
	result     string
	async      bool
	ok         bool
}

// signatureOf reads the last declaration of a function, after its overloads.
func signatureOf(f *source.Symbol) signature {
	s := signature{}
	for _, h := range f.Headers() {
		if !strings.Contains(h.Text, "def ") {
			continue
		}
		for _, note := range h.Notes {
			name, _, _ := strings.Cut(note[1:], "(")
			s.decorators = append(s.decorators, name)
		}
		s.params, s.result, s.async, s.ok = nil, h.Result, h.Is("async"), true
		for _, p := range h.Params {
			if s.bound = s.bound || p.Kind == source.Receiver; p.Kind != source.Receiver && p.Kind != source.Keywords {
				s.params = append(s.params, paramOf(p))
			}
		}
	}
	return s
}

func paramOf(p source.Parameter) Param {
	out := Param{
		Name: p.Name, Optional: p.Default != "", Keyword: p.Kind == source.KeywordOnly, Rest: p.Kind == source.Variadic, Positional: p.Kind == source.Positional,
	}
	if p.Type != "" {
		out.Type = &Type{annotation: tokens(p.Type)}
	}
	out.initial, out.hasInitial = literal(tokens(p.Default), nil)
	return out
}

// has reports whether a decorator has one of the names, in any module.
func (s *signature) has(names ...string) bool {
	return slices.ContainsFunc(s.decorators, func(d string) bool { return slices.Contains(names, testgen.LastName(d)) })
}
