package languages_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// TestBranches: steps that run only in some cases are marked, those of another case as such, and code that runs later
// is no step.
func TestBranches(t *testing.T) {
	t.Parallel()
	// Each body calls functions of its file that count as steps.
	for name, c := range map[string]map[string]string{
		"if": {
			"go":         `a(); if x() { b() }; c()`,
			"python":     "a()\nif x(): b()\nc()",
			"typescript": `a(); if (x()) { b(); } c();`,
			"javascript": `a(); if (x()) b(); c();`,
			"java":       `a(); if (x()) { b(); } c();`,
			"rust":       `a(); if x() { b(); } c();`,
			"c":          `a(); if (x()) b(); c();`,
			"want":       "a x b? c",
		},
		"if else": {
			"go":         `if x() { a() } else { b() }; c()`,
			"python":     "if x():\n  a()\nelse:\n  b()\nc()",
			"typescript": `if (x()) { a(); } else { b(); } c();`,
			"javascript": `if (x()) a(); else b(); c();`,
			"java":       `if (x()) { a(); } else { b(); } c();`,
			"rust":       `if x() { a(); } else { b(); } c();`,
			"c":          `if (x()) { a(); } else { b(); } c();`,
			"want":       "x a? b! c",
		},
		"else if": {
			"go":         `if x() { a() } else if y() { b() } else { c() }`,
			"python":     "if x():\n  a()\nelif y():\n  b()\nelse:\n  c()",
			"typescript": `if (x()) { a(); } else if (y()) { b(); } else { c(); }`,
			"javascript": `if (x()) a(); else if (y()) b(); else c();`,
			"java":       `if (x()) { a(); } else if (y()) { b(); } else { c(); }`,
			"rust":       `if x() { a(); } else if y() { b(); } else { c(); }`,
			"want":       "x a? y! b? c!",
		},
		"in every arm": {
			"go":         `if x() { a() } else if y() { a() } else { a(); b() }`,
			"python":     "if x():\n  a()\nelif y():\n  a()\nelse:\n  a()\n  b()",
			"typescript": `if (x()) { a(); } else if (y()) { a(); } else { a(); b(); }`,
			"javascript": `if (x()) a(); else if (y()) a(); else { a(); b(); }`,
			"java":       `if (x()) { a(); } else if (y()) { a(); } else { a(); b(); }`,
			"rust":       `if x() { a(); } else if y() { a() } else { a(); b() }`,
			"c":          `if (x()) { a(); } else if (y()) { a(); } else { a(); b(); }`,
			"want":       "x a? y! a! b?",
		},
		"in every arm that goes on": {
			"go":         `if x() { a() } else if y() { return } else { a() }; b()`,
			"python":     "if x():\n  a()\nelif y():\n  return\nelse:\n  a()\nb()",
			"typescript": `if (x()) { a(); } else if (y()) { return; } else { a(); } b();`,
			"java":       `if (x()) { a(); } else if (y()) { return; } else { a(); } b();`,
			"rust":       `if x() { a(); } else if y() { return } else { a(); } b();`,
			"c":          `if (x()) a(); else if (y()) return; else a(); b();`,
			"want":       "x y? a? b?",
		},
		"in every arm but one": {
			"go":         `if x() { a() } else if y() { a() }; b()`,
			"python":     "if x():\n  a()\nelif y():\n  a()\nb()",
			"typescript": `if (x()) { a(); } else if (y()) { a(); } b();`,
			"java":       `if (x()) { a(); } else if (y()) { a(); } b();`,
			"rust":       `if x() { a(); } else if y() { a(); } b();`,
			"c":          `if (x()) a(); else if (y()) a(); b();`,
			"want":       "x a? y! a? b",
		},
		"in every case": {
			"go":         "switch v {\ncase 1:\na()\nb()\ncase 2:\na()\ndefault:\nb()\na()\n}",
			"python":     "match v:\n  case 1:\n    a()\n    b()\n  case 2:\n    a()\n  case _:\n    b()\n    a()",
			"typescript": `switch (v) { case 1: a(); b(); break; case 2: { a(); break; } default: b(); a(); }`,
			"java":       `switch (v) { case 1 -> { a(); b(); } case 2 -> a(); default -> { b(); a(); } }`,
			"rust":       `match v { 1 => { a(); b(); } 2 => a(), _ => { b(); a() } }`,
			"c":          `switch (v) { case 1: a(); b(); break; case 2: a(); break; default: b(); a(); }`,
			"want":       "a? b? a! b! a!",
		},
		"in every case, or an error": {
			"go":         "switch v {\ncase 1:\na()\ncase 2:\na()\ndefault:\nreturn\n}\nc()",
			"python":     "match v:\n  case 1:\n    a()\n  case 2:\n    a()\n  case _:\n    raise b()\nc()",
			"typescript": `switch (v) { case 1: a(); break; case 2: a(); break; default: throw b(); } c();`,
			"java":       `switch (v) { case 1: a(); break; case 2: a(); break; default: throw b(); } c();`,
			"rust":       `match v { 1 => a(), 2 => a(), _ => return Err(b()) } c();`,
			"c":          `switch (v) { case 1: a(); break; case 2: a(); break; default: return; } c();`,
			"want":       "a c",
		},
		"in every case, without others": {
			"go":         "switch v {\ncase 1:\na()\ncase 2:\na()\n}\nc()",
			"python":     "match v:\n  case 1:\n    a()\n  case 2:\n    a()\nc()",
			"typescript": `switch (v) { case 1: a(); break; case 2: a(); } c();`,
			"java":       `switch (v) { case 1: a(); break; case 2: a(); } c();`,
			"c":          `switch (v) { case 1: a(); break; case 2: a(); } c();`,
			"want":       "a? c",
		},
		"in every arm, in another order": {
			"go":         `if x() { a(); b() } else { b(); a() }; c()`,
			"python":     "if x():\n  a()\n  b()\nelse:\n  b()\n  a()\nc()",
			"typescript": `if (x()) { a(); b(); } else { b(); a(); } c();`,
			"java":       `if (x()) { a(); b(); } else { b(); a(); } c();`,
			"rust":       `if x() { a(); b(); } else { b(); a(); } c();`,
			"c":          `if (x()) { a(); b(); } else { b(); a(); } c();`,
			"want":       "x a? b? b! a! c",
		},
		"last in a result, and in what follows it": {
			"go":         `if !x() { return a(v) }; b(); return a(c())`,
			"python":     "if not x(): return a(v)\nb()\nreturn a(c())",
			"typescript": `if (!x()) return a(v); b(); return a(c());`,
			"java":       `if (!x()) return a(v); b(); return a(c());`,
			"rust":       `if !x() { return a(v); } b(); a(c())`,
			"want":       "x b? c? a",
		},
		"the end of the program as wanted": {
			"go":         `if x() { a(); os.Exit(0) }; b()`,
			"python":     "if x():\n  a()\n  sys.exit(0)\nb()",
			"typescript": `if (x()) { a(); process.exit(0); } b();`,
			"java":       `if (x()) { a(); System.exit(0); } b();`,
			"rust":       `if x() { a(); std::process::exit(0) } b();`,
			"c":          `if (x()) { a(); exit(0); } b();`,
			"want":       "x a? b!",
		},
		"a failure in code that leaves": {
			"go":   `if x() { if err := a(); err != nil { log.Fatal(err) }; return }; b()`,
			"want": "x a? b!",
		},
		"the next turn of a loop": {
			"go":         `for _, v := range x() { if y() { a(); continue }; b() }; c()`,
			"python":     "for v in x():\n  if y():\n    a()\n    continue\n  b()\nc()",
			"typescript": `for (const v of x()) { if (y()) { a(); continue; } b(); } c();`,
			"javascript": "for (const v of x()) {\n  if (y()) {\n    a()\n    continue\n  }\n  b()\n}\nc()",
			"java":       `for (K v : x()) { if (y()) { a(); continue; } b(); } c();`,
			"rust":       `for v in x() { if y() { a(); continue; } b(); } c();`,
			"c":          `for (v = x(); v; v++) { if (y()) { a(); continue; } b(); } c();`,
			"want":       "x y* a? b! c",
		},
		"what follows arms of which one leaves": {
			"go":         `if v == 1 { a() } else if v == 2 { b(); return }; c()`,
			"python":     "if v == 1:\n  a()\nelif v == 2:\n  b()\n  return 1\nc()",
			"typescript": `if (v == 1) { a(); } else if (v == 2) { b(); return 1; } c();`,
			"java":       `if (v == 1) { a(); } else if (v == 2) { b(); return; } c();`,
			"rust":       `match v { 1 => { a(); } 2 => { b(); return 1; } _ => return 0 } c();`,
			"c":          `switch (v) { case 1: a(); break; case 2: b(); return 1; default: return 0; } c();`,
			"want":       "a? b! c?",
		},
		"a loop over the parts of values": {
			"rust":       `for G { k, i } in x() { a(); } c();`,
			"javascript": `for (const { k, i } of x()) { a(); } c();`,
			"want":       "x a* c",
		},
		"in every arm within an arm": {
			"go":         `if x() { if y() { a() } else { a() } } else { b(); a() }; c()`,
			"python":     "if x():\n  if y(): a()\n  else: a()\nelse:\n  b()\n  a()\nc()",
			"typescript": `if (x()) { y() ? a() : a(); } else { b(); a(); } c();`,
			"java":       `if (x()) { if (y()) { a(); } else { a(); } } else { b(); a(); } c();`,
			"rust":       `if x() { if y() { a(); } else { a(); } } else { b(); a(); } c();`,
			"c":          `if (x()) { if (y()) a(); else a(); } else { b(); a(); } c();`,
			"want":       "x y? b! a c",
		},
		"a branch that leaves, and the other": {
			"go":         `if x() { a(); return } else { b() }; c()`,
			"python":     "if x():\n  a()\n  return\nelse:\n  b()\nc()",
			"typescript": `if (x()) { a(); return; } else { b(); } c();`,
			"java":       `if (x()) { a(); return; } else { b(); } c();`,
			"rust":       `if x() { a(); return; } else { b(); } c();`,
			"c":          `if (x()) { a(); return; } else { b(); } c();`,
			"want":       "x a? b! c!",
		},
		"the end of the program in a part of a branch": {
			"go":         `if x() { a() } else { if v == nil { os.Exit(1) }; b() }; c()`,
			"python":     "if x():\n  a()\nelse:\n  if v: sys.exit(1)\n  b()\nc()",
			"typescript": `if (x()) { a(); } else { if (v) process.exit(1); b(); } c();`,
			"java":       `if (x()) { a(); } else { if (v) System.exit(1); b(); } c();`,
			"rust":       `if x() { a(); } else { if v { std::process::exit(1) } b(); } c();`,
			"c":          `if (x()) { a(); } else { if (v) exit(1); b(); } c();`,
			"want":       "x a? b! c",
		},
		"a result that is at hand": {
			"go":         `if v, ok := x(); ok { a(); return v, nil }; b(); c()`,
			"python":     "if x():\n  a()\n  return v\nb()\nc()",
			"typescript": `if (x()) { a(); return v; } b(); c();`,
			"javascript": "if (x()) {\n  a()\n  return v\n}\nb()\nc()",
			"java":       `if (x()) { a(); return v; } b(); c();`,
			"rust":       `if let Some(v) = x() { a(); return Ok(v); } b(); c();`,
			"want":       "x a? b! c!",
		},
		"what results have in common": {
			"go":         `if v, ok := x(); ok { a(); return c(v), nil }; b(); return c()`,
			"python":     "if x():\n  a()\n  return c()\nb()\nreturn c()",
			"typescript": `if (x()) { a(); return c(v); } b(); return c();`,
			"java":       `if (x()) { a(); return c(v); } b(); return c();`,
			"rust":       `if let Some(v) = x() { a(); return Ok(c(v)); } b(); c()`,
			"want":       "x a? b! c",
		},
		"another result": {
			"go":         `if y() { if x() { return a() }; return b() }; c()`,
			"python":     "if y():\n  if x(): return a()\n  return b()\nc()",
			"typescript": `if (y()) { if (x()) return a(); return b(); } c();`,
			"java":       `if (y()) { if (x()) return a(); return b(); } c();`,
			"rust":       `if y() { if x() { return a(); } return b(); } c();`,
			"want":       "y x? a? b! c!",
		},
		"a result, or a failure of all others in the arm": {
			"go":         `if y() { if x() { return a() }; return err }; c()`,
			"typescript": `if (y()) { if (x()) return a(); throw v; } c();`,
			"java":       `if (y()) { if (x()) { return a(); } throw v; } c();`,
			"rust":       `if y() { if x() { return a(); } return Err(v); } c();`,
			"want":       "y x? a? c!",
		},
		"one of several results": {
			"go":         `if x() { return a() } else if y() { return b() }; c()`,
			"python":     "if x(): return a()\nelif y(): return b()\nc()",
			"typescript": `if (x()) { return a(); } else if (y()) { return b(); } c();`,
			"java":       `if (x()) { return a(); } else if (y()) { return b(); } c();`,
			"rust":       `if x() { return a(); } else if y() { return b(); } c();`,
			"want":       "x a? y! b? c!",
		},
		"a result that is missing, or empty": {
			"go":         `if !x() { return v }; if err != v { return err }; if y() == nil { return v, nil }; if len(v) == 0 { return []v{}, nil }; if v { return nil, Err(v) }; if err { a(); return }; b()`,
			"python":     "if not x(): return v\nif v is None: return v\nif not y(): return []\nif err: return a()\nb()",
			"typescript": `if (!x()) return v; if (v == null) { return v; } if (!y()) return []; if (error) return a(); b();`,
			"java":       `if (!x()) return v; if (v == null) { return v; } if (y() == null) return null; if (v.hasErrors()) return a(); b();`,
			"rust":       `if !x() { return v; } if v.is_none() { return a(); } if !y() { return Ok(()); } if v { return Err(a()); } b();`,
			"c":          `if (x()) { return 1; } if (y()) return v; if (err) { a(); return v; } b();`,
			"want":       "x y b",
		},
		"a status of success in an error": {
			"go":   `if x() { a(); return HTTPError{http.StatusNoContent} }; if v { return HTTPError{http.StatusForbidden} }; b()`,
			"want": "x a? b!",
		},
		"a return without a result": {
			"go":         `if x() { return nil }; a()`,
			"python":     "if x(): return\na()",
			"typescript": `if (x()) return; a();`,
			"java":       `if (x()) { return; } a();`,
			"rust":       `if x() { return Ok(()); } a();`,
			"c":          `if (x()) return; a();`,
			"want":       "x a?",
		},
		"code for what is missing": {
			"go":         `if !x() { a(); return v }; if y() == nil { return v }; b()`,
			"python":     "if not x():\n  a()\n  return v\nif y() is None: return\nb()",
			"typescript": `if (!x()) { a(); return v; } if (y() == null) return; b();`,
			"java":       `if (!x()) return a(); if (y() == null) { return null; } b();`,
			"rust":       `if !x() { return a(); } if !y() { return Ok(()); } b();`,
			"c":          `if (!x()) { a(); return; } if (y() == NULL) return v; b();`,
			"want":       "x a? y! b!",
		},
		"code for what is missing, in several places": {
			"go":         `if !x() { a(); return }; if y() { if v { a(); return } }; b()`,
			"python":     "if not x(): return a()\nif y():\n  if v: return a()\nb()",
			"typescript": `if (!x()) { a(); return; } if (y()) { if (v) { a(); return; } } b();`,
			"java":       `if (!x()) { a(); return; } if (y()) { if (v) { a(); return; } } b();`,
			"rust":       `if !x() { a(); return; } if y() { if v { a(); return; } } b();`,
			"want":       "x a? y! a? b?",
		},
		"twice, unless something is missing": {
			"go":         `if x() == nil { return v }; a(); if y() == nil { return v }; a()`,
			"python":     "if not x(): return v\na()\nif not y(): return v\na()",
			"typescript": `if (!x()) return v; a(); if (!y()) return v; a();`,
			"java":       `if (!x()) return v; a(); if (!y()) return v; a();`,
			"rust":       `if !x() { return v; } a(); if !y() { return v; } a();`,
			"want":       "x a y",
		},
		"several times in the arms": {
			"go":         `if x() { a() } else { if y() { a() } else { a() } }; b()`,
			"python":     "if x():\n  a()\nelse:\n  if y(): a()\n  else: a()\nb()",
			"typescript": `if (x()) { a(); } else { y() ? a() : a(); } b();`,
			"java":       `if (x()) { a(); } else { if (y()) { a(); } else { a(); } } b();`,
			"rust":       `if x() { a(); } else { if y() { a(); } else { a(); } } b();`,
			"c":          `if (x()) { a(); } else { if (y()) { a(); } else { a(); } } b();`,
			"want":       "x y? a b",
		},
		"in a part of a loop, and in all of it": {
			"go":         `for x() { if y() { a() }; a() }; b()`,
			"python":     "while x():\n  if y(): a()\n  a()\nb()",
			"typescript": `while (x()) { if (y()) a(); a(); } b();`,
			"java":       `while (x()) { if (y()) a(); a(); } b();`,
			"rust":       `while x() { if y() { a(); } a(); } b();`,
			"want":       "x y* a* b",
		},
		"a branch that ends the program": {
			"go":         `if x() { a(); os.Exit(1) } else { b() }; c()`,
			"python":     "if x():\n  a()\n  sys.exit(1)\nelse:\n  b()\nc()",
			"typescript": `if (x()) { a(); process.exit(1); } else { b(); } c();`,
			"java":       `if (x()) { a(); System.exit(1); } else { b(); } c();`,
			"rust":       `if x() { a(); std::process::exit(1) } else { b(); } c();`,
			"c":          `if (x()) { a(); exit(1); } else { b(); } c();`,
			"want":       "x b c",
		},
		"statements without semicolons": {
			"typescript": "if (x())\n a()\n b()\nif (y()) {\n a()\n return\n}\nc()",
			"want":       "x a? b y a? c!",
		},
		"another function before, whose case leaves": {
			"python": "def inner():\n  match v:\n    case 1:\n      return 1\nwith x():\n  match v:\n    case 1:\n      a()\n    case _:\n      raise b()\nc()",
			"want":   "x a c",
		},
		"in some cases, or a result of others": {
			"go":         "x()\nswitch v {\ncase 1:\na()\ndefault:\nreturn b()\n}\nreturn c()",
			"python":     "x()\nmatch v:\n  case 1:\n    a()\n  case _:\n    return b()\nreturn c()",
			"typescript": `x(); switch (v) { case 1: a(); break; default: return b(); } return c();`,
			"javascript": `x(); switch (v) { case 1: a(); break; default: { return b(); } } return c();`,
			"java":       `x(); switch (v) { case 1 -> a(); default -> { return b(); } } return c();`,
			"rust":       `x(); match v { 1 => a(), _ => return b() } c()`,
			"want":       "x a? b! c?",
		},
		"one of several results of a match": {
			"rust": `match v { 1 => return a(), _ => b() }`,
			"want": "a? b!",
		},
		"a match whose arms return nothing": {
			"rust": `let w = match v { Some(k) => a(), None => return b(), Kind::Invalid => return b(), _ => return }; c();`,
			"want": "a c",
		},
		"a macro with the name of a function": {
			"rust": `a(); b!(1); if x() { panic!("{}", y()) }`,
			"want": "a x",
		},
		"within an arm that leaves": {
			"typescript": `if (x()) { if (y()) a(); return; } c();`,
			"rust":       `if x() { if y() { a(); } return; } c();`,
			"want":       "x y? a? c!",
		},
		"switch": {
			"go":         "switch v {\ncase 1:\na()\ncase 2:\nb()\ndefault:\nc()\n}",
			"python":     "match v:\n  case 1:\n    a()\n  case 2:\n    b()\n  case _:\n    c()",
			"typescript": `switch (v) { case 1: a(); break; case 2: { b(); break; } default: c(); }`,
			"javascript": `switch (v) { case 1: a(); break; case 2: b(); break; default: c(); }`,
			"java":       `switch (v) { case 1: a(); break; case 2: { b(); break; } default: c(); }`,
			"rust":       `match v { 1 => a(), 2 => { b(); } _ => c() }`,
			"c":          `switch (v) { case 1: a(); break; case 2: { b(); break; } default: c(); }`,
			"want":       "a? b! c!",
		},
		"a case that continues in the next": {
			"typescript": `switch (v) { case 1: a(); case 2: b(); break; case 3: c(); }`,
			"java":       `switch (v) { case 1: a(); case 2: b(); break; case 3: c(); }`,
			"c":          `switch (v) { case 1: a(); case 2: b(); break; case 3: c(); }`,
			"want":       "a? b? c!",
		},
		"switch with arrows": {
			"java": `switch (v) { case 1 -> a(); case 2 -> { b(); } default -> c(); }`,
			"want": "a? b! c!",
		},
		"a result and its failure": {
			"go":   "if err := x(); err == nil { a() }; c()",
			"rust": `match x() { Ok(v) => a(), Err(e) => b(e) } c();`,
			"want": "x a c",
		},
		"select": {
			"go":   "select {\ncase <-v:\na()\ncase <-w:\nb()\n}\nc()",
			"want": "a? b! c",
		},
		"in an operator": {
			"go":         `_ = x() && a(); b()`,
			"python":     "v = x() and a(); b()",
			"typescript": `x() && a(); b();`,
			"javascript": `x() || a(); b();`,
			"java":       `boolean z = x() && a(); b();`,
			"rust":       `let z = x() && a(); b();`,
			"want":       "x a? b",
		},
		"in a conditional expression": {
			"python":     "z = a() if x() else b()\nc()",
			"typescript": `const z = x() ? a() : b(); c();`,
			"javascript": `const z = x() ? a() : b(); c();`,
			"java":       `int z = x() ? a() : b(); c();`,
			"want":       "x a? b! c",
		},
		"in a condition with an operator": {
			"go":         `if x() && a() { b() }; c()`,
			"python":     "if x() and a():\n  b()\nc()",
			"typescript": `if (x() && a()) { b(); } c();`,
			"java":       `if (x() && a()) { b(); } c();`,
			"rust":       `if x() && a() { b(); } c();`,
			"c":          `if (x() && a()) b(); c();`,
			"want":       "x a? b? c",
		},
		"in an assignment with an operator": {
			"typescript": `v ||= a(); v &&= b(); v ??= c();`,
			"want":       "a? b? c?",
		},
		"in an element": {
			"python": "z = [a(i) for i in x() if y(i)]\nreturn {b(k): c(k) for k in z}",
			"want":   "x y* a? b* c*",
		},
		"in nested operands": {
			"python": "z = (a() if y() else a()) if x() else b(c(k) or d for k in v)",
			"want":   "x y? a? c* b!",
		},
		"in some branches and always": {
			"go":         `if x() { b(); a() }; b()`,
			"python":     "if x():\n  b()\n  a()\nb()",
			"typescript": `if (x()) { b(); a(); } b();`,
			"java":       `if (x()) { b(); a(); } b();`,
			"rust":       `if x() { b(); a(); } b();`,
			"c":          `if (x()) { b(); a(); } b();`,
			"want":       "x a? b",
		},
		"a loop": {
			"go":         `for x() { a(); b() }`,
			"python":     "while x():\n  a()\n  b()\nelse:\n  pass",
			"typescript": `while (x()) { a(); b(); }`,
			"java":       `while (x()) { a(); b(); }`,
			"rust":       `while x() { a(); b(); }`,
			"c":          `while (x()) { a(); b(); }`,
			"want":       "x a* b*",
		},
		"a loop between two calls": {
			"go":         `a(); for range x() { if y() { b(); break } }; c()`,
			"python":     "a()\nfor v in x():\n  if y():\n    b()\n    break\nc()",
			"typescript": `a(); for (const v of x()) { if (y()) { b(); break; } } c();`,
			"javascript": "a()\nfor (const v of x()) {\n  if (y()) { b(); break }\n}\nc()",
			"java":       `a(); for (K v : x()) { if (y()) { b(); break; } } c();`,
			"rust":       `a(); 'l: for v in x() { if y() { b(); break; } } c();`,
			"c":          `a(); for (v = x(); v; v++) { if (y()) { b(); break; } } c();`,
			"want":       "a x y* b? c",
		},
		"an endless loop": {
			"go":         `for { a(); if x() { break }; b() }; c()`,
			"python":     "while True:\n  a()\n  if x():\n    break\n  b()\nc()",
			"typescript": `while (true) { a(); if (x()) { break; } b(); } c();`,
			"javascript": "for (;;) {\n  a()\n  if (x()) break\n  b()\n}\nc()",
			"java":       `for (;;) { a(); if (x()) break; b(); } c();`,
			"rust":       `loop { a(); if x() { break; } b(); } c();`,
			"c":          `while (1) { a(); if (x()) break; b(); } c();`,
			"want":       "a* x* b* c",
		},
		"a result in a loop": {
			"go":         `for _, v := range x() { if y() { return a() } }; b(); c()`,
			"python":     "for v in x():\n  if y():\n    return a()\nb()\nc()",
			"typescript": `for (const v of x()) if (y()) return a(); b(); c();`,
			"javascript": "for (const v of x()) {\n  if (y()) return a()\n}\nb()\nc()",
			"java":       `for (K v : x()) { if (y()) { return a(); } } b(); c();`,
			"rust":       `for v in x() { if y() { return a(); } } b(); c();`,
			"want":       "x y* a? b? c?",
		},
		"a result within another block": {
			"go":         `if x() { if y() { return v } }; if v { a() } else { b() }; c()`,
			"python":     "if x():\n  with v:\n    if y():\n      return v\nif v: a()\nelse: b()\nc()",
			"typescript": `try { if (x()) { if (y()) return v; } } catch (e) { c(); } if (v) a(); else b(); c();`,
			"java":       `try { if (x()) { if (y()) return v; } } finally { c(); } if (v) a(); else b(); c();`,
			"rust":       `unsafe { if x() { if y() { return v; } } } if v { a() } else { b() } c();`,
			"want":       "x y? a? b! c?",
		},
		"a result, or a failure": {
			"python":     "x()\ntry:\n  return a()\nexcept E:\n  b()\nc()",
			"typescript": `x(); try { return a(); } catch (e) { b(); } c();`,
			"java":       `x(); try { return a(); } catch (E e) { b(); } c();`,
			"want":       "x a",
		},
		"a result of a function within": {
			"go":         `if x() { later(func() int { if v { return 1 }; return 2 }) }; a()`,
			"python":     "if x():\n  def f():\n    if v:\n      return 1\n    return 2\n  later()\na()",
			"typescript": `if (x()) { later((v) => { if (v) return 1; return 2; }); } a();`,
			"java":       `if (x()) { later(v -> { if (v) return 1; return 2; }); } a();`,
			"rust":       `if x() { later(|v| { if v { return 1; } 2 }); } a();`,
			"want":       "x later? a",
		},
		"a result of all others": {
			"go":         `if x() { a() } else { return b() }; c()`,
			"python":     "if x():\n  a()\nelse:\n  return b()\nc()",
			"typescript": `if (x()) { a(); } else { return b(); } c();`,
			"javascript": "if (x()) a()\nelse return b()\nc()",
			"java":       `if (x()) { a(); } else { return b(); } c();`,
			"rust":       `if x() { a(); } else { return b(); } c();`,
			"want":       "x a? b! c?",
		},
		"a result, and the others go on": {
			"go":         `if x() { return a() } else { b() }; c()`,
			"python":     "if x():\n  return a()\nelse:\n  b()\nc()",
			"typescript": `if (x()) { return a(); } else { b(); } c();`,
			"java":       `if (x()) { return a(); } else { b(); } c();`,
			"rust":       `if x() { return a(); } else { b(); } c();`,
			"want":       "x a? b! c!",
		},
		"results of some cases": {
			"go":         "switch v {\ncase 1:\nreturn a()\ncase 2:\nb()\nreturn\n}\nc()",
			"python":     "match v:\n  case 1:\n    return a()\n  case 2:\n    b()\n    return\nc()",
			"typescript": `switch (v) { case 1: return a(); case 2: { b(); return; } } c();`,
			"javascript": "switch (v) {\n  case 1: return a()\n  case 2:\n    b()\n    return\n}\nc()",
			"java":       `switch (v) { case 1 -> { return a(); } case 2 -> { b(); return; } } c();`,
			"c":          `switch (v) { case 1: return a(); case 2: b(); return; } c();`,
			"want":       "a? b! c!",
		},
		"results of all cases": {
			"go":         "switch v {\ncase 1:\nreturn a()\ndefault:\nreturn b()\n}\nc()",
			"python":     "match v:\n  case 1:\n    return a()\n  case _:\n    return b()\nc()",
			"typescript": `switch (v) { case 1: return a(); default: return b(); } c();`,
			"java":       `switch (v) { case 1: return a(); default: return b(); } c();`,
			"rust":       `match v { 1 => return a(), _ => return b() } c();`,
			"want":       "a? b!",
		},
		"a part of a case returns": {
			"go":         "switch v {\ncase 1:\nif x() {\nreturn a()\n}\ndefault:\nb()\n}\nc()",
			"python":     "match v:\n  case 1:\n    if x():\n      return a()\n  case _:\n    b()\nc()",
			"typescript": `switch (v) { case 1: if (x()) { return a(); } break; default: b(); } c();`,
			"java":       `switch (v) { case 1: if (x()) return a(); break; default: b(); } c();`,
			"rust":       `match v { 1 => { if x() { return a(); } } _ => b() } c();`,
			"want":       "x? a? b! c?",
		},
		"no loop": {
			"typescript": "const k = Symbol.for(x())\na()",
			"rust":       `if v { impl<'a> T for S where F: for<'b> Fn(&'b K) { fn f() {} } } let Some(k) = x() else { b(); return; }; a();`,
			"want":       "x a",
		},
		"code that runs later": {
			"go":         `a(); later(func() { b() }); c()`,
			"python":     "a()\ndef inner():\n  b()\nlater(inner, lambda: b())\nc()",
			"typescript": `a(); later(() => { b(); }); c();`,
			"javascript": `a(); later(function () { b(); }); c();`,
			"java":       `a(); later(() -> { b(); }); c();`,
			"rust":       `a(); later(|| b()); c();`,
			"want":       "a later c +1",
		},
		"an object that runs later": {
			"go":         `a(); later(&T{f: func() { b() }}); c()`,
			"python":     "a()\nclass K:\n  def f(self): b()\nlater({'f': lambda: b()})\nc()",
			"typescript": `a(); later({ f() { b(); }, g: () => b(), h: class { k = b(); } }); c();`,
			"javascript": `a(); const o = { get f() { return b(); } }; later(o); c();`,
			"java":       `a(); later(new Runnable() { public void run() { b(); } }); c();`,
			"rust":       `a(); later(T { f: Box::new(|| b()) }); c();`,
			"want":       "a later c +1",
		},
		"code in a variable": {
			"go":         `a(); f := func() { b() }; defer func() { b() }(); later(f); c()`,
			"typescript": `a(); const f = async () => { b(); }; later(f); c();`,
			"java":       `a(); Runnable f = () -> b(); later(f); c();`,
			"rust":       `a(); let f = move || { b() }; later(f); c();`,
			"want":       "a later c +1",
		},
		"code after a promise": {
			"typescript": `a().then(() => b()).catch(() => y()).finally(() => { y(); }); new Promise(r => b()); c();`,
			"want":       "a c +2",
		},
		"decorators and default values": {
			"python": "a()\nlater(x)\n@b(c())\ndef v(k=y()): b()\n",
			"want":   "a later c b y +1", // x, which later may call
		},
		"a type that is not known": {
			"java": `for (Class<?> k : x()) { a(); } b();`,
			"want": "x a* b",
		},
		"a case that goes on in the next": {
			"go":   `switch v { case 1: a(); fallthrough; case 2: b(); default: c() }`,
			"want": "a? b? c!",
		},
		"code that runs beside the function": {
			"typescript": `a(); setTimeout(async () => b()); c();`,
			"java":       `a(); new Thread(() -> b()).start(); c();`,
			"rust":       `a(); tokio::spawn(async move { b() }); c();`,
			"want":       "a c +1",
		},
		"a call that runs beside the function": {
			"rust": `a(); tokio::spawn(b(x())); if v { spawn(y(1)) } c();`,
			"want": "a x b& y& c",
		},
		"cases that compare": {
			"go":   `switch { case a(): c(); case b(): x() }; select { case v <- later(): case w <- y(): }`,
			"want": "a c? b! x? later y",
		},
		"goroutines": {
			"go":   `a(); go func(k bool) { if !k { return }; b() }(x()); go c(); if v { y() } else { g.Go(func() error { return y() }) }`,
			"want": "a x b& c& y? y&",
		},
		"calls in a function that is passed too": {
			"go":         `if v { each(func() { a(); b() }) } else { a(); c() }; later(b())`,
			"typescript": `if (v) { each(() => { a(); b(); }); } else { a(); c(); } later(b());`,
			"python":     "if v:\n  each(lambda: (a(), b()))\nelse:\n  a()\n  c()\nlater(b())\n",
			"java":       `if (v) { each(() -> { a(); b(); }); } else { a(); c(); } later(b());`,
			"rust":       `if v { each(|| { a(); b(); }); } else { a(); c(); } later(b());`,
			"want":       "c? b later +1",
		},
		"an arm that ends the program as asked": {
			"typescript": `if (x()) { a(); } else { process.exit(v); } b();`,
			"java":       `if (x()) { a(); } else { System.exit(v); } b();`,
			"want":       "x a? b?",
		},
		"a guard that succeeds": {
			"typescript": `a(); if (!v) return true; b();`,
			"java":       `a(); if (!v) { return true; } b();`,
			"rust":       `a(); if !v { return true; } b();`,
			"want":       "a b?",
		},
		"a turn that fails": {
			"typescript": `c(); for (const f of v) { if (f.big) { b({error: "too large"}); continue; } a(f); }`,
			"java":       `c(); for (int f : v) { if (f > 3) { b("error"); continue; } a(f); }`,
			"want":       "c a*",
		},
		"code that is returned": {
			"go":         `a(); later(); return func() { b() }`,
			"python":     "a()\nlater()\ndef inner():\n  b()\nreturn inner",
			"typescript": `a(); later(); return () => { b(); };`,
			"java":       `a(); later(); return () -> b();`,
			"rust":       `a(); later(); move || b()`,
			"want":       "a later +1",
		},
		"code that runs on the spot": {
			"go":         `func() { a(); b() }(); c()`,
			"typescript": `(() => { a(); b(); })(); c();`,
			"javascript": `(function () { a(); b(); })(); c();`,
			"want":       "a b c",
		},
	} {
		for language, body := range c {
			if language == "want" {
				continue
			}
			t.Run(language+", "+name, func(t *testing.T) {
				t.Parallel()
				if got := steps(t, language, body); got != c["want"] {
					t.Errorf("%s: got %s, want %s", body, got, c["want"])
				}
			})
		}
	}
}

