package hostile

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Attack is a hostile pull request: the files of a commit on top of the base, its title and its message.
type Attack struct {
	Label   string
	Title   string // of the pull request
	Message string // of the commit
	Files   []File
}

// File is a file of an Attack. Mode is git's: 100644, 100755, 120000 for a symbolic link, or 160000 for a submodule.
type File struct {
	Path    string
	Mode    string
	Content func() []byte
}

func file(path, content string) File {
	return File{path, "100644", func() []byte { return []byte(content) }}
}

func link(path, target string) File {
	return File{path, "120000", func() []byte { return []byte(target) }}
}

// large repeats a fragment to a number of bytes.
func large(path, fragment string, size int) File {
	return File{path, "100644", func() []byte { return bytes.Repeat([]byte(fragment), size/len(fragment)+1)[:size] }}
}

// The classes of attacks: causal must process the first, and may refuse the second.
var (
	accepted = []func() []Attack{named, owned, titled, said, repeated, nested, oversized}
	refused  = []func() []Attack{misplaced, configured, stored}
)

// Attacks are all of them, some hundreds, in the same order every time.
func Attacks() []Attack {
	var out []Attack
	for _, class := range slices.Concat(accepted, refused) {
		out = append(out, sorted(class())...)
	}
	return out
}

// Sample returns one attack for all accepted classes together, and one for each refused class.
func Sample() []Attack {
	one := func(class func() []Attack) Attack {
		all := sorted(class())
		return all[len(all)/3]
	}
	together := one(titled)
	together.Label = "one of each class"
	for _, class := range accepted {
		together.Files = append(together.Files, one(class).Files...)
	}
	out := []Attack{together}
	for _, class := range refused {
		out = append(out, one(class))
	}
	return out
}

func sorted(attacks []Attack) []Attack {
	slices.SortStableFunc(attacks, func(a, b Attack) int { return strings.Compare(a.Label, b.Label) })
	return attacks
}

// named are files and directories with the names of the corpus.
func named() []Attack {
	var out []Attack
	for _, c := range Names() {
		out = append(out, Attack{
			Label: "a file called: " + c.Label, Title: "Add a file", Message: "Add a file",
			Files: []File{file(c.Text+".go", "package money\n\nfunc X() {}\n"), file(c.Text+"/a.go", "// Package a.\npackage a\n\nfunc A() {}\n")},
		})
	}
	return out
}

// owned are files in causal's own places with the names of the corpus.
func owned() []Attack {
	var out []Attack
	for _, c := range unseen {
		name := strings.NewReplacer("/", "").Replace(c.Text)
		out = append(out, Attack{
			Label: "causal's own, called: " + c.Label, Title: "Add a file", Message: "Add a file",
			Files: []File{
				file(".causal/nodes/"+name+".yml", "path: a\n"), file(".causal/nodes/"+name+"/a.yml", ""), file(".causal/frames/"+name+".yml", "session_id: a\n"),
				file("docs/causal/"+name+".md", "mine\n"), file("docs/causal/modules/"+name+".md", ""), file("docs/causal/modules/"+name+"/a.md", "mine\n"),
			},
		})
	}
	return out
}

// titled are pull requests and commits that are called something, by the texts of the corpus.
func titled() []Attack {
	var out []Attack
	for i, c := range Texts() {
		text := strings.ToValidUTF8(strings.ReplaceAll(c.Text, "\x00", ""), "?")
		if text = strings.TrimSpace(text); text == "" {
			text = "nothing"
		}
		out = append(out, Attack{
			Label: "a title and a message: " + c.Label, Title: text[:min(len(text), 250)], Message: text,
			Files: []File{file("money/more.go", fmt.Sprintf("package money\n\nconst More%d = 1\n", i))},
		})
	}
	return out
}

