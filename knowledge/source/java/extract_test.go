package java_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/java"
)

func extract(src string) source.File {
	return java.Language{}.Extract(context.Background(), "src/main/java/A.java", []byte(src))
}

func symbol(t *testing.T, f source.File, name string) source.Symbol {
	t.Helper()
	for _, s := range f.Symbols {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no symbol %s", name)
	return source.Symbol{}
}

func TestIsTest(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"src/test/java/a/B.java":          true,
		"x/src/androidTest/java/B.java":   true,
		"src/integrationTest/java/B.java": true,
		"a/MoneyTest.java":                true,
		"a/MoneyTests.java":               true,
		"a/MoneyIT.java":                  true,
		"src/main/java/a/B.java":          false,
		"src/main/java/test/B.java":       false,
		"src/testing/java/B.java":         false,
		"a/Contest.java":                  false,
		"mysrc/test/B.java":               false,
	} {
		if got := (java.Language{}).Extract(context.Background(), name, nil).Test; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestIsTestByEvidence checks that test files are recognised by declarations, and by name only without them.
func TestIsTestByEvidence(t *testing.T) {
	t.Parallel()
	const junit = "import org.junit.Test;\n"
	for name, tc := range map[string]struct {
		path, src string
		want      bool
	}{
		"a framework's own annotation": {"src/main/java/org/junit/Test.java", "package org.junit; public @interface Test {}", false},
		"an annotation elsewhere":      {"lib/Test.java", "package lib; public @interface Test {}", false},
		"a product class in main":      {"src/main/java/a/LoadTest.java", "public class LoadTest { void run() {} }", false},
		"an unusual name":              {"a/Checks.java", junit + "class Checks { @Test public void adds() {} }", true},
		"in main, with tests":          {"src/main/java/a/Suite.java", junit + "class Suite { @Test public void adds() {} }", true},
		"jupiter":                      {"a/Checks.java", "import org.junit.jupiter.api.Test; class A { @Test void f() {} }", true},
		"a test case":                  {"a/Checks.java", "import junit.framework.TestCase; class A extends TestCase { public void testA() {} }", true},
		"a class of testng":            {"a/Checks.java", "import org.testng.annotations.Test; @Test public class A { public void f() {} }", true},
		"imports and declares none":    {"a/Rules.java", "import org.junit.rules.TestRule; class Rules implements TestRule {}", false},
		"another annotation":           {"a/Checks.java", "class A { @Test void f() {} }", false},
		"a name and nothing else":      {"a/MoneyTest.java", "class MoneyTest {}", true},
	} {
		if got := (java.Language{}).Extract(context.Background(), tc.path, []byte(tc.src)).Test; got != tc.want {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

// TestPackageUses checks that a test imports the types of its package, whose sources are in another directory.
func TestPackageUses(t *testing.T) {
	t.Parallel()
	const src = "package org.shop.owner;\nimport org.shop.Shop;\nclass ValidatorTests {\n\tclass Fake {}\n" +
		"\tvoid checks() { new Validator().check(Limits.MOST, new Fake(), a.Other.x, new Shop()); }\n}\n"
	for name, want := range map[string]string{
		"src/test/java/org/shop/owner/ValidatorTests.java": "org.shop:Shop org.shop.owner:Limits,Validator",
		"src/main/java/org/shop/owner/Checks.java":         "org.shop:Shop",
	} {
		var got []string
		for _, imp := range (java.Language{}).Extract(t.Context(), name, []byte(src)).Imports {
			var names []string
			for _, n := range imp.Names {
				names = append(names, n.Name)
			}
			got = append(got, imp.Path+":"+strings.Join(names, ","))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %s, want %s", name, text, want)
		}
	}
}

func TestDoc(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ comment, want string }{
		"one line":       {"/** Adds. */", "Adds."},
		"gutters":        {"/**\n   * Adds.\n   *   More.\n   *\n   * @return it\n   */", "Adds.\n  More.\n\n@return it"},
		"no gutters":     {"/**\n     Adds.\n       More.\n  */", "Adds.\n  More."},
		"first line":     {"/** Adds\n  * up. */", "Adds\nup."},
		"many stars":     {"/*****\n ** Adds. **/", "Adds."},
		"last counts":    {"/** Old. */\n/** New. */ // x\n", "New."},
		"not a doc":      {"/* Adds. */", ""},
		"empty":          {"/**/", ""},
		"markdown":       {"/// Adds.\n  ///   - up\n", "Adds.\n  - up"},
		"ruler":          {"//////////\n", ""},
		"trailing blank": {"/** Adds.   \n *  \n */", "Adds."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := symbol(t, extract("public class A {\n"+tc.comment+"\npublic int f() {}\n}"), "A.f")
			if s.Doc != tc.want {
				t.Errorf("doc %q, want %q", s.Doc, tc.want)
			}
		})
	}
}

func TestDeprecated(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"/** A. @deprecated no tag */ public void f() {}":                       "",
		"/** A.\n * @deprecated use\n *   g\n * @see g */ public void f() {}":   "use g",
		"/** @deprecated */ public void f() {}":                                 "deprecated",
		"@Deprecated public void f() {}":                                        "deprecated",
		"@java.lang.Deprecated(since = \"1\") public void f() {}":               "deprecated",
		"@Deprecated public void f() {} public void f(int a) {}":                "",
		"@Deprecated public void f() {} /** @deprecated b */ void f(int a) {}":  "deprecated",
		"@Deprecated public void f() {} @Deprecated protected void f(int a) {}": "deprecated",
	} {
		if s := symbol(t, extract("public class A {\n"+src+"\n}"), "A.f"); s.Deprecated != want {
			t.Errorf("%s: %q, want %q", src, s.Deprecated, want)
		}
	}
}

// Pairs of sources whose digests are equal or not.
func TestDigests(t *testing.T) {
	t.Parallel()
	const class = "public class A { public A() {} %s }"
	for name, tc := range map[string]struct {
		a, b             string
		content, visible bool // expected to differ
	}{
		"text block moved":      {"String a = \"\"\"\n    x\n      y\n    \"\"\";", "String a = \"\"\"\n  x\n    y\n  \"\"\";", false, false},
		"text block changed":    {"String a = \"\"\"\n    x\n      y\n    \"\"\";", "String a = \"\"\"\n    x\n    y\n    \"\"\";", true, false},
		"blank in a string":     {"String a = \"x y\";", "String a = \"x  y\";", true, false},
		"constant":              {"static final String a = \"x y\";", "static final String a = \"x  y\";", true, true},
		"initial value":         {"int a = 1;", "int a = 2;", true, false},
		"long constant":         {"static final String a = \"" + strings.Repeat("x", 90) + "\";", "static final String a = \"" + strings.Repeat("y", 90) + "\";", true, false},
		"increment":             {"int a = b + ++c;", "int a = b ++ + c;", true, false},
		"override":              {"void a() {}", "@Override void a() {}", true, false},
		"annotation order":      {"@X public void a() {}", "public @X void a() {}", true, false},
		"annotation":            {"@X(1) void a() {}", "@X(2) void a() {}", true, true},
		"exception":             {"void a() {}", "void a() throws E {}", true, true},
		"parameter name":        {"void a(int b) {}", "void a(int c) {}", true, true},
		"body":                  {"void a() { b(); }", "void a() { c(); }", true, false},
		"doc of a private one":  {"private int b; int a;", "/** B. */ private int b; int a;", false, false},
		"type arguments spaced": {"List<List<B>> a;", "List<List<B> > a;", false, false},
		"default value":         {"@interface a { int b() default 1; }", "@interface a { int b() default 2; }", true, false},
		"enum constant":         {"enum a { B }", "enum a { B, C }", true, true},
		"enum arguments":        {"enum a { B(1) }", "enum a { B(2) }", true, false},
		"record component":      {"record a(int b) {}", "record a(long b) {}", true, true},
		"hidden overload":       {"public int a() {} int a(int b) {}", "public int a() {} int a(long b) {}", true, false},
		"member of a type":      {"class a { int b; }", "class a { int c; }", true, false},
		"unreadable bytes":      {"String a = \"\xe9\";", "String a = \"\xe8\";", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := extract(strings.Replace(class, "%s", tc.a, 1))
			after := extract(strings.Replace(class, "%s", tc.b, 1))
			if before.Problem != "" || after.Problem != "" {
				t.Fatal(before.Problem, after.Problem)
			}
			if (before.Content != after.Content) != tc.content {
				t.Errorf("content changed: %v", !tc.content)
			}
			x, y := symbol(t, before, "A.a"), symbol(t, after, "A.a")
			if (x.Interface != y.Interface) != tc.visible {
				t.Errorf("interface changed: %v", !tc.visible)
			}
			if x, y := symbol(t, before, "A.A"), symbol(t, after, "A.A"); x.Interface != y.Interface || x.Content != y.Content {
				t.Error("a neighbour changed")
			}
		})
	}
}

func TestGeneratedAndMain(t *testing.T) {
	t.Parallel()
	const body = "class A { %s }"
	for src, want := range map[string][2]bool{
		"// Code generated by x. DO NOT EDIT.\nclass A {}":                              {true, false},
		"// Generated by the protocol buffer compiler.  DO NOT EDIT!\nclass A {}":       {true, false},
		"@Generated(\"x\") class A {}":                                                  {true, false},
		strings.Repeat("\n", 20) + "// @generated\nclass A {}":                          {false, false},
		"/*" + strings.Repeat("\n", 20) + "@generated */class A {}":                     {false, false},
		"class A { String s = \"@generated\"; }":                                        {false, false},
		strings.Replace(body, "%s", "public static void main(String[] a) {}", 1):        {false, true},
		strings.Replace(body, "%s", "static public void main(final String... a) {}", 1): {false, true},
		strings.Replace(body, "%s", "static void main(String[] a) {}", 1):               {false, false},
		strings.Replace(body, "%s", "public static void main(int a) {}", 1):             {false, false},
		"void main() {}": {false, true},
	} {
		f := extract(src)
		if f.Generated != want[0] || f.Main != want[1] {
			t.Errorf("%q: generated %v, main %v", src, f.Generated, f.Main)
		}
	}
}

func TestPackageDoc(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"/* Licence. */\n\n/** Shop. */\n@X package a;":                                     "Shop.",
		"/* Licence. */\n\n// Sells\n// things.\npackage a;":                                "Sells\nthings.",
		"/* Licence. */\n\npackage a;":                                                      "",
		"package a; // Sells things.":                                                       "",
		"/* Sells things. */\npackage a;":                                                   "Sells things.",
		"/*\n * Copyright 2026 Ada.\n */\npackage a;":                                       "",
		"/* Licensed to the ASF. */\npackage a;":                                            "",
		"/**\n * Shop, Inc. All rights reserved. */\npackage a;":                            "",
		"// Copyright (c) 2026 Ada.\n// Licensed under the MIT license.\npackage a;":        "",
		"/* Licensed under the MIT license. */\n// Sells\n// things.\npackage a;":           "Sells\nthings.",
		"/* Copyright 2026 Ada. */\n/** Checks that all licences are known. */\npackage a;": "Checks that all licences are known.",
	} {
		f := java.Language{}.Extract(context.Background(), "src/main/java/a/package-info.java", []byte(src))
		if f.Doc != want || f.Package != "a" || f.Problem != "" {
			t.Errorf("%q: doc %q, package %q, problem %q", src, f.Doc, f.Package, f.Problem)
		}
	}
	if f := extract("/** Not the package's. */\npackage a;"); f.Doc != "" {
		t.Errorf("doc %q outside of package-info.java", f.Doc)
	}
}

// TestDocumentationOfOverloads checks that each overload keeps its documentation.
func TestDocumentationOfOverloads(t *testing.T) {
	t.Parallel()
	s := symbol(t, extract(`
public class Assert {
    /** Checks numbers. */
    public static void same(long a, long b) {}
    public static void same(int a, int b) {}
    /** Checks texts. @param a the first */
    public static void same(String a, String b) {}
}`), "Assert.same")
	want := []source.Overload{{Signature: "public static void same(String a, String b)", Doc: "Checks texts. @param a the first"}}
	if s.Doc != "Checks numbers." || !slices.Equal(s.Overloads, want) {
		t.Errorf("%q and %q", s.Doc, s.Overloads)
	}
}
