package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

func TestPurpose(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ doc, language, name, want string }{
		{"Package money is a library for amounts.", "go", "money", "A library for amounts."},
		{"Package money is the library.", "go", "money", ""},
		{"Package main runs the till.", "go", "till", "Runs the till."},
		{"Till is a small, efficient daemon released under the GNU General Public License.", "markdown", "till", "Till is a small, efficient daemon."},
		{"Till counts money, licensed under the Apache License 2.0.", "markdown", "till", "Till counts money."},
		{"Till is licensed under the MIT License.", "markdown", "till", ""},
		{"Source code and documents released under MIT.", "markdown", "till", ""},
		{"Package money is fast.", "go", "money", "Package money is fast."},
		{"Package money provides amounts. More.", "go", "money", "Provides amounts."},
		{"Package money holds amounts of\nmoney", "go", "money", "Holds amounts of money"},
		{"package money holds amounts.", "go", "money", "Holds amounts."},
		{"Halo，强大易用的开源建站工具。", "markdown", "", "Halo，强大易用的开源建站工具。"},
		{"Halo 文档", "markdown", "", ""},
		{"Package money.", "go", "money", ""},
		{"Package other holds amounts.", "go", "money", "Package other holds amounts."},
		{"Package money holds amounts.", "python", "money", "Package money holds amounts."},
		{"Amounts, e.g. of euros. And more.", "go", "money", "Amounts, e.g. of euros."},
		{"The exceptions:\n\n- one", "python", "errors", ""},
		{"flask.json\n~~~~~~~~~~\n\nReads JSON.", "python", "json", "Reads JSON."},
		{"Adds <b>up</b> what a {@link Customer} buys. Then more.", "java", "shop", "Adds up what a Customer buys."},
		{"The money package.", "python", "money", ""},
		{"The money package of the shop.", "python", "money", "The money package of the shop."},
		{"Helper functions.", "python", "money", ""},
		{"Package money provides utility functions.", "go", "money", ""},
		{"Provides functions for amounts.", "python", "money", "Provides functions for amounts."},
		{"adapted from github.com/acme/money", "go", "money", ""},
		{"Derived amounts.", "go", "money", ""},
		{"Package money holds amounts, see:\n\nhttps://example.com/money", "go", "money", "Holds amounts"},
		{"Shop is a server for amounts (of euros), that:\n\n* counts\n* adds", "markdown", "", "Shop is a server for amounts (of euros)"},
		{"If changed, run make.", "go", "money", ""},
		{"If amounts are zero, fails.", "go", "money", "If amounts are zero, fails."},
		{"Look at these amounts!", "python", "money", ""},
		{"amount page", "python", "money", ""},
		{"Adds amounts", "go", "money", "Adds amounts"},
		{"Bring all amounts into the namespace", "python", "money", ""},
		{"Makes amounts available to clients", "python", "money", "Makes amounts available to clients"},
		{"Created by a clerk on 1/1/17.", "java", "money", ""},
		{"Package money copied from a till.", "go", "money", ""},
		{"Money was bootstrapped with create-money-app.", "markdown", "", ""},
		{"This directory is for money.", "markdown", "", ""},
		{"This directory contains the amounts of money.", "markdown", "", "This directory contains the amounts of money."},
		{"Counts what is in the till\nCreated by acme on 2020/3/17.", "java", "money", "Counts what is in the till"},
		{"This guide explains how to add money.", "markdown", "", ""},
		{"cSpell:words money", "go", "money", ""},
		{"This template provides a minimal setup of money.", "markdown", "", ""},
		{"When I started with money, I wrote one function.", "go", "money", ""},
		{"", "go", "money", ""},
		{"   \n\n", "python", "money", ""},
		{strings.Repeat("very ", 100) + "long.", "go", "money", strings.TrimSpace(strings.Repeat("very ", 39)) + "…"},
	} {
		if got := purpose(c.doc, c.language, c.name); got != c.want {
			t.Errorf("%q in %s: got %q, want %q", c.doc, c.language, got, c.want)
		}
	}
}