// steps spells the steps of a main function: those of some cases with a question mark, those of other cases with an
// exclamation mark, and the number of calls that are no steps.
func steps(t *testing.T, language, body string) string {
	text := ""
	for _, s := range mainFlows(t, language, body) {
		cases := casesOf(s.Steps)
		for i, step := range s.Steps {
			text += " " + step.Name[strings.LastIndexByte(step.Name, '.')+1:] + cases[i]
		}
		if s.More > 0 {
			text += fmt.Sprint(" +", s.More)
		}
	}
	return strings.TrimSpace(text)
}

// mainFlows returns the flows of a main function.
func mainFlows(t *testing.T, language, body string) []source.Flow {
	form := map[string]struct{ file, before, step, helper, after string }{
		"go":         {"f/main.go", "package main\nvar v, w chan int\nfunc main() {\n", "}\nfunc %s(...any) bool { h1(); h2(); return h3() }\n", "func %s() bool { return true }\n", ""},
		"python":     {"f/main.py", "def main():\n", "\ndef %s(*a):\n  h1()\n  h2()\n  h3()\n", "def %s():\n  pass\n", ""},
		"typescript": {"f/main.ts", "export function main() {\n", "}\nfunction %s(...a) { h1(); h2(); return h3(); }\n", "function %s() {}\n", ""},
		"javascript": {"f/main.js", "export function main() {\n", "}\nfunction %s(...a) { h1(); h2(); return h3(); }\n", "function %s() {}\n", ""},
		"java":       {"f/Main.java", "package f;\npublic class Main {\npublic static void main(String[] args) {\n", "}\nstatic boolean %s(Object... a) { h1(); h2(); return h3(); }\n", "static boolean %s() { return true; }\n", "}\n"},
		"rust":       {"f/main.rs", "fn main() {\n", "}\nfn %s(a: K) -> bool { h1(); h2(); h3() }\n", "fn %s() -> bool { true }\n", ""},
		"c":          {"f/main.c", "int main(void) {\n", "}\nstatic int %s(int a) { h1(); h2(); return h3(); }\n", "static int %s(void) { return 1; }\n", ""},
	}[language]
	src := form.before
	if language == "python" {
		body = "  " + strings.ReplaceAll(body, "\n", "\n  ")
	}
	src += body + "\n"
	for i, name := range []string{"a", "b", "c", "x", "y", "later"} {
		step := form.step
		if i > 0 {
			step = strings.TrimPrefix(step, "}")
		}
		src += strings.ReplaceAll(step, "%s", name)
	}
	for _, name := range []string{"h1", "h2", "h3"} {
		src += strings.ReplaceAll(form.helper, "%s", name)
	}
	return slices.DeleteFunc(flowsOf(t, map[string]string{form.file: src + form.after}, "f"), func(f source.Flow) bool {
		return f.Entry[strings.LastIndexByte(f.Entry, '.')+1:] != "main"
	})
}

// TestManyGuards: a function of very many conditions that return a result is read to its end.
func TestManyGuards(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"typescript", "java"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			body := "a();\n" + strings.Repeat("if (v == 1) return w;\n", 2000) + "b();"
			if got := steps(t, language, body); got != "a b?" {
				t.Errorf("got %s", got)
			}
		})
	}
}
