package ecma_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/ecma"
)

var forms = map[ecma.Form]string{
	ecma.Other: "other", ecma.Named: "named", ecma.Literal: "literal", ecma.Union: "union", ecma.Intersection: "both", ecma.Array: "array", ecma.Tuple: "tuple",
	ecma.Object: "object", ecma.Dictionary: "dictionary", ecma.Function: "function", ecma.Predicate: "predicate",
}

// formText formats a type: its form, or its text if it is a name or a literal, and its parts.
func formText(t ecma.Type) string {
	var parts []string
	for _, of := range t.Of {
		parts = append(parts, formText(of))
	}
	for _, f := range t.Fields {
		mark := ""
		if f.Optional {
			mark = "?"
		}
		parts = append(parts, f.Name+mark+": "+formText(f.Type))
	}
	text := forms[t.Form]
	if t.Form == ecma.Named || t.Form == ecma.Literal {
		text = t.Text
	}
	if t.Call != nil {
		for _, p := range t.Call.Params {
			parts = append(parts, p.Name+": "+p.Type)
		}
		parts = append(parts, t.Call.Result)
	}
	if len(parts) > 0 && t.Form != ecma.Other {
		text += fmt.Sprintf("[%s]", strings.Join(parts, ", "))
	}
	return text
}

func TestTypeOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"string":                  "string",
		"readonly a.B[]":          "array[a.B]",
		"| 'a'\n  | -1\n  | true": "union['a', -1, true]",
		"(A | B)[][]":             "array[array[union[A, B]]]",
		"A & { b: C } | D":        "union[both[A, object[b: C]], D]",
		"[string, n: number]":     "tuple[string, number]",
		"[a?: string]":            "other",
		"[string, ...A[]]":        "other",
		"{ a: string, b?: C[]; 'c-d': null; m?(x: D): void }": "object[a: string, b?: array[C], c-d: null, m?: function]",
		"{\n  a: 'x' | 'y';\n}":                               "object[a: union['x', 'y']]",
		"{}":                                                  "object",
		"{ readonly [k: string]: A }":                         "dictionary[A]",
		"{ [k: string]: A; b: C }":                            "other",
		"{ [K in keyof T]: T[K] }":                            "other",
		"{ (x: string): void }":                               "other",
		"{ new (x: string): A }":                              "other",
		"Promise<Map<string, A | null>>":                      "Promise[Map[string, union[A, null]]]",
		"(a: string) => A | B":                                "function[a: string, A | B]",
		"<T>(x: T[]) => { a: T }":                             "function[x: T[], { a: T }]",
		"new () => A":                                         "other",
		"T extends () => void ? 1 : 2":                        "other",
		"keyof O[]":                                           "other",
		"A[\"b\"]":                                            "other",
		"typeof a.b":                                          "other",
		"x is string":                                         "predicate",
		"asserts x":                                           "predicate",
		"`x`":                                                 "`x`",
		"`x${A}`":                                             "other",
		"":                                                    "other",
		"Map<":                                                "other",
	} {
		if got := formText(ecma.TypeOf(text)); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	c, err := ecma.Read(t.Context(), "a.ts", []byte(`import { far, type Far } from "./far"
let near = 1
export function f(a: Far): string;
export function f(a: Far, process = far) { const own = near; { const far = own; a.b(far) } return new Date() }
`))
	if err != nil || c.Problem != "" {
		t.Fatal(err, c.Problem)
	}
	places := c.Places["f"]
	if len(places) != 2 || places[0].Body != places[0].To {
		t.Fatalf("f is at %v", places)
	}
	var free, values []string
	for _, token := range c.Tokens[places[1].From:places[1].To] {
		if token.Free {
			free = append(free, token.Text)
		}
		if token.Value {
			values = append(values, token.Text)
		}
	}
	if got, want := strings.Join(free, " "), "Far far near Date"; got != want {
		t.Errorf("free are %s, want %s", got, want)
	}
	if got, want := strings.Join(values, " "), "far near Date"; got != want {
		t.Errorf("values are %s, want %s", got, want)
	}
	if got := c.Tokens[places[1].Body].Text; got != "{" {
		t.Errorf("the body begins with %s", got)
	}
}