// TestWhatModulesAreFor checks the first line of the pages of small modules.
func TestWhatModulesAreFor(t *testing.T) {
	t.Parallel()
	badges := "[![ci](https://example.com/a.svg)](https://example.com)\n![x](y.png)\n\n"
	for name, c := range map[string]struct {
		files          map[string]string
		title, purpose string
		kind           string
		derived        bool
	}{
		"package comment": {map[string]string{"m/a.go": "// Package a does it.\npackage a\n", "m/README.md": "# M\n\nOther words.\n"}, "a", "Does it.", "", false},
		"README":          {map[string]string{"m/a.go": "package a\n", "m/README.md": badges + "# M\n\n" + badges + "Does **it** for [us](x). And more.\n"}, "a", "Does it for us.", "", false},
		"badges only":     {map[string]string{"m/a.go": "package a\n", "m/README.md": "# M\n\n" + badges}, "a", "", "", true},
		"one function":    {map[string]string{"m/a.go": "package a\n\nfunc F() {}\n\nfunc g() {}\n"}, "a", "", "", true},
		"one function that is documented": {
			map[string]string{"m/index.ts": "/** Sums up. And more. */\nexport function sum() {}\n"}, "m", "Sums up.", "", false},
		"one type of several": {
			map[string]string{"vet/Vet.java": "package vet;\n\n/** A bean for a veterinarian. */\npublic class Vet {\n  public void a() {}\n}\n", "vet/Controller.java": "package vet;\n\nclass Controller {\n  void a() {}\n  void b() {}\n  void c() {}\n}\n"},
			"vet", "", "", true},
		"a type that is most of it": {
			map[string]string{"vet/vet.go": "package vet\n\n// Vet is a veterinarian.\ntype Vet struct{}\n\nfunc (Vet) A() {}\nfunc (Vet) B() {}\n\ntype option int\n"}, "vet", "Vet is a veterinarian.", "", false},
		"configuration beside a Dockerfile": {map[string]string{"web/rollup.tracker.config.js": "export default {}\n", "web/Dockerfile": "FROM x\n"}, "web", "", "", true},
		"Go command":                        {map[string]string{"m/main.go": "package main\n\nfunc main() {}\n\nfunc Exported() {}\n"}, "m", "", kindCommand, true},
		"C command":                         {map[string]string{"m/run.c": "int main(void) { return 0; }\n", "m/other.c": "int f(void) { return 0; }\n"}, "m", "", kindCommand, true},
		"Python script":                     {map[string]string{"m/run.py": "import sys\n\nif __name__ == \"__main__\":\n    sys.exit(1)\n"}, "m", "", kindCommand, true},
		"tests":                             {map[string]string{"m/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n"}, "m", "Tests of a.", kindTests, true},
		"tests with data":                   {map[string]string{"tests/test_a.py": "def test_a():\n    pass\n", "tests/data.sql": "select 1"}, "tests", "Tests of a.", kindTests, true},
		"most tests first": {map[string]string{
			"tests/test_a.py": "def test_a():\n    pass\n", "tests/test_b.py": "def test_b():\n    pass\n\ndef test_c():\n    pass\n",
			"tests/test_c.py": "def test_a():\n    pass\n", "tests/conftest.py": "", "tests/test_d.py": "def test_a():\n    pass\n",
		}, "tests", "Tests of b, a, c and others.", kindTests, true},
		"tests with a helper": {map[string]string{
			"test/com/acme/ATest.java": "package com.acme;\n\nimport org.junit.Test;\n\npublic class ATest {\n  @Test public void a() {}\n}\n",
			"test/com/acme/BTest.java": "package com.acme;\n\nimport org.junit.Test;\n\npublic class BTest {\n  @Test public void b() {}\n}\n",
			"test/com/acme/Help.java":  "package com.acme;\n\npublic class Help {}\n",
		}, "acme", "Tests of A and B.", "", true},
		"a directory with the product's README":    {map[string]string{"deploy/docker/a.py": "", "deploy/docker/README.md": "# Shop\n\nShop is a till for all.\n"}, "docker", "", "", true},
		"a directory with a README about an image": {map[string]string{"deploy/docker/a.py": "", "deploy/docker/README.md": "# Shop\n\nThe image of the shop.\n"}, "docker", "The image of the shop.", "", false},
		"the words of a type":                      {map[string]string{"m/a.go": "// T is a till.\npackage a\n\n// T is a till. It rings.\ntype T struct{}\n\nfunc F() {}\n"}, "a", "", "", true},
		"a file for a tool":                        {map[string]string{"m/a.go": "package a\n\nfunc F() {}\n", "m/magefile.go": "// Targets of the build: test, lint.\npackage a\n"}, "a", "", "", true},
		"configuration alone":                      {map[string]string{"shop/vite.config.ts": "export default {}\n"}, "shop", "", "", true},
		"words that say nothing":                   {map[string]string{"m/a.go": "// Various helpers and utilities.\npackage a\n\nfunc F() {}\n"}, "a", "", "", true},
		"words of the path":                        {map[string]string{"m/media/a.py": "", "m/media/__init__.py": "\"\"\"Media service subpackage for Shop.\"\"\"\n"}, "media", "", "", true},
		"a licence":                                {map[string]string{"m/a.go": "// Custom build, copyright 2020 by the authors.\npackage a\n\nfunc F() {}\n"}, "a", "", "", true},
		"words about one class": {map[string]string{
			"m/__init__.py": "\"\"\"Base class for commands.\"\"\"\n\nclass Command: pass\n", "m/run.py": "class Run: pass\n",
		}, "m", "", "", true},
		"what callers reach": {map[string]string{
			"package.json": "{\"name\": \"shop\", \"main\": \"src/index.js\"}", "src/index.js": "export { buy } from './cart.js'\n", "src/cart.js": "export function buy() {}\nexport class Cart {}\n",
		}, "shop", "", "", true},
		"an example": {
			map[string]string{"examples/cart/app.tsx": "function Item() {}\n\nexport default function App() {}\n"}, "cart", "", "", true},
		"how a type is made": {
			map[string]string{"shop/__init__.py": "class Shop:\n    \"\"\"Creates a shop of things.\"\"\"\n\nclass Item: pass\n"}, "shop", "", "", true},
		"what one header is for": {
			map[string]string{"m/a.hpp": "/** @file\n * Tells of the one header alone. */\nint a();\n", "m/b.hpp": "int b();\n"}, "m", "", "", true},
		"what a header and its implementation are for": {
			map[string]string{"m/a.hpp": "/** @file\n * Tells of all there is here. */\nint a();\n", "m/a.cpp": "int a() { return 0; }\n"}, "m", "Tells of all there is here.", "", false},
		"the root": {map[string]string{"index.js": "x();\n", "README.md": badges + "# The *Shop*\n"}, "The Shop", "", "", true},
	} {
		r := newRepo(t, c.files)
		nodes := r.nodes()
		if len(nodes) != 1 {
			t.Errorf("%s: %d modules", name, len(nodes))
		}
		for _, n := range nodes {
			if n.Module != c.title || n.Purpose != c.purpose || n.Kind != c.kind || (n.PurposeFrom == node.FromDerived) != c.derived {
				t.Errorf("%s: got %q, %q, kind %q, %s; want %q, %q, kind %q", name, n.Module, n.Purpose, n.Kind, n.PurposeFrom, c.title, c.purpose, c.kind)
			}
		}
	}
}

