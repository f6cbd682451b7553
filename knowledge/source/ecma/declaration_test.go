package ecma

import (
	"context"
	"testing"
)

// TestOverloads: the head of the body that overloads share is none of them.
func TestOverloads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want, doc string }{
		{"function", "export function f(a: string): string\nexport function f(a: any) { return a }", "function f(a: string): string", ""},
		{"method", "export class C { f(a: string): void; f(a: any) {} }", "f(a: string): void", ""},
		{"declared alone", "export declare function f(a: string): void\nexport declare function f(): void", "function f(a: string): void\nfunction f(): void", ""},
		{"no overload", "export function f(a: any) {}", "function f(a: any)", ""},
		{"with a namespace", "export function f(a: any): void\nexport function f(a) {}\nexport namespace f { }", "function f(a: any): void\nnamespace f", ""},
		{"documented at the body", "export function f(a: string): void\n/** Does. */\nexport function f(a: any) {}", "function f(a: string): void", "Does."},
	} {
		found := false
		for _, s := range languageOf("a.ts").Extract(context.Background(), "a.ts", []byte(c.text)).Symbols {
			if s.Name != "f" && s.Name != "C.f" {
				continue
			}
			found = true
			if s.Signature != c.want || s.Doc != c.doc {
				t.Errorf("%s: %q, %q, want %q, %q", c.name, s.Signature, s.Doc, c.want, c.doc)
			}
		}
		if !found {
			t.Errorf("%s: not found", c.name)
		}
	}
}
