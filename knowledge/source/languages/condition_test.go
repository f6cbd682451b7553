package languages_test

import (
	"cmp"
	"strings"
	"testing"
)

// TestConditions: a condition is quoted as the code has it, without its negation and the parentheses around it, if it is short
// and shows no secret. In a case, the value and the label are quoted.
func TestConditions(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("v + ", 20) + "w"
	for name, c := range map[string]map[string]string{
		"if, else": {
			"go":         `if v == w { a() } else { b() }; c()`,
			"python":     "if v == w:\n  a()\nelse:\n  b()\nc()",
			"typescript": `if (v == w) { a(); } else { b(); } c();`,
			"java":       `if (v == w) { a(); } else { b(); } c();`,
			"rust":       `if v == w { a(); } else { b(); } c();`,
			"c":          `if (v == w) a(); else b(); c();`,
			"want":       "a: if `v == w`; b: otherwise; c",
		},
		"else if": {
			"go":         `if v == w { a() } else if v > 1 { b() } else { c() }`,
			"python":     "if v == w:\n  a()\nelif v > 1:\n  b()\nelse:\n  c()",
			"typescript": `if (v == w) { a(); } else if (v > 1) { b(); } else { c(); }`,
			"java":       `if (v == w) { a(); } else if (v > 1) { b(); } else { c(); }`,
			"rust":       `if v == w { a(); } else if v > 1 { b(); } else { c(); }`,
			"c":          `if (v == w) a(); else if (v > 1) b(); else c();`,
			"want":       "a: if `v == w`; b: otherwise, if `v > 1`; c: in other cases",
		},
		"negated": {
			"go":          `if !v.w(1) { a() }; if !(v == w) { b() }; if !v && w { c() }`,
			"python":      "if not v.w(1):\n  a()\nif not (v == w):\n  b()\nif not v and w:\n  c()",
			"typescript":  `if (!v.w(1)) { a(); } if (!(v == w)) { b(); } if (!v && w) { c(); }`,
			"java":        `if (!v.w(1)) { a(); } if (!(v == w)) { b(); } if (!v && w) { c(); }`,
			"rust":        `if !v.w(1) { a(); } if !(v == w) { b(); } if !v && w { c(); }`,
			"c":           `if (!v.w(1)) a(); if (!(v == w)) b(); if (!v && w) c();`,
			"want":        "a: unless `v.w(1)`; b: unless `v == w`; c: if `!v && w`",
			"want python": "a: unless `v.w(1)`; b: unless `v == w`; c: if `not v and w`",
		},
		"compiled in some cases": {
			"rust": `a(); #[cfg(unix)] b(); #[cfg(unix)] { x(); } c();`,
			"want": "a; b: if `unix`; x: if `unix`; c",
		},
		"the rest of a pattern": {
			"rust": `match v { Some(1) if v > w => a(), Some(_) => b(), None => c(), _ => x() }`,
			"want": "a: if `v` is `Some(1)` and `v > w`; b: in other cases; c: or if `v` is `None`; x: in other cases",
		},
		"the rest of alternatives": {
			"rust": `match v { A(1) | B if v > w => a(), B => b(), C => c() }`,
			"want": "a: if `v` is `A(1) | B` and `v > w`; b: in other cases; c: or if `v` is `C`",
		},
		"a result beside an error": {
			"go":   `if v { return w, err }; b(); c()`,
			"want": "b: unless `v`; c",
		},
		"after a return": {
			"go":         `if v == w { a(); return }; b(); c()`,
			"python":     "if v == w:\n  a()\n  return 1\nb()\nc()",
			"typescript": `if (v == w) { a(); return 1; } b(); c();`,
			"java":       `if (v == w) { a(); return 1; } b(); c();`,
			"rust":       `if v == w { a(); return 1; } b(); c();`,
			"want":       "a: if `v == w`; b: otherwise; c",
		},
		"several lines": {
			"go":          "if v == 1 &&\n\t\tw == 2 { a() }; b(); c()",
			"python":      "if (v == 1 and\n    w == 2):\n  a()\nb()\nc()",
			"typescript":  "if (v == 1 &&\n  w == 2) { a(); } b(); c();",
			"java":        "if (v == 1\n  && w == 2) { a(); } b(); c();",
			"rust":        "if v == 1\n  && w == 2 { a(); } b(); c();",
			"c":           "if (v == 1 &&\n  w == 2) a(); b(); c();",
			"want":        "a: if `v == 1 && w == 2`; b; c",
			"want python": "a: if `v == 1 and w == 2`; b; c",
		},
		"with a statement": {
			"go":        `if v, ok := <-w; ok { a() }; if v := w(1); v != nil { b() }; if v, ok := w.(int); ok { c() }`,
			"rust":      `if let Some(v) = w { a(); } b(); c();`,
			"want go":   "a: if `v, ok := <-w; ok`; b: if `w(1) != nil`; c: if `w` is `int`",
			"want rust": "a: if `w` is `Some(v)`; b; c",
		},
		"long, secret": {
			"go":         "if " + long + " { a() }; if password == \"hunter2\" { b() }; c()",
			"python":     "if " + long + ":\n  a()\nif password == 'hunter2':\n  b()\nc()",
			"typescript": "if (" + long + ") { a(); } if (password == 'hunter2') { b(); } c();",
			"java":       "if (" + long + ") { a(); } if (password == \"hunter2\") { b(); } c();",
			"rust":       "if " + long + " { a(); } if password == \"hunter2\" { b(); } c();",
			"c":          "if (" + long + ") a(); if (password == \"hunter2\") b(); c();",
			"want":       "a: in some cases; b: in some cases; c",
		},
		"comments and formatting": {
			"go":         "if f( v,w ) /* x */ == 1 { a() }; b(); c()",
			"python":     "if (f( v,w ) # x\n  ==1):\n  a()\nb()\nc()",
			"typescript": "if (f( v,w ) // x\n ==1) { a(); } b(); c();",
			"java":       "if (f( v,w ) /* x */\n==1) { a(); } b(); c();",
			"rust":       "if f( v,w ) /* x */==1 { a(); } b(); c();",
			"c":          "if (f( v,w ) /* x */\n==1) a(); b(); c();",
			"want":       "a: if `f(v, w) == 1`; b; c",
		},
		"more than an expression": {
			"go":         "if v(func() bool { return w }) { a() }; b(); c()",
			"typescript": "if (v === `w`) { a(); } b(); c();",
			"c":          "if (v\n#if W\n  && w\n#endif\n) a(); b(); c();",
			"want":       "a: in some cases; b; c",
		},
		"switch": {
			"go":          `switch v { case 1: a(); case 2, 3: b(); default: c() }`,
			"python":      "match v:\n  case 1:\n    a()\n  case 2 | 3:\n    b()\n  case _:\n    c()",
			"typescript":  `switch (v) { case 1: a(); break; case 2: case 3: b(); break; default: c(); }`,
			"java":        `switch (v) { case 1: a(); break; case 2: case 3: b(); break; default: c(); }`,
			"rust":        `match v { 1 => a(), 2 | 3 => { b(); } _ => c() }`,
			"c":           `switch (v) { case 1: a(); break; case 2: case 3: b(); break; default: c(); }`,
			"want":        "a: if `v` is `1`; b: or if `v` is `2` or `3`; c: in other cases",
			"want python": "a: if `v` is `1`; b: or if `v` is `2 | 3`; c: in other cases",
			"want rust":   "a: if `v` is `1`; b: or if `v` is `2 | 3`; c: in other cases",
		},
		"switch, one case continues in the next": {
			"go":         `switch v { case 1: a(); fallthrough; case 2: b() }; c()`,
			"typescript": `switch (v) { case 1: a(); case 2: b(); break; } c();`,
			"java":       `switch (v) { case 1: a(); case 2: b(); break; } c();`,
			"c":          `switch (v) { case 1: a(); case 2: b(); break; } c();`,
			"want":       "a: in some cases; b; c",
		},
		"switch, other cases and one": {
			"go":         `switch v { case 1: a(); default: b() }; c()`,
			"typescript": `switch (v) { case 1: a(); break; case 2: default: b(); } c();`,
			"java":       `switch (v) { case 1 -> a(); default -> b(); } c();`,
			"rust":       `match v { 1 => a(), other => b() } c();`,
			"c":          `switch (v) { case 1: a(); break; default: b(); } c();`,
			"want":       "a: if `v` is `1`; b: otherwise; c",
		},
		"switch without a value": {
			"go":         `switch { case v > 1: a(); case v < 1: b() }; c()`,
			"typescript": `switch (true) { case v > 1: a(); break; case v < 1: b(); } c();`,
			"want":       "a: if `v > 1`; b: otherwise, if `v < 1`; c",
		},
		"records and guards in patterns": {
			"rust": `match v { W::A { b, c } if b > c => a(), (None, Some(_)) => b(), #[cfg(x)] W::B => c(), _ => return }`,
			"want": "a: if `v` is `W::A { .. }` and `b > c`; b: or if `v` is `(None, Some(_))`; c: or if `v` is `W::B`",
		},
		"marks of the language": {
			"rust":      `if v.w()?.x(|y, z| y.z).await?.is_ok() { a(); } if v as u8 & 1 == *w { b(); } if u::<V>(&w[1..]) && !v { c(); }`,
			"c":         `if (v->w & (W *) x->y) a(); if (v || (w << 2) == sizeof(x)) b(); if (*v && -w < x[1]) c();`,
			"want rust": "a: if `v.w()?.x(|y, z| y.z).await?.is_ok()`; b: if `v as u8 & 1 == *w`; c: if `u::<V>(&w[1..]) && !v`",
			"want c":    "a: if `v->w & (W *) x->y`; b: if `v || (w << 2) == sizeof(x)`; c: if `*v && -w < x[1]`",
		},
		"switch of types": {
			"go":        `switch x := any(v).(type) { case string: a(); case error, nil: b() }; c()`,
			"java":      `switch (v) { case String s -> a(); case Integer i when i > 1 -> b(); default -> c(); }`,
			"want go":   "a: if `any(v)` is `string`; b: or if `any(v)` is `error` or `nil`; c",
			"want java": "a: if `v` is `String s`; b: or if `v` is `Integer i when i > 1`; c: in other cases",
		},
	} {
		for language, body := range c {
			if strings.HasPrefix(language, "want") {
				continue
			}
			t.Run(language+", "+name, func(t *testing.T) {
				t.Parallel()
				var got []string
				for _, f := range mainFlows(t, language, body) {
					for _, s := range f.Steps {
						step := s.Name[strings.LastIndexByte(s.Name, '.')+1:]
						if s.When != "" {
							step += ": " + string(s.When)
						}
						got = append(got, step)
					}
				}
				want := cmp.Or(c["want "+language], c["want"])
				if text := strings.Join(got, "; "); text != want {
					t.Errorf("%s: got %s, want %s", body, text, want)
				}
			})
		}
	}
}