func TestDirectoryNames(t *testing.T) {
	t.Parallel()
	for dir, want := range map[string]string{
		"money": "money", "internal/money": "money", "src": "src", "lib": "lib", "web/src": "web", "web/src/lib": "web", "src/lib": "src",
		"app/src/main/java": "app", "app/src/test/kotlin": "app", "src/main/java/com/acme": "acme", "examples/java": "java", "crates/core/src/bin": "bin",
	} {
		if got := dirName(dir); got != want {
			t.Errorf("%s: got %q, want %q", dir, got, want)
		}
	}
}

func TestIntroduction(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		repository, readme string
		root               string
		title, about       string
	}{
		"README":                   {"https://example.com/acme/shop", "# Shop & *Co*\n\nSells [things](x): many.\n", "root", "Shop & Co", "Sells things: many."},
		"no README":                {"https://example.com/acme/shop", "", "root", "shop", ""},
		"no remote":                {"", "", "root", "root", ""},
		"nothing":                  {"", "", unnamedRoot, "Repository", ""},
		"sections and no title":    {"", "Sells things.\n\n# Features\n\n# Licence\n", unnamedRoot, "Repository", "Sells things."},
		"a comment":                {"", "<!--\n# README.md\n-->\n# Shop\n\n**Check out the [news](x)**\n\nSells things.\n", unnamedRoot, "Shop", "Sells things."},
		"a licence at the end":     {"", "Sells things.\n\n# License\n\nFree of charge.\n", unnamedRoot, "Repository", "Sells things."},
		"HTML":                     {"", "<h1 align=\"center\"><b>Shop</b></h1>\n\n<p>x</p>\n\nSells things.\n", unnamedRoot, "Shop", "Sells things."},
		"emphasised as a whole":    {"", "**Sells things.**\n", unnamedRoot, "Repository", "Sells things."},
		"windows line ends":        {"", "# Shop\r\n\r\nSells things.\r\nMany. Others.\r\n", unnamedRoot, "Shop", "Sells things."},
		"a definition below news":  {"", "# Shop\n\n## Shop is closed\n\nShop is closed today.\n\n**Shop** is a till for stalls. It rings.\n", unnamedRoot, "Shop", "Shop is a till for stalls."},
		"a definition by name":     {"https://example.com/acme/shop", "!Note: Look at [other](x).\n\n# SHOP\n\n**SHOP** is a till for stalls.\n", unnamedRoot, "SHOP", "SHOP is a till for stalls."},
		"a fence before the title": {"", "```\n# no title\n```\n\n# Shop\n", unnamedRoot, "Shop", ""},
	} {
		r := newRepo(t, map[string]string{"a.go": "package " + "root\n"})
		r.config.Repository = c.repository
		r.nodes()
		r.previous["."].Module = c.root
		title, about, _ := introduction{survey.Readme{Path: "README.md", Content: []byte(c.readme)}, func(string) []byte { return nil }}.of(r.config, r.graph())
		if title != c.title || about != c.about {
			t.Errorf("%s: got %q, %q; want %q, %q", name, title, about, c.title, c.about)
		}
	}
}

