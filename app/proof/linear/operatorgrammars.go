package main

import (
	"context"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// operatorGrammars are texts for the readers of commands, flags, routes, variables and registrations. Each begins with an import that
// activates the reader.
var operatorGrammars = map[string]grammar{
	"go": {
		wraps: []string{
			"package p\nimport (\n\"cmp\"\n\"net/http\"\n\"os\"\n\"github.com/go-chi/chi/v5\"\n\"gopkg.in/yaml.v3\"\n)\nvar _ = \"/ env\"\nfunc init() {\nx := env(\"A_A\", \"b\")\n\x00\n}\n",
			"package p\nimport (\n\"os\"\n\"gopkg.in/yaml.v3\"\n)\nvar _ = \"/ env\"\n\x00",
			"package p\nimport \"os\"\nfunc f() { for _, a := range []string{\x00} { os.Getenv(a) } }\n",
			"package p\nimport \"flag\"\nfunc f() { for _, a := range []struct{ a, b string }{\x00} { flag.Bool(a.a, false, a.b) } }\n",
			"package p\nimport \"flag\"\ntype R struct{ a, b string }\nvar rows = []any{&R{\"a\", \"b\"}, &R{a: \"b\"}}\nfunc f() { for _, a := range rows {\n\x00\n} }\n",
		},
		known: []string{
			".a(b, c)", ".Get(\"/a#\", b)", "x.a(b, c)\n", "(a)(b, c)\n", "Register(a#)\n", "Register(\"a#\", b#)\n", "a.Register(", "Register(func() A { return ", "a.Add(\"a#\", b)\n", "http.HandleFunc(\"/a#\", b#)\n",
			"r.Route(\"/a#\", func(r chi.Router) {\n", "r# := chi.NewRouter()\n", "r.Mount(\"/a#\", r#)\n", "r#.Get(\"/a\", b)\n", "x# := env(\"A_#\", \"b\")\n", "x# := os.Getenv(\"A#\")\nif x# == \"\" {\nx# = \"b\"\n}\n",
			"cmp.Or(os.Getenv(\"A#\"), ", "cmp.Or(a, ", "if x := os.Getenv(\"A#\"); x != \"\" {\n", "for _, a := range []string{\"A#\", \"B\"} {\nos.Getenv(a)\n", "strings.TrimSpace(", "heredoc.Doc(", ".Group(\"/a\")", ".Methods(\"GET\")", ".Decode(a)", ".SetEnvPrefix(\"A\")", ".AutomaticEnv()", "HandlerFunc(", "_ = func() {}\n", "\"A#\", ", "yaml.Unmarshal(b, &c#)\n", "const a# = b# + c#\n",
			"const a# = a# + a# + a# + a#\n", "func f#(key string) string { return os.Getenv(key) }\n", "func f#(a string) string { return f#(a) }\n", "type C#Config struct {\nA string `yaml:\"a\"`\nB C#Config `yaml:\"b\"`\n}\n",
			"type A# struct {\n A struct {\n", "func (A#) ID() string { return \"a\" }\n", "func f#(r chi.Router) { r.Get(\"/a\", b); f#(r) }\n", "viper.SetEnvPrefix(\"A\")\n", "\"a\" + ", "func f#() { Register(a); f#() }\n",
			"{\"a#\", \"b\"}, ", "{b: \"a#\"}, ", "flag.Bool(a.a, false, a.b)\n", "if a.a != \"\" {\n", "if a.a == \"#\" {\ncontinue\n}\n", "switch a := a.(type) {\ncase *R:\n", "switch a.a {\ncase \"#\":\n", "a# := a.a\nflag.Bool(a#, false, \"\")\n",
			"for _, a := range rows {\nflag.Bool(a.a, false, \"\")\n}\n", "a := a\n", ".Do(b)", "_ = func() { return func() {\n", "r = r.With(m)\n", "type M# struct { M0; A M0 `gorm:\"embedded\"` }\n",
			"var a#Config = C{A: \"b\"}\n", "const DefaultA# = \"b\"\n", "x# := C{A: \"b\"}\nflag.String(\"a#\", x#.A, \"\")\n", "flag.String(\"a\", aConfig.A, \"\")\n",
		},
		product: [][2]string{
			{"const a# = b# + b#\n", "Register(a#)\n"}, {"x# := env(\"A_#\", \"b\")\n", "x#.Get(\"/a\", b)\n"}, {"r# := chi.NewRouter()\n", "_ = func() {}\n"}, {"r# := chi.NewRouter()\n", "r#.Mount(\"/a\", r#)\n"},
		},
	},
	"python": {
		wraps: []string{"import os, click, typer, argparse\nfrom flask import Flask\nfrom fastapi import APIRouter\nfrom pydantic import BaseSettings\nregister = env = app = Flask()\n", "import os\nx = \x00env('A_B')\n", "import os\nfor a in [\x00]:\n  os.getenv(a)\n", "urlpatterns = [path('a', \x00b)]\n"},
		known: []string{
			"os.environ.get('A#', ", "os.getenv('A#') or ", "os.environ['A#']\n", "def env(a, b): return os.environ.get(a, b)\n", "env('A_#', 'b')\n", "@register('a#')\nclass A#: pass\n", "@a.register\ndef f#(): pass\n", "register(a#)\n", "register(a.a.a.",
			"@app.route('/a#')\ndef f#(): pass\n", "app# = Flask()\n", "app.register_blueprint(a#, url_prefix='/a')\n", "a# = APIRouter(prefix='/a#')\n", "urlpatterns = [\npath('a#', b),\n", "path('a#', include([", "class A#(BaseSettings):\n  a: str = 'b'\n",
			"class A#(A#): a: int = 1\n", "@click.command()\n@click.option('--a#', default='b', envvar='A#')\n", "@click.option(", "@app.command()\ndef f#(a: int = typer.Option(1)): pass\n", "for a in ['A#', 'B']:\n  os.getenv(a)\n",
			"parser.add_argument('--a#', default=", "x.a(b, c)", ".a(b, c)", "def f#(a = ", "a.", "'A#', ", "os.getenv(a)\n", "A# = 'a#'\nos.getenv(A#)\n",
		},
	},
	"javascript": {
		wraps: []string{"const express = require('express'), {program} = require('commander'), yargs = require('yargs')\nconst app = express(), router = express.Router()\n", "import {program} from 'commander'\nprogram\x00", "const app = express()\napp.get('/a', \x00b)\n"},
		known: []string{
			"process.env.A# || ", "process.env.A# ?? 'b'\n", "const {A#, B = 'c'} = process.env\n", "app.get('/a#', b#)\n", "app.get('/a#', (q, r) => { b#(); c() })\n", "app.use('/a#', router)\n", "app.use('/a', ", "app.route('/a#').get(b).post(c)", ".get(b)", "const r# = express.Router()\nr#.get('/a', b)\n",
			"app.use('/a#', require('./a#'))\n", "program.option('-a, --a# <b>', 'c', 'd')\n", ".option('--a#', 'b')", "program.command('a#').action(() => {\n", ".command('a#')", "yargs.option('a#', {default: 1, alias: 'b'})\n", ".options({a#: {", "register('a#', b)\n",
			"a.register('a#', ", "register(", "a.", ".command('a')", "['a', 'b'].forEach(function (m) { app[m] = function () {} })\n", "methods.forEach(function (a) { a[b] = ", "exports.a# = 'a'\n", "fastify.register(a, {prefix: '/a#'})\n", ".a(b, c)",
		},
	},
	"java": {
		wraps: []string{"import picocli.CommandLine.Command;\nimport org.springframework.web.bind.annotation.*;\n@RestController class A {\n"},
		known: []string{
			"@Command(name = \"a#\", subcommands = {A.class}) class A# {\n", "@Option(names = {\"-a\", \"--a#\"}, defaultValue = \"b\") int a#;\n", "@Option(names = {", "@Parameters(index = \"#\") String a#;\n", "@RequestMapping(\"/a#\") class A# {\n",
			"@GetMapping(value = {\"/a\", \"/b#\"}) void f#() {}\n", "@Path(\"a#\") ", "System.getenv().getOrDefault(\"A#\", \"b\");\n", "Optional.ofNullable(System.getenv(\"A#\")).orElse(", "module a { provides A# with B#;\n", "provides A with B#, ", "\"a\" + ",
		},
	},
	"rust": {
		wraps: []string{"use clap::{Arg, Command, Parser};\nuse axum::Router;\nuse serde::Deserialize;\nuse std::env;\n", "use axum::Router;\nfn f() { Router::new().route(\"/a\", get(\x00b)) }\n"},
		known: []string{
			"#[derive(Parser)] struct A# { #[arg(long, default_value = \"a\")] a: u8 }\n", "#[derive(Parser)] struct A# { #[command(flatten)] a: A# }\n", "#[derive(Subcommand)] enum A# { B(B#), C { a: u8 } }\n", "#[arg(", "/// a\n#[arg(long)]\n",
			"fn f#() { Command::new(\"a#\").arg(Arg::new(\"b\").long(\"c#\")).subcommand(", ".arg(Arg::new(\"a#\"))", ".subcommand(Command::new(\"a#\"))", "fn f() { env::var(\"A#\").unwrap_or(", "fn f() { env::var(\"A#\").unwrap_or_else(|_| ", "fn f#() { Router::new()", ".route(\"/a#\", get(b#))",
			".nest(\"/a#\", f#())", ".nest(\"/a\", Router::new()", "#[get(\"/a#\")] fn f#() {}\n", "#[derive(Deserialize)] struct A#Config { a: A#Config }\n", "#[serde(rename = \"a#\", default)] ", "option_env!(\"A#\")", ".a(b, c)", "a::", "let a# = {", "let a# = Router::new().nest(\"/a\", ", "#[derive(Parser)]\n", "#[derive(Parser, Deserialize)]\n/// a\n",
		},
	},
}

// snippetGrammar generates code blocks in documents.
var snippetGrammar = grammar{
	wraps: []string{"", "```go\n", "```python\n", ".. code-block:: python\n\n    "},
	tokens: []string{
		"```go\n", "```python\n", "```js\n", "```\n", "~~~rust\n", "```{eval-rst}\n", ".. code-block:: c\n\n", "   ", "\n", "a\n", "(\n", "import (\n", "use a::{\n", ">>> ", "... ", "> ", "`", "{", "}", "a.b.c(", "\x00", "\xff",
	},
	known: []string{
		"```go\na()\n```\n", "```python\nimport a#\na#.b(1)\n```\n", "```js\nconst a# = require('a')\na#()\n```\n", "```rust\nuse a::b#;\nb#();\n```\n", ".. code-block:: python\n\n    a#(1)\n\n", ".. code-block:: c\n\n", "```{eval-rst}\n.. code-block:: python\n\n    a\n```\n", "import (",
	},
}

// manualGrammar generates entries of manuals.
var manualGrammar = grammar{
	wraps: []string{"", ".. class:: A\n\n"},
	tokens: []string{
		".. function:: a#(b)\n", ".. c:function:: int a#(int b)\n", ".. js:function:: a.b#()\n", ".. class:: A#\n\n", "   .. method:: a#()\n\n", "      ", "   ", "\n", "\n\n", "a\n", "::\n\n", ":param a: b\n", ".. module:: a\n",
		".. code-block:: c\n\n", ".. a\n", "\\\n", ":a: b\n", "(*a)(", "a.", "\t", "\x00", "\xff",
	},
	known: []string{
		".. function:: a#()\n\n   a\n\n", ".. class:: A#\n\n   .. method:: a#()\n\n      a\n\n", "   .. method:: a#()\n               a#(b)\n\n", "   :param a: b\n", "   a\n\n", "   a::\n\n      a\n\n", "             a#(b)\n", "\\\n",
		".. function:: a\\\n   b\\\n", ".. c:function:: a(*a)(", "(*a)(",
	},
}

// statementGrammar generates statements of any language.
var statementGrammar = grammar{
	wraps:  []string{""},
	tokens: joined(common, []string{`"""`, "a(1)\n", "a(1);", "a#(", "a = ", "return ", "if a {\n", "'a", "a := ", "a\n.b", "a,\n", "// a\n", "# a\n"}),
	known:  []string{"a(1); ", "a(1)\n", "  a(1,\n", "{\n", "a.\n", "a = a(1)\n", "[[[", "a(\n1\n)\n"},
}

// readSnippets reads the code in a document as the survey does.
func readSnippets(name string) func(string) error {
	return always(func(text string) {
		for _, s := range source.Snippets(name, []byte(text)) {
			l := byName(s.Language)
			f, err := source.Extract(context.Background(), l, "p/examples/snippet"+l.Extensions()[0], []byte(s.File()))
			if err != nil {
				continue
			}
			for _, r := range f.References() {
				f.Binds(r.Name)
			}
		}
	})
}

// readStatements finds the statement of each line, and other uses of a name.
func readStatements(text string) {
	for _, language := range []string{"go", "python", "typescript", "java", "rust", "c"} {
		s := source.NewStatements(text, language)
		for i := range strings.Count(text, "\n") + 1 {
			s.At(i + 1)
		}
		s.Again("a", 1, 0)
	}
}

// operatorReaders are the readers for these grammars.
func operatorReaders() map[string]*reader {
	out := map[string]*reader{
		"document.md": {snippetGrammar, readSnippets("README.md")}, "document.rst": {snippetGrammar, readSnippets("README.rst")},
		"manual":     {manualGrammar, always(func(text string) { source.Descriptions([]byte(text)) })},
		"statements": {statementGrammar, always(readStatements)},
		"run of tests": {
			grammar{wraps: []string{""}, tokens: []string{"b.b(#) ", "b.b(#)\n", "b.b(#); ", "x = b.b(#)\n", "b.b(", "  b.b(1, 2)\n", "def f#():\n    b.b(1)\n", "b = 1\n"}},
			readRun("tests/test_b.py", "from b import b\n", ""),
		},
		"run of docs' code": {snippetGrammar, readRun("docs/a.md", "", "")},
	}
	for language, g := range operatorGrammars {
		out["operators of "+language] = &reader{g, readSource(byName(language))}
	}
	return out
}