// said are the texts of the corpus where documentation has them.
func said() []Attack {
	var out []Attack
	for _, c := range Texts() {
		line := strings.NewReplacer("\n", " ", "\r", " ", "\x00", " ").Replace(c.Text)
		out = append(out, Attack{
			Label: "documentation that says: " + c.Label, Title: "Say more", Message: "Say more",
			Files: []File{
				file("money/money.go", "// Package money holds amounts. "+line+"\npackage money\n\n// Amount is in cents. "+line+"\ntype Amount int64\n"),
				file("README.md", "# "+line+"\n\n"+c.Text+"\n"),
				file("tool/tool.py", "\"\"\"Tool. "+strings.ReplaceAll(line, `"""`, "")+"\"\"\"\n\ndef f():\n    pass\n"),
			},
		})
	}
	return out
}

// repeated are fragments that make careless readers slow.
func repeated() []Attack {
	var out []Attack
	for name, fragments := range map[string][]string{
		"web/b.js":       {"@ ; ", "@a\n", "`${", "/*", "<a ", "a=>", "({", "/[", "`", "x?.", "async "},
		"web/b.ts":       {"A<", "@ ; ", "<T,", "type A=", "declare ", "abstract class A<"},
		"web/b.tsx":      {"<a>", "<a b={", "</"},
		"src/lib.rs":     {"x::", "#[", "r#\"", "/*", "impl<", "'a ", "macro_rules! a {"},
		"tool/tool.py":   {"@a\n", "(", "def f(", "'''", "f'{", "\\\n", "if 1:\n ", "lambda:"},
		"tool/T.java":    {"@A(", "<A", "/**", "class A{", "\"\"\"\n", "? extends "},
		"tool/t.c":       {"#if 1\n", "((", "#define a a a\n", "/*", "struct {", "'\\"},
		"tool/t.cpp":     {"template<", "R\"(", "a<b<", "[[", "operator", "::"},
		"money/more.go":  {"(", "func(", "[]", "/*", "`", "struct{", "//go:build a\n"},
		"README.md":      {"[a](", "<a ", "![", "`", "*a_", "> > ", "- - ", "<!--", "[[[", "~~~\n", "<details>", "[a]:", "|-|\n", "\\", "&#"},
		"doc/README.rst": {".. a::\n", "`a <", "=\n", "|a|", ":a:`"},
		".gitignore":     {"**/", "[a-", "!a\n", "\\"},
		"package.json":   {"{\"a\":", "[", "\"\\u"},
		"pyproject.toml": {"[a.", "a=[", "\"\"\"", "[[a]]\n"},
		"Cargo.toml":     {"[a.", "a={", "'''"},
		"go.mod":         {"require (", "replace a => b\n", "//"},
		"tsconfig.json":  {"{\"compilerOptions\":", "/*", "//\n"},
		"docs/guide.md":  {"---\n", "[a](../", "# a\n"},
	} {
		for i, fragment := range fragments {
			out = append(out, Attack{
				Label: fmt.Sprintf("%q in %s", fragment, name), Title: "Add text", Message: "Add text",
				Files: []File{large(name, fragment, 400_000+i)},
			})
		}
	}
	return out
}

// nested is nested deeper than any call stack.
func nested() []Attack {
	var out []Attack
	for name, pair := range map[string][2]string{
		"deep.go": {"package a\nvar x = ", "("}, "deep.js": {"", "["}, "deep.ts": {"type A = ", "Array<"}, "deep.py": {"x = ", "("},
		"deep.rs": {"fn f() ", "{"}, "D.java": {"class D ", "{class D"}, "deep.c": {"int x = ", "("}, "deep.cpp": {"namespace a ", "{namespace a"},
		"deep.json": {"", "["}, "deep.yml": {"", "[{a: "},
	} {
		out = append(out, Attack{
			Label: "nesting in " + name, Title: "Go deeper", Message: "Go deeper",
			Files: []File{{name, "100644", func() []byte { return []byte(pair[0] + strings.Repeat(pair[1], 1_900_000/len(pair[1]))) }}},
		})
	}
	path := strings.Repeat("d/", 1200)
	return append(out, Attack{Label: "directories", Title: "Go deeper", Message: "Go deeper", Files: []File{file(path+"a.go", "package a\n")}})
}