// TestIntroductionFromManifest checks that the description in the manifest is preferred to praise in the README.
func TestIntroductionFromManifest(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{"a.go": "package root\n"})
	r.nodes()
	for readme, want := range map[string][2]string{
		"# Shop\n\nShop takes you from a stall to a mall.\n": {"Sells things", "package.json"},
		"# Shop\n\nShop is a till. It rings.\n":              {"Shop is a till.", "README.md"},
		"# Shop\n\nA till for stalls and malls. It rings.\n": {"A till for stalls and malls.", "README.md"},
		"# Shop\n": {"Sells things", "package.json"},
		"**Notice**\n\nThe domain shop.example is **NOT affiliated** with this project.\n\n# Shop\n": {"Sells things", "package.json"},
	} {
		manifest := func(name string) []byte {
			if name == "package.json" {
				return []byte(`{"description": "Sells things"}`)
			}
			return nil
		}
		_, about, file := introduction{survey.Readme{Path: "README.md", Content: []byte(readme)}, manifest}.of(r.config, r.graph())
		if got := [2]string{about, file}; got != want {
			t.Errorf("%q: got %q, want %q", readme, got, want)
		}
	}
}

func TestImports(t *testing.T) {
	t.Parallel()
	for language, c := range map[string]struct{ external, packages string }{
		"go":         {"C example.com/a/b fmt net/http", "example.com/a/b"},
		"python":     {"__future__ click click.core google.cloud json os.path typing", "click google.cloud"},
		"typescript": {"@a/b @a/b/c fs/promises lodash lodash/fp node:test react", "@a/b lodash react"},
		"java":       {"java.util javax.net jdk.jfr org.acme", "org.acme"},
		"rust":       {"alloc::vec serde serde::de std::fmt stdx::a", "serde stdx"},
		"c":          {"openssl/ssl.h stdio.h sys/types.h unistd.h", "openssl/ssl.h"},
		"c++":        {"gtest/gtest.h stdio.h string vector", "gtest/gtest.h"},
	} {
		packages := imports(&node.Node{Language: language, External: foreign(strings.Fields(c.external), []string{language})})
		if got := strings.Join(packages, " "); got != c.packages {
			t.Errorf("%s: packages %q, want %q", language, got, c.packages)
		}
	}
	if packages := foreign([]string{"example.com/x", "std::fmt"}, []string{"go", "rust"}); !slices.Equal(packages, []string{"example.com/x"}) {
		t.Errorf("two languages: %q", packages)
	}
}

// TestPurposeOfExample checks that the definition of the product is not the purpose of an example.
func TestPurposeOfExample(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ module, doc, want string }{
		{"examples/go", "Shop is a till that counts.", "Sells from Go."},
		{"examples/shop", "Shop is a till that counts.", "Shop is a till that counts."},
		{"examples/go", "This is a client of a till.", "This is a client of a till."},
		{"examples/go", "Till is a sample server.", "Till is a sample server."},
		{"server", "Shop is a till that counts.", "Shop is a till that counts."},
	} {
		slice := map[string]any{"module": c.module, "language": "go", "name": "shop", "doc": c.doc, "readme": "Sells from Go."}
		if got := draftOf(slice).Purpose; got != c.want {
			t.Errorf("%s: %q: got %q, want %q", c.module, c.doc, got, c.want)
		}
	}
}

// TestPurposeLeadsToNothing checks texts before a list or a code block: words such as "Run with" are not a purpose.
func TestPurposeLeadsToNothing(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Run with\n\n```\ncargo run\n```":                       "",
		"Exceptions:\n\n- one\n- two":                           "",
		"This directory contains files such as\n\n- one\n- two": "This directory contains files such as…",
		"It moves these things around:\n\n```\nx\n```":          "It moves these things around…",
		"Moves things.\n\n```\nx\n```":                          "Moves things.",
		"Moves things. Run it with\n\n```\nx\n```":              "Moves things.",
		"Moves things\n\nRun with\n\n```\nx\n```":               "Moves things",
		"# Moving\n\nRun with\n\n```\nx\n```":                   "",
		"- Moves things\n- and others":                          "Moves things",
		"Can this move them?\n\n```\nx\n```":                    "Can this move them?",
		"":                                                      "",
	} {
		if got := purpose(text, "markdown", ""); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestWhatModulesDo: without a description, the purpose is what most of the module plainly does.
func TestWhatModulesDo(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{
		"go.mod":            "module example.com/x\n",
		"core/core.go":      "package core\n\ntype Both interface{ Fit(); Pull() }\n\ntype Own struct{}\n\nfunc (Own) Fit() {}\n\nfunc (Own) Pull() {}\n",
		"core/plug/p.go":    "package plug\n\ntype Plug interface{ Fit() }\n\ntype Puller interface{ Pull() }\n\nfunc Register(name string, p Plug) {}\n",
		"round/round.go":    "package round\n\nimport (\n\t\"example.com/x/core\"\n\t\"example.com/x/core/plug\"\n)\n\nfunc init() { plug.Register(\"round\", A{}) }\n\ntype A struct{}\n\nfunc (A) Fit() {}\n\nfunc (A) Pull() {}\n\nvar _ core.Both = A{}\n",
		"hidden/h.go":       "package hidden\n\nimport \"example.com/x/core/plug\"\n\nfunc init() {\n\tplug.Register(\"a.one\", nil)\n\tplug.Register(\"a.two\", nil)\n\tplug.Register(\"b\", nil)\n\tplug.Register(\"c\", nil)\n}\n",
		"spoken/doc.go":     "// Package spoken speaks for itself.\npackage spoken\n\nimport \"example.com/x/core/plug\"\n\nfunc init() { plug.Register(\"spoken\", nil) }\n",
		"till/cash.go":      "package till\n\nimport \"example.com/x/core/plug\"\n\ntype Cash struct{}\n\nfunc (Cash) Fit() {}\n\nvar _ plug.Plug = Cash{}\n",
		"desk/cash.go":      "package desk\n\nimport \"example.com/x/core/plug\"\n\ntype Cash struct{}\n\nfunc (Cash) Fit() {}\n\ntype Card struct{}\n\nfunc (Card) Fit() {}\n\nvar _ plug.Plug = Cash{}\n",
		"desk/a.go":         "package desk\n\nfunc A() {}\n",
		"desk/b.go":         "package desk\n\nfunc B() {}\n",
		"till/card.go":      "package till\n\ntype Card struct{}\n\nfunc (Card) Fit() {}\n\ntype option int\n",
		"web/cart/c.go":     "package cart\n\nimport \"net/http\"\n\nfunc Add(m *http.ServeMux) {\n\tm.HandleFunc(\"GET /orders/{id}\", nil)\n\tm.HandleFunc(\"POST /orders\", nil)\n}\n",
		"web/one/o.go":      "package one\n\nimport \"net/http\"\n\nfunc init() { http.HandleFunc(\"GET /status\", nil) }\n",
		"web/api/same/s.go": "package same\n\nimport \"net/http\"\n\nfunc init() { http.HandleFunc(\"GET /api/same\", nil) }\n",
		"web/few/f.go":      "package few\n\nimport \"net/http\"\n\nfunc Add(m *http.ServeMux) { m.HandleFunc(\"GET /few\", nil) }\n",
		"web/few/g.go":      "package few\n\nfunc G() {}\n",
		"jobs/jobs.py":      "from celery import shared_task\n\n@shared_task\ndef sweep(): pass\n\n@shared_task\ndef pack(): pass\n",
		"data/models.py":    "from django.db import models\n\nclass Cart(models.Model):\n    n = models.IntegerField()\n",
		"silent/silent.go":  "package silent\n\nfunc F() {}\n",
	})
	for module, want := range map[string]string{
		"core":         "",
		"round":        "",
		"hidden":       "Registrations of a.*, b and c.",
		"spoken":       "Speaks for itself.",
		"till":         "Implementations of Plug of plug: Card and Cash.",
		"desk":         "",
		"web/cart":     "Routes below …/orders.",
		"web/one":      "Route GET /status.",
		"web/few":      "",
		"web/api/same": "",
		"jobs":         "Jobs pack and sweep.",
		"data":         "Model Cart.",
		"silent":       "",
	} {
		if got := r.nodes()[module].Purpose; got != want {
			t.Errorf("%s: got %q, want %q", module, got, want)
		}
	}
}