// oversized is more than anybody has.
func oversized() []Attack {
	many := make([]File, 20_000)
	for i := range many {
		many[i] = file(fmt.Sprintf("many/p%05d/a.go", i), fmt.Sprintf("package p%05d\n\nfunc A%d() {}\n", i, i))
	}
	return []Attack{
		{Label: "a source of 100 MB", Title: "Add a file", Message: "Add a file", Files: []File{large("money/big.go", "package money\n// x\n", 100<<20)}},
		{Label: "a README of 30 MB", Title: "Add a file", Message: "Add a file", Files: []File{large("README.md", "[a](b) ", 30<<20)}},
		{Label: "a line of 1.9 MB", Title: "Add a file", Message: "Add a file", Files: []File{large("web/one.js", "a+", 1_900_000)}},
		{Label: "20,000 modules", Title: "Add modules", Message: "Add modules", Files: many},
		{Label: "a name of 4,000 bytes", Title: "Add a file", Message: "Add a file", Files: []File{file(strings.Repeat(strings.Repeat("n", 200)+"/", 20)+"a.go", "package a\n")}},
		{Label: "a message of 3 MB", Title: "Say much", Message: strings.Repeat("fixes #1 @octocat\n", 3<<20/18), Files: []File{file("money/more.go", "package money\n")}},
	}
}

// misplaced puts other kinds of files where causal's own files belong.
func misplaced() []Attack {
	var out []Attack
	for _, place := range []string{".causal", ".causal/nodes", ".causal/nodes/money.yml", ".causal/frames", "docs", "docs/causal", "docs/causal/index.md", "docs/causal/modules/money.md"} {
		for how, f := range map[string]File{
			"a link to the outside": link(place, "/etc/passwd"), "a link above": link(place, "../../../.."), "a link to itself": link(place, place[strings.LastIndexByte(place, '/')+1:]),
			"a file": file(place, "mine\n"), "a submodule": {place, "160000", func() []byte { return nil }}, "a program": {place, "100755", func() []byte { return []byte("#!/bin/sh\n") }},
		} {
			out = append(out, Attack{Label: how + " at " + place, Title: "Put it there", Message: "Put it there", Files: []File{f}})
		}
	}
	return out
}

// configured are configurations. Those of a pull request do not count, and are read when it is merged.
func configured() []Attack {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat("*"+string(c-1)+",", 9), ","))
	}
	var out []Attack
	for label, text := range map[string]string{
		"a bomb": bomb, "an alias to itself": "exclude: &a [*a]\n", "a key of 20 MB": strings.Repeat("k", 20<<20) + ": 1\n", "20 MB": strings.Repeat("# x\n", 5<<20),
		"pages in git": "docs: {dir: .git/hooks}\n", "pages in GIT": "docs: {dir: .GIT/hooks}\n", "pages outside": "docs: {dir: ../../x}\n", "depth": strings.Repeat("[", 60_000),
		"an anchor on each line": strings.Repeat("- &a b\n", 8000), "not UTF-8": "\xff\xfe", "a zero": "a\x00b: 1\n",
	} {
		out = append(out, Attack{Label: "a configuration with " + label, Title: "Configure it", Message: "Configure it", Files: []File{file(".causal/config.yml", text)}})
	}
	return out
}

// stored are files of causal's own that it did not write.
func stored() []Attack {
	var out []Attack
	for _, place := range []string{
		".causal/nodes/money.yml", ".causal/frames/s-000000000000.yml", ".causal/reviews/pr-1.jsonl", ".causal/principles/x.yml",
		"docs/causal/modules/money.md", "docs/causal/index.md", "docs/causal/principles.md",
	} {
		for label, f := range map[string]File{
			"60 MB": large(place, "a: b\n", 60<<20), "15 MB": large(place, "- {a: b}\n", 15<<20), "brackets": large(place, "[", 1<<20), "7 MB": large(place, "[a,", 7<<20), "anchors": large(place, "- &a [*a]\n", 1<<20),
			"keep blocks": large(place, "<!-- causal:keep -->\n", 1<<20), "front matter": large(place, "---\na: b\n", 1<<20), "nothing": file(place, ""), "zeros": large(place, "\x00", 1<<20),
		} {
			out = append(out, Attack{Label: label + " at " + place, Title: "Write it", Message: "Write it", Files: []File{f}})
		}
	}
	return out
}
